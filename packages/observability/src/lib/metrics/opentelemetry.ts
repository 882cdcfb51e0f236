import type { Meter as OpenTelemetryMeter } from '@opentelemetry/api';
import type { InstrumentDefinition } from './instrument.ts';
import type { Meter } from './meter.ts';
import { openTelemetryName, openTelemetryUnit } from './opentelemetry-name.ts';

/**
 * Sends metrics through OpenTelemetry: the same instruments, with dots in their names and units beside them. An exporter for Prometheus gives
 * them the names that Prometheus users know.
 *
 * @param meter The meter, such as `metrics.getMeter('timeouts')` of `@opentelemetry/api`.
 * @returns The meter. Metrics go where the SDK sends them, not to `/metrics`.
 * @example
 * ```ts
 * import { metrics } from '@opentelemetry/api';
 * import { openTelemetry } from '@policy-machinery/observability/opentelemetry';
 *
 * const controller = createPolicyController({ ...declared, metrics: openTelemetry(metrics.getMeter('timeouts')) });
 * ```
 */
export function openTelemetry(meter: OpenTelemetryMeter): Meter {
  return {
    counter(definition) {
      const counter = meter.createCounter(openTelemetryName(definition), describe(definition));
      return { add: (labels, value = 1) => counter.add(value, labels) };
    },
    gauge(definition) {
      const gauge = meter.createObservableGauge(openTelemetryName(definition), describe(definition));
      return {
        observe(read) {
          const callback: Parameters<typeof gauge.addCallback>[0] = (result) => {
            for (const [labels, value] of read()) result.observe(value, labels);
          };
          gauge.addCallback(callback);
          return () => gauge.removeCallback(callback);
        },
      };
    },
    histogram(definition) {
      const histogram = meter.createHistogram(openTelemetryName(definition), {
        ...describe(definition),
        advice: { explicitBucketBoundaries: [...definition.buckets] },
      });
      return { record: (labels, value) => histogram.record(value, labels) };
    },
  };
}

function describe(definition: InstrumentDefinition): { readonly description: string; readonly unit?: string } {
  return { description: definition.help, ...openTelemetryUnit(definition) };
}
