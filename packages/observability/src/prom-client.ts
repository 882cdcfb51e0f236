export { type PromClientRegistry, promClient } from './lib/metrics/prom-client.ts';
