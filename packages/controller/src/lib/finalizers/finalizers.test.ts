import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import type { PolicyControllerOptions } from '../controller-options.ts';
import { createPolicyController } from '../create-policy-controller.ts';
import { at, createWorld, gateway, route, TimeoutPolicy, timeouts } from '../world.fixture.ts';

const finalizer = 'timeouts.example.com/cleanup';
const foreign = 'others.example.com/hold';
const held = (object: KubernetesObject, ...finalizers: readonly string[]): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, ...{ finalizers } },
});
const objects = [
  gateway('edge'),
  route('cart', 'edge'),
  held(route('menu', 'edge'), foreign),
  timeouts('slow', 'Gateway edge', { request: '10s' }),
];

/** Starts a controller whose data plane is a map of what it was told, by target. */
function start(options: Partial<PolicyControllerOptions> = {}, more: Parameters<typeof createWorld>[0] = {}) {
  const dataPlane = new Map<string, unknown>();
  const calls: string[] = [];
  const onEffective: PolicyControllerOptions['onEffective'] = ({ view, targets, gone, cause, isComplete }) => {
    calls.push(
      `${cause}${isComplete ? ' (all)' : ''}: ${targets.map((it) => nameOf(it, gone.includes(it))).join(' ')}`,
    );
    for (const target of targets) {
      if (gone.includes(target)) dataPlane.delete(target);
      else dataPlane.set(target, view.of(target)[0]?.spec);
    }
  };
  const world = createWorld({ objects, ...more, controller: { finalizer, onEffective, ...options } });
  const finalizersOf = (name: string) => {
    const { metadata } = world.server.get(at.route(name)) ?? {};
    return metadata === undefined ? undefined : 'finalizers' in metadata ? metadata.finalizers : [];
  };
  const patched = () =>
    world.server.requests
      .filter(({ verb, resource, status }) => verb === 'patch' && resource === 'httproutes' && status === 200)
      .map(({ name }) => name)
      .sort();
  return { world, dataPlane, calls, finalizersOf, patched, ...world.start() };
}

function nameOf(target: string, isGone: boolean): string {
  return `${isGone ? '-' : ''}${target.split('/').at(-1)}`;
}

/** A data plane that cannot remove what it has of a route. */
const failing =
  (name: string): NonNullable<PolicyControllerOptions['onEffective']> =>
  ({ gone }) =>
    gone.filter((it) => it === at.route(name)).map((target) => ({ target, message: 'no answer' }));

describe('a finalizer', () => {
  it('is put on the objects of effective targets, beside finalizers of others, before the data plane hears of these', async () => {
    const { world, calls, finalizersOf, patched, stop } = start();
    const recover = world.server.addFaults({ at: 'patch httproutes', times: 1000, do: { status: 500 } });
    await world.settle();
    expect(calls).toEqual([]);
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=False/Reconciling');
    recover();
    await world.settle(60_000);
    expect([finalizersOf('cart'), finalizersOf('menu')]).toEqual([[finalizer], [foreign, finalizer]]);
    expect(calls.at(-1)).toContain('(all): cart menu');
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=True/Programmed');
    expect(patched()).toEqual(['cart', 'menu']);
    await stop();
  });

  it('keeps an object that is deleted until the data plane has cleaned up, and removes no other finalizer', async () => {
    const { world, dataPlane, calls, finalizersOf, stop } = start();
    await world.settle();
    world.server.delete(at.route('cart'));
    world.server.delete(at.route('menu'));
    expect(world.server.get(at.route('cart'))).toBeDefined();
    await world.settle();
    expect([...dataPlane]).toEqual([]);
    expect([finalizersOf('cart'), finalizersOf('menu')]).toEqual([undefined, [foreign]]);
    const before = calls.length;
    await world.settle(600_000);
    expect(calls.slice(before)).toEqual([]);
    await stop();
  });

  it('stays as long as the data plane fails to clean up, which is tried again later and later', async () => {
    const { world, finalizersOf, stop } = start({ onEffective: failing('cart') });
    await world.settle();
    world.server.delete(at.route('cart'));
    world.server.delete(at.policy('slow'));
    await world.settle(60_000);
    expect([finalizersOf('cart'), finalizersOf('menu')]).toEqual([[finalizer], [foreign]]);
    const attempts = world.logged.filter((it) => it.startsWith('warn: targets failed'));
    expect(attempts.length).toBeGreaterThan(10);
    expect(attempts.length).toBeLessThan(18);
    await stop();
    const { stop: stopNext } = world.start({ onEffective: () => {} });
    await world.settle();
    expect(finalizersOf('cart')).toBeUndefined();
    await stopNext();
  });

  it('is removed from an object that nothing applies to any more, once the data plane has heard of that', async () => {
    const { world, calls, finalizersOf, stop } = start();
    await world.settle();
    world.server.delete(at.policy('slow'));
    await world.settle();
    expect(calls.at(-1)).toBe('change: -cart -menu');
    expect([finalizersOf('cart'), finalizersOf('menu')]).toEqual([[], [foreign]]);
    world.server.create(timeouts('next', 'HTTPRoute menu', { request: '1s' }));
    await world.settle();
    expect([finalizersOf('cart'), finalizersOf('menu')]).toEqual([[], [foreign, finalizer]]);
    await stop();
  });

  it('tells a process that starts again of objects and policies that were deleted meanwhile', async () => {
    const { world, calls, finalizersOf, stop } = start();
    await world.settle();
    await stop();
    world.server.delete(at.route('cart'));
    await world.settle();
    expect(finalizersOf('cart')).toEqual([finalizer]);
    world.server.delete(at.policy('slow'));
    const { stop: stopNext } = world.start();
    await world.settle();
    expect(calls.at(-1)).toBe('start (all): -cart -menu');
    expect([finalizersOf('cart'), finalizersOf('menu')]).toEqual([undefined, [foreign]]);
    await stopNext();
  });

  it('is not removed by a process that does not know everything yet', async () => {
    const { world, finalizersOf, stop } = start();
    await world.settle();
    await stop();
    world.server.addFaults({ at: 'list timeoutpolicies', times: 1000, do: { status: 500 } });
    const { stop: stopNext } = world.start();
    await world.settle(60_000);
    expect([finalizersOf('cart'), finalizersOf('menu')]).toEqual([[finalizer], [foreign, finalizer]]);
    await stopNext();
  });

  it('is not put on an object that is being deleted already, and nothing is made for that', async () => {
    const { world, dataPlane, finalizersOf, patched, stop } = start(
      {},
      { objects: [...objects.filter((it) => it.kind !== 'TimeoutPolicy')] },
    );
    world.server.delete(at.route('menu'));
    world.server.create(timeouts('slow', 'Gateway edge', { request: '10s' }));
    await world.settle(60_000);
    expect(finalizersOf('menu')).toEqual([foreign]);
    expect([...dataPlane.keys()]).toEqual([at.route('cart')]);
    expect(patched()).toEqual(['cart']);
    await stop();
  });

  it('that cannot be written holds up its target alone, and no call says that it has all targets', async () => {
    const both = { ...TimeoutPolicy, effectiveTargets: [Gateway, HTTPRoute] };
    const { world, calls, dataPlane, stop } = start({ policyKinds: [both] });
    const denied = 'admission webhook "names.example.com" denied the request: no finalizers';
    const recover = world.server.addFaults({
      at: 'patch gateways',
      times: 1000,
      do: { status: 403, reason: 'Forbidden', message: denied },
    });
    await world.settle(60_000);
    expect([...dataPlane.keys()].sort()).toEqual([at.route('cart'), at.route('menu')]);
    expect(calls.filter((it) => it.includes('(all)'))).toEqual([]);
    expect(world.logged).toContainEqual(expect.stringContaining(finalizer));
    recover();
    await world.settle(2_000_000);
    expect(dataPlane.size).toBe(3);
    expect(calls.at(-1)).toContain('(all): edge cart menu');
    await stop();
  });

  it('is put back when others remove it while the data plane has something of the target', async () => {
    const { world, finalizersOf, stop } = start();
    await world.settle();
    world.server.update(at.route('cart'), ({ metadata, ...it }) => ({
      ...it,
      metadata: { ...metadata, ...{ finalizers: [] } },
    }));
    await world.settle();
    expect(finalizersOf('cart')).toEqual([finalizer]);
    await stop();
  });

  it('is written by the leader alone, also by one that takes over', async () => {
    const lease = { namespace: 'shop' };
    const { world, finalizersOf, patched, stop } = start({ lease: { ...lease, identity: 'one' } });
    const second = world.start({ lease: { ...lease, identity: 'two' } });
    await world.settle(30_000);
    expect(patched()).toEqual(['cart', 'menu']);
    await stop();
    world.server.delete(at.route('cart'));
    await world.settle(30_000);
    expect(finalizersOf('cart')).toBeUndefined();
    await second.stop();
  });

  it('is not written by a dry run, which calls all the same', async () => {
    const { world, calls, finalizersOf, patched, stop } = start({ dryRun: true });
    await world.settle();
    expect(calls).toEqual(['start (all): cart menu']);
    expect([finalizersOf('cart'), patched()]).toEqual([[], []]);
    await stop();
  });
});

describe('createPolicyController with a finalizer', () => {
  const create = (options: Partial<PolicyControllerOptions>) => () =>
    createPolicyController({
      name: 'timeouts.example.com/controller',
      connection: createWorld().server.transport,
      targetKinds: [],
      policyKinds: [TimeoutPolicy],
      onEffective: () => {},
      finalizer,
      ...options,
    });

  it.each(['cleanup', 'Example.com/a', 'example.com/', `example.com/${'a'.repeat(64)}`])(
    'refuses a name that no API server takes: %s',
    (name) => {
      expect(create({ finalizer: name })).toThrow('is not a domain with a name of at most 63 characters');
    },
  );

  it('refuses one where no single process cleans up', () => {
    expect(create({ callOn: 'every-replica' })).toThrow('needs onEffective on the leader');
    expect(create({ shards: { namespace: 'shop', identity: 'a' } })).toThrow('needs onEffective on the leader');
  });
});

describe('a finalizer that its controller adds and removes again and again', () => {
  it('follows its policy within a second each time, and no other client is blamed', async () => {
    const { world, finalizersOf, stop } = start();
    await world.settle();
    for (let round = 0; round < 8; round += 1) {
      world.server.delete(at.policy('slow'));
      await world.settle(1000);
      expect(finalizersOf('cart')).toEqual([]);
      world.server.create(timeouts('slow', 'Gateway edge', { request: '10s' }));
      await world.settle(1000);
      expect(finalizersOf('cart')).toEqual([finalizer]);
    }
    expect(world.logged.filter((line) => line.includes('another client'))).toEqual([]);
    await stop();
  });
});
