export type { InstrumentDefinition } from './lib/metrics/instrument.ts';
export { noMeter } from './lib/metrics/meter.ts';
export { noTracer } from './lib/traces/tracer.ts';
