import { describe, expect, it } from 'vitest';
import type { EffectivePoliciesChange, PolicyControllerOptions } from '../controller-options.ts';
import { at, createWorld, gateway, route, timeouts } from '../world.fixture.ts';

type OnEffective = NonNullable<PolicyControllerOptions['onEffective']>;

const lease = { namespace: 'shop' };

/** Runs two replicas that both call, each with a data plane of its own. */
async function startTwo(onEffective: (replica: string) => OnEffective = () => () => {}) {
  const objects = [gateway('edge'), route('cart', 'edge'), timeouts('slow', 'Gateway edge', { request: '10s' })];
  const world = createWorld({
    objects,
    controller: { callOn: 'every-replica', owns: [{ group: '', kind: 'ConfigMap' }] },
  });
  const calls: string[] = [];
  const signals: AbortSignal[] = [];
  const run = (identity: string) =>
    world.start({
      lease: { ...lease, identity },
      onEffective(change: EffectivePoliciesChange<object>) {
        calls.push(`${identity}: ${change.cause} ${change.targets.map((it) => it.split('/')[1])}`);
        signals.push(change.signal);
        return onEffective(identity)(change);
      },
    });
  const one = run('one');
  await world.settle();
  const two = run('two');
  await world.settle();
  return { world, calls, signals, one, two };
}

describe('with callOn: every-replica', () => {
  it('each replica calls for the changes of its data plane, and one writes', async () => {
    const { world, calls, one, two } = await startTwo();
    expect([one.controller.isLeader, two.controller.isLeader]).toEqual([true, false]);
    expect(calls.splice(0)).toEqual(['one: start cart', 'two: start cart']);
    const before = world.writes.length;
    world.server.create(timeouts('fast', 'HTTPRoute cart', { idle: '1s' }));
    await world.settle();
    expect(calls.splice(0).sort()).toEqual(['one: change cart', 'two: change cart']);
    const written = world.writes.slice(before);
    expect(written).toEqual(expect.arrayContaining(['httproutes/status cart', 'timeoutpolicies/status fast']));
    expect(new Set(written).size).toBe(written.length);
    await one.stop();
    await two.stop();
  });

  it('a replica that takes over calls for nothing, and its calls go on', async () => {
    const { world, calls, signals, one, two } = await startTwo();
    calls.length = 0;
    await one.stop();
    await world.settle();
    expect([two.controller.isLeader, calls]).toEqual([true, []]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    world.server.delete(at.route('cart'));
    await world.settle();
    expect(calls).toEqual(['two: change cart']);
    await two.stop();
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it("the status has the answers of the leader's data plane, also of the one that takes over", async () => {
    const { world, one, two } = await startTwo((replica) => ({ targets }) => {
      return replica === 'one' ? [] : targets.map((target) => ({ target, message: 'No listener has this port.' }));
    });
    await world.settle(60_000);
    expect(world.saidOn(at.policy('slow'))).toEqual(['Accepted=True/Accepted', 'Programmed=True/Programmed']);
    await one.stop();
    await world.settle();
    expect(world.saidOn(at.policy('slow'))).toEqual(['Accepted=True/Accepted', 'Programmed=False/Reconciling']);
    await two.stop();
  });

  it('a replica that takes over keeps owned objects unchanged, without another call', async () => {
    const { world, one, two } = await startTwo(() => ({ targets, gone, apply }) => {
      for (const target of targets.filter((it) => !gone.includes(it))) {
        const metadata = { name: 'cart', namespace: 'shop' };
        const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { of: target } };
        apply(target, [map]);
      }
    });
    const written = () =>
      world.server.requests.filter(({ verb, resource }) => verb === 'patch' && resource === 'configmaps');
    expect(written()).toHaveLength(1);
    await one.stop();
    await world.settle();
    expect(written()).toHaveLength(1);
    world.server.delete('configmap:shop/cart');
    await world.settle();
    expect(world.server.get('configmap:shop/cart')).toBeDefined();
    world.server.delete(at.route('cart'));
    await world.settle();
    expect(world.server.get('configmap:shop/cart')).toBeUndefined();
    await two.stop();
  });
});
