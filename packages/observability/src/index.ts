export { type JsonLoggerOptions, jsonLogger } from './lib/log/json-logger.ts';
export type { Logger } from './lib/log/logger.ts';
export type {
  Counter,
  CounterDefinition,
  Gauge,
  GaugeDefinition,
  Histogram,
  HistogramDefinition,
  InstrumentDefinition,
  Labels,
  Reading,
} from './lib/metrics/instrument.ts';
export { type Meter, noMeter, type Scrape } from './lib/metrics/meter.ts';
export type { Check } from './lib/probes/check.ts';
export type { DebugContent } from './lib/probes/debug.ts';
export type { ProbesContent } from './lib/probes/routes.ts';
export { type Probes, type ProbesOptions, startProbes } from './lib/probes/start-probes.ts';
export { noTracer, type Tracer } from './lib/traces/tracer.ts';
