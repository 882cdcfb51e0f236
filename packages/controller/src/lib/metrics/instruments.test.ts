import type { InstrumentDefinition } from '@policy-machinery/observability/inner';
import { describe, expect, it } from 'vitest';
import { instrumentTable } from './instruments.ts';

const definitions: readonly InstrumentDefinition[] = Object.values(instrumentTable);

describe('instrumentTable', () => {
  it('has the names and labels that dashboards for Kubernetes controllers look for', () => {
    const shared = definitions.filter(({ name }) => !name.startsWith('policy_machinery_'));
    expect(Object.fromEntries(shared.map(({ name, labels }) => [name, labels]))).toEqual({
      workqueue_depth: ['name', 'controller', 'priority'],
      workqueue_adds_total: ['name', 'controller'],
      workqueue_queue_duration_seconds: ['name', 'controller'],
      workqueue_work_duration_seconds: ['name', 'controller'],
      workqueue_unfinished_work_seconds: ['name', 'controller'],
      workqueue_longest_running_processor_seconds: ['name', 'controller'],
      workqueue_retries_total: ['name', 'controller'],
      rest_client_requests_total: ['code', 'method', 'host'],
      rest_client_request_duration_seconds: ['verb', 'host'],
      leader_election_master_status: ['name'],
      leader_election_slowpath_total: ['name'],
      controller_runtime_reconcile_total: ['controller', 'result'],
      controller_runtime_reconcile_errors_total: ['controller'],
      controller_runtime_reconcile_time_seconds: ['controller'],
      controller_runtime_active_workers: ['controller'],
    });
  });

  it('is without repeated names', () => {
    expect(new Set(definitions.map(({ name }) => name)).size).toBe(definitions.length);
  });

  it.each(definitions)('has names, labels and help as Prometheus recommends for $name', (definition) => {
    const { type, name, labels, help } = definition;
    expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    for (const label of labels) expect(label).toMatch(/^(?!le$|quantile$)[a-z]+$/);
    expect(help).toMatch(/^[A-Z0-9].{10,}[^.]$/);
  });

  it.each(definitions.filter((it) => it.type === 'histogram'))('has ascending buckets for $name', ({ buckets }) => {
    expect(buckets.length).toBeGreaterThan(4);
    expect(buckets).toEqual([...new Set(buckets)].sort((a, b) => a - b));
  });
});
