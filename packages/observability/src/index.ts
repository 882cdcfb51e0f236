export { type JsonLoggerOptions, jsonLogger } from './lib/log/json-logger.ts';
export type { Logger } from './lib/log/logger.ts';
export type {
  Counter,
  CounterDefinition,
  Gauge,
  GaugeDefinition,
  Histogram,
  HistogramDefinition,
  Labels,
  Reading,
} from './lib/metrics/instrument.ts';
export type { Meter, Scrape } from './lib/metrics/meter.ts';
export type { Check } from './lib/probes/check.ts';
export type { DebugContent } from './lib/probes/debug.ts';
export type { ProbesContent } from './lib/probes/routes.ts';
export { type Probes, type ProbesOptions, startProbes } from './lib/probes/start-probes.ts';
export type { Tracer } from './lib/traces/tracer.ts';
