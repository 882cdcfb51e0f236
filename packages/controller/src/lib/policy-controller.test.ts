import { Gateway, gatewayApi } from '@policy-machinery/gateway-api';
import { describe, expect, it, vi } from 'vitest';
import { createPolicyController } from '../index.ts';
import { at, createWorld, name, route, TimeoutPolicy, timeouts } from './world.fixture.ts';

const affected = 'timeouts.example.com/TimeoutPolicyAffected=True/PolicyAffected';

type World = ReturnType<typeof createWorld>;

describe('a policy controller', () => {
  it('writes the statuses of all objects, and then nothing', async () => {
    const world = createWorld();
    const { stop } = world.start();
    await world.settle();
    expect(world.saidOn(at.policy('slow'))).toEqual(['Accepted=True/Accepted', 'Programmed=True/Programmed']);
    expect(world.saidOn(at.gateway('edge'))).toEqual([affected]);
    expect(world.writes).toEqual(['timeoutpolicies/status slow', 'gateways/status edge']);
    await world.settle(600_000);
    expect(world.writes).toHaveLength(2);
    await stop();
  });

  it('follows changes', async () => {
    const world = createWorld();
    const { controller, stop } = world.start();
    await world.settle();
    world.server.create(timeouts('fast', 'HTTPRoute cart', { overrides: { request: '1s' } }));
    await world.settle();
    expect(world.saidOn(at.policy('fast'))).toEqual(['Accepted=True/Accepted', 'Programmed=True/Programmed']);
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=False/Overridden');
    expect(controller.effective(TimeoutPolicy).of(at.route('cart'))[0]?.spec).toEqual({ request: '1s' });
    world.server.delete(at.policy('fast'));
    await world.settle();
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=True/Programmed');
    expect(world.saidOn(at.route('cart'))).toEqual([]);
    await stop();
  });

  it('plans, writes and calls nothing before all kinds are known', async () => {
    const calls: unknown[] = [];
    const world = createWorld({ controller: { onEffective: (change) => void calls.push(change) } });
    world.server.forbid('list httproutes');
    world.server.forbid('watch httproutes');
    const { controller, stop } = world.start();
    await world.settle(120_000);
    expect([controller.isSynced, world.writes, calls]).toEqual([false, [], []]);
    expect(controller.heldUpBy).toEqual([
      { kind: 'HTTPRoute.gateway.networking.k8s.io', message: expect.stringContaining('httproutes') },
    ]);
    world.server.allow();
    await world.settle(120_000);
    expect([controller.isSynced, controller.heldUpBy]).toEqual([true, []]);
    expect(world.writes).toHaveLength(2);
    expect(calls).toHaveLength(1);
    await stop();
  });

  it('continues without a kind that it may not read, with whenForbidden: ignore', async () => {
    const world = createWorld({
      controller: { kinds: { 'HTTPRoute.gateway.networking.k8s.io': { whenForbidden: 'ignore' } } },
    });
    world.server.forbid('list httproutes');
    world.server.forbid('watch httproutes');
    const { stop } = world.start();
    await world.settle(60_000);
    expect(world.saidOn(at.policy('slow'))).toContain('Accepted=True/Accepted');
    await stop();
  });

  it('plans an object again if its status has changed in the meantime', async () => {
    const world = createWorld();
    world.server.addFaults({ at: 'watch timeoutpolicies', after: 1, do: 'forget' });
    const { stop } = world.start();
    await world.settle(10);
    world.server.update(at.policy('slow'), (policy) => ({ ...policy, status: { note: 'mine' } }));
    await world.settle(60_000);
    expect(world.server.get(at.policy('slow'))?.status).toMatchObject({
      note: 'mine',
      ancestors: [{ controllerName: name }],
    });
    await stop();
  });

  it('removes nothing while a kind cannot be read', async () => {
    const world = createWorld();
    const { controller, stop } = world.start();
    await world.settle();
    const resume = world.server.addFaults(
      { at: 'watch httproutes', do: { status: 500 } },
      { at: 'list httproutes', do: { status: 500 } },
      { at: 'watch httproutes', do: 'drop' },
    );
    await world.settle(600_000);
    expect(controller.topology.get(at.route('cart'))).toBeDefined();
    expect(world.writes).toHaveLength(2);
    resume();
    world.server.delete(at.route('cart'));
    await world.settle(120_000);
    expect(controller.topology.get(at.route('cart'))).toBeUndefined();
    await stop();
  });

  it('takes the same changes again after a round failed unexpectedly, and tries less and less often', async () => {
    const world = createWorld();
    const { controller, stop } = world.start();
    await world.settle();
    const failing = vi.spyOn(controller.topology, 'applyInSlices').mockImplementation(() => {
      throw new TypeError('a kind has a bug');
    });
    world.server.create(timeouts('fast', 'HTTPRoute cart', { overrides: { request: '1s' } }));
    world.server.delete(at.policy('slow'));
    await world.settle(60_000);
    expect(failing.mock.calls.length).toBeLessThan(10);
    expect(world.logged).toContainEqual(expect.stringContaining('a kind has a bug'));
    failing.mockRestore();
    await world.settle(60_000);
    expect(world.saidOn(at.policy('fast'))).toEqual(['Accepted=True/Accepted', 'Programmed=True/Programmed']);
    expect(controller.topology.policy(at.policy('slow'))).toBeUndefined();
    await stop();
  });

  it('finishes its writes before it stops', async () => {
    const world = createWorld();
    const { stop } = world.start();
    await world.settle();
    world.server.create(timeouts('fast', 'HTTPRoute cart', { idle: '1s' }));
    await world.settle(10);
    await stop();
    expect(world.saidOn(at.policy('fast'))).toContain('Accepted=True/Accepted');
  });
});

describe('a controller that does not run yet', () => {
  it('knows no objects, asks for none, and sets no timer', () => {
    const { server, clock } = createWorld();
    const controller = createPolicyController({
      name,
      connection: server.transport,
      targetKinds: gatewayApi(),
      policyKinds: [TimeoutPolicy],
      clock,
    });
    controller.effective(TimeoutPolicy).reconsider();
    expect(controller.objects.list(Gateway)).toEqual([]);
    expect(controller.objects.get(Gateway, { namespace: 'shop', name: 'edge' })).toBeUndefined();
    expect([...controller.effective(TimeoutPolicy)]).toEqual([]);
    expect([controller.isSynced, controller.isLeader, controller.answersFor(at.gateway('edge'))]).not.toContain(true);
    expect(controller.heldUpBy).toContainEqual({ kind: 'Gateway.gateway.networking.k8s.io', message: 'not read yet' });
    expect([server.requests, clock.timers]).toEqual([[], 0]);
  });
});

describe('onEffective', () => {
  it('is called with all targets at first, then with those that change', async () => {
    const calls: (readonly string[])[] = [];
    const world = createWorld({ controller: { onEffective: ({ targets }) => void calls.push(targets) } });
    world.server.create(route('menu', 'edge'));
    const { stop } = world.start();
    await world.settle();
    world.server.create(timeouts('fast', 'HTTPRoute cart', { idle: '1s' }));
    await world.settle();
    expect(calls).toEqual([[at.route('cart'), at.route('menu')], [at.route('cart')]]);
    await stop();
  });

  it('is called again for the same targets after it has failed, with those that changed meanwhile', async () => {
    const calls: (readonly string[])[] = [];
    const world = createWorld({
      controller: {
        onEffective: async ({ cause, targets }) => {
          calls.push([cause, ...targets]);
          if (calls.length < 3) throw new Error('no data plane');
        },
      },
    });
    const { stop } = world.start();
    await world.settle();
    const causes = ['start', 'retry', 'retry', 'start']; // The data plane must hear once about all targets.
    expect(calls).toEqual(causes.map((cause) => [cause, at.route('cart')]));
    expect(world.logged).toContainEqual(expect.stringContaining('"retryIn":10'));
    await stop();
  });
});

describe('a process that takes over', () => {
  it.each<
    [
      what: string,
      change: (server: World['server'], settle: () => Promise<void>) => Promise<void> | void,
      called: readonly string[],
    ]
  >([
    ['a policy that has gone', (server) => void server.delete(at.policy('slow')), [at.route('cart')]],
    ['a target that has gone', (server) => void server.delete(at.route('cart')), [at.route('cart')]],
    [
      'a target that has come and gone',
      async (server, settle) => {
        server.create(route('menu', 'edge'));
        await settle();
        server.delete(at.route('menu'));
      },
      [at.route('cart'), at.route('menu')],
    ],
  ])('passes on %s meanwhile', async (_, change, called) => {
    const calls: (readonly string[])[] = [];
    const lease = { namespace: 'shop', name: 'one' };
    const world = createWorld({ controller: { lease, onEffective: ({ targets }) => void calls.push(targets) } });
    const spec = { holderIdentity: 'a process that dies', leaseDurationSeconds: 15, leaseTransitions: 0 };
    world.server.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: lease, spec });
    const { controller, stop } = world.start();
    await world.settle(5000);
    expect([controller.isLeader, calls]).toEqual([false, []]);
    await change(world.server, () => world.settle(1000));
    await world.settle(30_000);
    expect([controller.isLeader, calls.map((targets) => [...targets].sort())]).toEqual([true, [called]]);
    await stop();
  });
});

describe('two controllers with a lease', () => {
  const controller = { lease: { namespace: 'shop' } };

  it('act one at a time, and the second takes over as soon as the first stops', async () => {
    const world = createWorld({ controller });
    const [first, second] = [
      world.start({ lease: { namespace: 'shop', identity: 'one' } }),
      world.start({ lease: { namespace: 'shop', identity: 'two' } }),
    ];
    await world.settle(30_000);
    expect([first.controller.isLeader, second.controller.isLeader]).toEqual([true, false]);
    expect(world.writes).toHaveLength(2);
    await first.stop();
    await world.settle(5000);
    expect(second.controller.isLeader).toBe(true);
    world.server.create(timeouts('fast', 'HTTPRoute cart', { idle: '1s' }));
    await world.settle();
    expect(world.saidOn(at.policy('fast'))).toContain('Accepted=True/Accepted');
    await second.stop();
  });
});
