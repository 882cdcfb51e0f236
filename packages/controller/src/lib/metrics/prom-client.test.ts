import { promClient } from '@policy-machinery/observability/prom-client';
import { Counter, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createInstruments, instrumentTable } from './instruments.ts';

async function scraped(register: Registry): Promise<string[]> {
  const { body = '' } = (await promClient(register).scrape?.()) ?? {};
  return body.split('\n');
}

describe('promClient', () => {
  it('registers only the instruments of the table', async () => {
    const register = new Registry();
    createInstruments(promClient(register));
    const lines = await scraped(register);
    const expected = Object.values(instrumentTable).flatMap(({ name, help, type }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
    ]);
    expect(lines.filter((line) => line.startsWith('#')).sort()).toEqual(expected.sort());
  });

  it.each(Object.entries(instrumentTable))('gives %s its labels and buckets', (_key, definition) => {
    const register = new Registry();
    createInstruments(promClient(register));
    // The types of prom-client hide both.
    expect(register.getSingleMetric(definition.name)).toMatchObject({
      labelNames: definition.labels,
      ...('buckets' in definition ? { upperBounds: definition.buckets } : {}),
    });
  });

  it('counts', async () => {
    const register = new Registry();
    const { relists } = createInstruments(promClient(register));
    relists.add({ kind: 'service', reason: 'start' });
    relists.add({ kind: 'service', reason: 'start' }, 2);
    relists.add({ kind: 'service', reason: 'failed' }, 0);
    const lines = await scraped(register);
    expect(lines).toContain('policy_machinery_relists_total{kind="service",reason="start"} 3');
    expect(lines).toContain('policy_machinery_relists_total{kind="service",reason="failed"} 0');
  });

  it('puts values into buckets', async () => {
    const register = new Registry();
    const { planDuration } = createInstruments(promClient(register));
    planDuration.record({}, 0.3);
    planDuration.record({}, 7);
    const lines = await scraped(register);
    expect(lines).toContain('policy_machinery_plan_seconds_bucket{le="0.25"} 0');
    expect(lines).toContain('policy_machinery_plan_seconds_bucket{le="0.5"} 1');
    expect(lines).toContain('policy_machinery_plan_seconds_bucket{le="10"} 2');
    expect(lines).toContain('policy_machinery_plan_seconds_sum 7.3');
  });

  it('reads gauges when metrics are collected, and drops series that are gone', async () => {
    const register = new Registry();
    const { objects } = createInstruments(promClient(register));
    const counts = new Map([
      ['service', 1],
      ['gateway', 2],
    ]);
    const stop = objects.observe(() => Array.from(counts, ([kind, count]) => [{ kind }, count] as const));
    const shown = async () => (await scraped(register)).filter((line) => line.startsWith('policy_machinery_objects{'));
    expect(await shown()).toEqual([
      'policy_machinery_objects{kind="service"} 1',
      'policy_machinery_objects{kind="gateway"} 2',
    ]);
    counts.set('service', 5).delete('gateway');
    expect(await shown()).toEqual(['policy_machinery_objects{kind="service"} 5']);
    stop();
    expect(await shown()).toEqual([]);
  });

  it('shows the metrics of several controllers with one registry', async () => {
    const register = new Registry();
    const one = createInstruments(promClient(register));
    const other = createInstruments(promClient(register));
    one.leader.observe(() => [[{ name: 'one' }, 1]]);
    const stop = other.leader.observe(() => [[{ name: 'other' }, 0]]);
    one.reconcileErrors.add({ controller: 'shared' });
    other.reconcileErrors.add({ controller: 'shared' });
    stop();
    const lines = await scraped(register);
    expect(lines).toContain('leader_election_master_status{name="one"} 1');
    expect(lines).not.toContain('leader_election_master_status{name="other"} 0');
    expect(lines).toContain('controller_runtime_reconcile_errors_total{controller="shared"} 2');
  });

  it('has the content type of the registry', async () => {
    const register = new Registry();
    expect(await promClient(register).scrape?.()).toMatchObject({ contentType: register.contentType });
  });

  it('refuses a registry that has another metric with one of the names', () => {
    const register = new Registry();
    new Counter({ name: 'workqueue_adds_total', help: 'Another one', registers: [register] });
    expect(() => createInstruments(promClient(register))).toThrow('workqueue_adds_total');
  });
});
