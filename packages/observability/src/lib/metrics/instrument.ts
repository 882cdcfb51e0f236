/** An instrument that only rises. */
export interface CounterDefinition {
  readonly type: 'counter';
  /** The name as Prometheus has it. It ends with `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** An instrument that is read whenever metrics are collected. */
export interface GaugeDefinition {
  readonly type: 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** An instrument that counts how many values are at most as large as each of its buckets. */
export interface HistogramDefinition {
  readonly type: 'histogram';
  /** The name as Prometheus has it. It ends with the unit. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, in ascending order. */
  readonly buckets: readonly number[];
}

export type InstrumentDefinition = CounterDefinition | GaugeDefinition | HistogramDefinition;

/** The values of labels, by name. */
export type Labels = Readonly<Record<string, string>>;

/** Counts. */
export interface Counter<L extends Labels = Labels> {
  /** Adds to the count of some labels. Default: 1. 0 makes the count appear before anything has happened. */
  add(labels: L, value?: number): void;
}

/** The value of a gauge for some labels. */
export type Reading<L extends Labels = Labels> = readonly [labels: L, value: number];

/** Shows a state. */
export interface Gauge<L extends Labels = Labels> {
  /**
   * Calls a function whenever metrics are collected. Series that the function does not return are not shown.
   *
   * @param read Returns the values. Called often: it must be quick, and must not throw.
   * @returns A function that ends the calls.
   */
  observe(read: () => Iterable<Reading<L>>): () => void;
}

/** Records values, such as durations. */
export interface Histogram<L extends Labels = Labels> {
  /** Records a value, in the unit that the name of the instrument ends with. */
  record(labels: L, value: number): void;
}
