import { promClient } from '@policy-machinery/observability/prom-client';
import { Registry } from 'prom-client';
import { createInstruments, type Instruments } from './instruments.ts';

/** Instruments, with the text that Prometheus would read. */
export interface Recorded {
  readonly instruments: Instruments;
  /** Returns the samples of a metric as Prometheus reads them: `name{label="value"} 1`. Without buckets. */
  samples(name: string): Promise<string[]>;
}

/** Creates instruments that are recorded in a registry of their own. */
export function recordedInstruments(): Recorded {
  const register = new Registry();
  const instruments = createInstruments(promClient(register));
  return {
    instruments,
    async samples(name) {
      const lines = (await register.getSingleMetricAsString(name)).split('\n');
      return lines.filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket{'));
    },
  };
}
