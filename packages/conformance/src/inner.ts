export type { ClientOptions } from './lib/cluster/client.ts';
export { CheckFailure } from './lib/cluster/failure.ts';
