import { createSources } from '@policy-machinery/cluster';
import { createFakeApiServer, createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { countSources } from './count-sources.ts';
import { recordedInstruments } from './metrics.fixture.ts';
import { observeObjects } from './observe-objects.ts';
import { observeStates } from './observe-states.ts';

const Route = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', versions: ['v1'] };
const kind = 'httproute.gateway.networking.k8s.io';
const route = (name: string) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name, namespace: 'shop' },
});

/** A fake cluster with one kind, its sources, and the metrics about them. */
function createWorld({ isServed = true } = {}) {
  const clock = createFakeClock();
  const server = createFakeApiServer({
    clock,
    kinds: isServed ? [Route] : [],
    objects: isServed ? [route('cart')] : [],
  });
  const { instruments, samples } = recordedInstruments();
  const sources = createSources(server.transport, [Route], {
    clock,
    random: () => 0.5,
    observer: countSources(instruments),
  });
  const stops = [observeStates(instruments, sources, clock), observeObjects(instruments, sources, [Route])];
  const stop = () => {
    for (const each of stops) each();
  };
  return { clock, server, samples, stop };
}

const stateIs = (state: string) => `policy_machinery_source_state{kind="${kind}",state="${state}"} 1`;

describe('countSources', () => {
  it('counts the events of watches by type', async () => {
    const { clock, server, samples } = createWorld();
    await clock.advance(0);
    server.create(route('account'));
    server.update(`${kind}:shop/account`, (before) => ({
      ...before,
      metadata: { ...before.metadata, labels: { a: 'b' } },
    }));
    server.delete(`${kind}:shop/account`);
    await clock.advance(0);
    expect(await samples('policy_machinery_watch_events_total')).toEqual(
      expect.arrayContaining([
        `policy_machinery_watch_events_total{kind="${kind}",type="MODIFIED"} 1`,
        `policy_machinery_watch_events_total{kind="${kind}",type="DELETED"} 1`,
      ]),
    );
  });

  it('counts why all objects are read', async () => {
    const { clock, server, samples } = createWorld();
    await clock.advance(0);
    server.addFaults({ at: 'watch httproutes', do: 'gone' });
    server.create(route('account'));
    await clock.advance(60_000);
    expect(await samples('policy_machinery_relists_total')).toEqual([
      `policy_machinery_relists_total{kind="${kind}",reason="start"} 1`,
      `policy_machinery_relists_total{kind="${kind}",reason="expired"} 1`,
    ]);
  });

  it('counts failures by their code', async () => {
    const { clock, server, samples } = createWorld();
    server.addFaults({ at: '* httproutes', times: 2, do: { status: 503 } });
    await clock.advance(60_000);
    expect(await samples('policy_machinery_source_failures_total')).toEqual([
      `policy_machinery_source_failures_total{kind="${kind}",code="503"} 2`,
    ]);
    server.stop();
    await clock.advance(1000);
    expect(await samples('policy_machinery_source_failures_total')).toContainEqual(
      expect.stringContaining('code="ECONN'),
    );
  });

  it('counts failures without a code as client-go does', async () => {
    const { instruments, samples } = recordedInstruments();
    countSources(instruments).onFailure?.(Route, new SyntaxError('no JSON'), 0);
    countSources(instruments).onFailure?.(Route, 'thrown', 0);
    expect(await samples('policy_machinery_source_failures_total')).toEqual([
      `policy_machinery_source_failures_total{kind="${kind}",code="<error>"} 2`,
    ]);
  });

  it('counts malformed objects', async () => {
    const { instruments, samples } = recordedInstruments();
    countSources(instruments).onMalformed?.(Route, { metadata: 1 }, []);
    expect(await samples('policy_machinery_malformed_objects_total')).toEqual([
      `policy_machinery_malformed_objects_total{kind="${kind}"} 1`,
    ]);
  });
});

describe('observeStates', () => {
  it('shows 1 for the phase of each source, and 0 for the others', async () => {
    const { clock, samples } = createWorld();
    expect(await samples('policy_machinery_source_state')).toContain(stateIs('listing'));
    await clock.advance(0);
    expect((await samples('policy_machinery_source_state')).sort()).toEqual([
      `policy_machinery_source_state{kind="${kind}",state="absent"} 0`,
      `policy_machinery_source_state{kind="${kind}",state="forbidden"} 0`,
      `policy_machinery_source_state{kind="${kind}",state="listing"} 0`,
      `policy_machinery_source_state{kind="${kind}",state="stale"} 0`,
      stateIs('synced'),
    ]);
  });

  it('shows kinds that the API server does not serve, and those that it refuses to show', async () => {
    const { clock, samples } = createWorld({ isServed: false });
    await clock.advance(60_000);
    expect(await samples('policy_machinery_source_state')).toContain(stateIs('absent'));

    const other = createWorld();
    other.server.forbid('* httproutes');
    await other.clock.advance(1000);
    expect(await other.samples('policy_machinery_source_state')).toContain(stateIs('forbidden'));
  });

  it('shows for how long a kind has been stale', async () => {
    const { clock, server, samples } = createWorld();
    await clock.advance(0);
    const seconds = async () => Number((await samples('policy_machinery_source_stale_seconds'))[0]?.split(' ')[1]);
    expect(await seconds()).toBe(0);
    server.stop();
    await clock.advance(600_000);
    expect(await samples('policy_machinery_source_state')).toContain(stateIs('stale'));
    const before = await seconds();
    expect(before).toBeGreaterThan(500);
    await clock.advance(60_000);
    expect(await seconds()).toBeCloseTo(before + 60);
    clock.skew(-3_600_000);
    expect(await seconds()).toBe(0);
    server.start();
    await clock.advance(60_000);
    expect(await samples('policy_machinery_source_state')).toContain(stateIs('synced'));
  });

  it('ends when it is stopped', async () => {
    const { clock, samples, stop } = createWorld();
    await clock.advance(0);
    stop();
    for (const name of ['source_state', 'source_stale_seconds', 'objects']) {
      expect(await samples(`policy_machinery_${name}`)).toEqual([]);
    }
  });
});

describe('observeObjects', () => {
  it('shows how many objects there are', async () => {
    const { clock, server, samples } = createWorld();
    await clock.advance(0);
    expect(await samples('policy_machinery_objects')).toEqual([`policy_machinery_objects{kind="${kind}"} 1`]);
    server.create(route('account'));
    await clock.advance(0);
    expect(await samples('policy_machinery_objects')).toEqual([`policy_machinery_objects{kind="${kind}"} 2`]);
  });
});
