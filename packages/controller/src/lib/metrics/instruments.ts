import type { Counter, Gauge, Histogram, Meter } from '@policy-machinery/observability';
import type { InstrumentDefinition } from '@policy-machinery/observability/inner';
import { kubernetesInstruments } from './kubernetes-instruments.ts';
import { ownInstruments } from './own-instruments.ts';

/** All instruments of a controller. Dashboards and alerts refer to their names. */
export const instrumentTable = { ...kubernetesInstruments, ...ownInstruments };

type Table = typeof instrumentTable;

/** Exactly the labels of a definition. */
type LabelsOf<D extends InstrumentDefinition> = [D['labels'][number]] extends [never]
  ? Readonly<Record<string, never>>
  : Readonly<Record<D['labels'][number], string>>;

/** The recorder of an instrument of some definition. */
type InstrumentOf<D extends InstrumentDefinition> = D extends { readonly type: 'counter' }
  ? Counter<LabelsOf<D>>
  : D extends { readonly type: 'gauge' }
    ? Gauge<LabelsOf<D>>
    : Histogram<LabelsOf<D>>;

/** All instruments of {@link instrumentTable}, each with its labels. */
export type Instruments = { readonly [Key in keyof Table]: InstrumentOf<Table[Key]> };

/**
 * Creates all instruments.
 *
 * @param meter Where metrics go.
 * @returns The instruments, by their keys in {@link instrumentTable}.
 */
export function createInstruments(meter: Meter): Instruments {
  const entries = Object.entries<InstrumentDefinition>(instrumentTable).map(([key, definition]) => [
    key,
    createInstrument(meter, definition),
  ]);
  // The keys and types of the table, which `Object.fromEntries` cannot know.
  return Object.fromEntries(entries) as Instruments;
}

function createInstrument(meter: Meter, definition: InstrumentDefinition): Counter | Gauge | Histogram {
  switch (definition.type) {
    case 'counter':
      return meter.counter(definition);
    case 'gauge':
      return meter.gauge(definition);
    case 'histogram':
      return meter.histogram(definition);
  }
}
