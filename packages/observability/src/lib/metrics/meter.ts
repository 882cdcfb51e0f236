import type {
  Counter,
  CounterDefinition,
  Gauge,
  GaugeDefinition,
  Histogram,
  HistogramDefinition,
} from './instrument.ts';

/** Metrics as text, for a monitoring system that fetches them. */
export interface Scrape {
  readonly contentType: string;
  readonly body: string;
}

/**
 * Where metrics go. `@policy-machinery/observability/prom-client` and `@policy-machinery/observability/opentelemetry` have one each; implement it for
 * another library.
 */
export interface Meter {
  /** Returns the counter with that definition. */
  counter(definition: CounterDefinition): Counter;
  /** Returns the gauge with that definition. */
  gauge(definition: GaugeDefinition): Gauge;
  /** Returns the histogram with that definition. */
  histogram(definition: HistogramDefinition): Histogram;
  /** Returns all metrics. Missing if they are sent, not fetched. */
  scrape?(): Promise<Scrape>;
}

/** Drops everything. */
export const noMeter: Meter = {
  counter: () => ({ add() {} }),
  gauge: () => ({ observe: () => () => {} }),
  histogram: () => ({ record() {} }),
};
