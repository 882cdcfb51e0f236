import { Counter, Gauge, Histogram, type OpenMetricsContentType, type Registry } from 'prom-client';
import type * as instruments from './instrument.ts';
import type { Meter } from './meter.ts';
import { Readers } from './readers.ts';

/** A registry of prom-client, for either of the two text formats. */
export type PromClientRegistry = Registry | Registry<OpenMetricsContentType>;

/** One meter for each registry, so that controllers which share a registry share its instruments. */
const meters = new WeakMap<PromClientRegistry, Meter>();

/**
 * Registers metrics with prom-client.
 *
 * @param register The registry, such as `register` of prom-client.
 * @returns The meter. The same for the same registry.
 * @throws {Error} When the instruments are created, if the registry has another metric with one of their names.
 * @example
 * ```ts
 * import { promClient } from '@policy-machinery/observability/prom-client';
 * import { collectDefaultMetrics, register } from 'prom-client';
 *
 * collectDefaultMetrics();
 * const controller = createPolicyController({ ...declared, metrics: promClient(register) });
 * ```
 */
export function promClient(register: PromClientRegistry): Meter {
  const known = meters.get(register);
  if (known !== undefined) return known;
  const meter = createMeter(register);
  meters.set(register, meter);
  return meter;
}

function createMeter(register: PromClientRegistry): Meter {
  const configure = ({ name, help, labels }: instruments.InstrumentDefinition): Options => {
    return { name, help, labelNames: labels, registers: [register] };
  };
  return {
    counter: once((definition) => createCounter(configure(definition))),
    gauge: once((definition) => createGauge(configure(definition))),
    histogram: once((definition) => createHistogram(configure(definition), definition.buckets)),
    scrape: async () => ({ contentType: register.contentType, body: await register.metrics() }),
  };
}

/** Returns a function that creates an instrument for each name, and returns the same for the same name. */
function once<D extends instruments.InstrumentDefinition, T>(create: (definition: D) => T): (definition: D) => T {
  const created = new Map<string, T>();
  return (definition) => {
    const instrument = created.get(definition.name) ?? create(definition);
    created.set(definition.name, instrument);
    return instrument;
  };
}

/** The options that all metrics of prom-client share. */
interface Options {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly registers: PromClientRegistry[];
}

function createCounter(options: Options): instruments.Counter {
  const counter = new Counter(options);
  return { add: (labels, value = 1) => counter.inc(labels, value) };
}

function createGauge(options: Options): instruments.Gauge {
  const readers = new Readers();
  new Gauge({
    ...options,
    collect() {
      this.reset();
      for (const [labels, value] of readers.read()) this.set(labels, value);
    },
  });
  return readers;
}

function createHistogram(options: Options, buckets: readonly number[]): instruments.Histogram {
  const histogram = new Histogram({ ...options, buckets: [...buckets] });
  return { record: (labels, value) => histogram.observe(labels, value) };
}
