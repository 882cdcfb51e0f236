import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { InstrumentDefinition } from '@policy-machinery/observability/inner';
import { openTelemetry } from '@policy-machinery/observability/opentelemetry';
import { describe, expect, it } from 'vitest';
import { createInstruments, type Instruments, instrumentTable } from './instruments.ts';

const definitions: readonly InstrumentDefinition[] = Object.values(instrumentTable);

/** Returns the data that an exporter receives after something was recorded. */
async function exported(record: (instruments: Instruments) => void): Promise<readonly MetricData[]> {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1e9, exportTimeoutMillis: 1e8 });
  const provider = new MeterProvider({ readers: [reader] });
  try {
    record(createInstruments(openTelemetry(provider.getMeter('timeouts'))));
    await provider.forceFlush();
    return exporter.getMetrics().flatMap((it) => it.scopeMetrics.flatMap(({ metrics }) => metrics));
  } finally {
    await provider.shutdown();
  }
}

/** Records something with each instrument. */
function recordAll(instruments: Instruments): void {
  for (const instrument of Object.values(instruments)) {
    if ('observe' in instrument) instrument.observe(() => [[{ name: 'a' }, 1]] as never);
    else if ('add' in instrument) instrument.add({} as never);
    else instrument.record({} as never, 1);
  }
}

/** The name that the specification of OpenTelemetry gives a metric in Prometheus. */
function prometheusName({ descriptor: { name, unit }, dataPointType }: MetricData): string {
  const words = [name.replaceAll('.', '_')];
  if (unit === 's') words.push('seconds');
  if (unit === '1' && dataPointType === DataPointType.GAUGE) words.push('ratio');
  if (dataPointType === DataPointType.SUM) words.push('total');
  return words.join('_');
}

describe('openTelemetry', () => {
  it('has the instruments of the table, which exporters for Prometheus call by the same names', async () => {
    const metrics = await exported(recordAll);
    expect(metrics.map(prometheusName).sort()).toEqual(definitions.map(({ name }) => name).sort());
  });

  it('puts a dot after the namespace, and leaves out the unit', async () => {
    const names = (await exported(recordAll)).map(({ descriptor }) => descriptor.name);
    expect(names).toEqual(
      expect.arrayContaining([
        'workqueue.depth',
        'rest_client.request_duration',
        'leader_election.master_status',
        'controller_runtime.reconcile',
        'policy_machinery.source_state',
      ]),
    );
    for (const name of names) expect(name.split('.')).toHaveLength(2);
  });

  it('counts', async () => {
    const metrics = await exported(({ relists }) => {
      relists.add({ kind: 'service', reason: 'start' });
      relists.add({ kind: 'service', reason: 'start' }, 2);
    });
    expect(metrics).toMatchObject([
      { dataPoints: [{ attributes: { kind: 'service', reason: 'start' }, value: 3 }], isMonotonic: true },
    ]);
  });

  it('puts values into the buckets of the table', async () => {
    const metrics = await exported(({ planDuration }) => planDuration.record({}, 0.3));
    const { buckets } = instrumentTable.planDuration;
    expect(metrics).toMatchObject([
      { dataPoints: [{ value: { buckets: { boundaries: buckets }, count: 1, sum: 0.3 } }] },
    ]);
  });

  it('reads gauges when metrics are collected, until they are stopped', async () => {
    const metrics = await exported(({ objects, leader }) => {
      objects.observe(() => [[{ kind: 'service' }, 5]]);
      leader.observe(() => [[{ name: 'one' }, 1]])();
    });
    expect(metrics).toMatchObject([{ dataPoints: [{ attributes: { kind: 'service' }, value: 5 }] }]);
  });

  it('has nothing to fetch', () => {
    expect(openTelemetry(new MeterProvider().getMeter('timeouts')).scrape).toBeUndefined();
  });
});
