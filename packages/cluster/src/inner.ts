export type { EventSource } from './lib/events/event.ts';
export { compareResourceVersions } from './lib/source/resource-version.ts';
export { sleep, systemClock } from './lib/time/clock.ts';
export { readStatusError } from './lib/transport/status-error.ts';
