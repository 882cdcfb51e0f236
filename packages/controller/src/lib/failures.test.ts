import type { Clock } from '@policy-machinery/cluster';
import { gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { definePolicyKind, gep713 } from '@policy-machinery/policy-kind';
import { isJsonObject, locatorOf, specOf } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { EffectivePoliciesChange, PolicyControllerOptions } from './controller-options.ts';
import { at, createWorld, gateway, route, shop, TimeoutPolicy, timeouts } from './world.fixture.ts';

const affected = 'timeouts.example.com/TimeoutPolicyAffected=True/PolicyAffected';
const always = 1_000_000;
const unreadable = [
  { at: 'watch httproutes', times: always, do: { status: 500 } },
  { at: 'list httproutes', times: always, do: { status: 500 } },
  { at: 'watch httproutes', do: 'drop' },
] as const;

type World = ReturnType<typeof createWorld>;

/** Returns the notes of events. */
function notesIn({ server }: World): readonly unknown[] {
  return server.list({ group: 'events.k8s.io', kind: 'Event' }).map((event) => event.note);
}

/** Returns the events that the API server has: `Warning SourceStale lease timeouts`. */
function eventsIn({ server }: World): readonly string[] {
  return server.list({ group: 'events.k8s.io', kind: 'Event' }).map(({ type, reason, regarding }) => {
    const { kind, name } = isJsonObject(regarding) ? regarding : {};
    return `${type} ${reason} ${kind} ${name}`;
  });
}

const names = { group: 'timeouts.example.com', version: 'v1', kind: 'StrictPolicy' };
const lease = { namespace: 'shop', name: 'timeouts' };
const leaseAt = 'lease.coordination.k8s.io:shop/timeouts';

describe('when one kind cannot be read', () => {
  it('is logged once a minute, and leads to one event about the lease after ten minutes', async () => {
    const world = createWorld({ controller: { lease } });
    const { stop } = world.start();
    await world.settle();
    const resume = world.server.addFaults(...unreadable);
    world.server.create(route('late', 'edge'));
    await world.settle(590_000);
    const warnings = world.logged.filter((it) => it.includes('a kind cannot be read'));
    expect(warnings.length).toBeGreaterThanOrEqual(8);
    expect(warnings.length).toBeLessThanOrEqual(11);
    expect(eventsIn(world)).toEqual([]);
    await world.settle(3_000_000);
    expect(eventsIn(world)).toEqual(['Warning SourceStale Lease timeouts']);
    resume();
    await world.settle(120_000);
    world.server.addFaults(...unreadable);
    world.server.create(route('later', 'edge'));
    await world.settle(700_000);
    expect(world.logged.filter((it) => it.includes('kind stale'))).toHaveLength(2);
    await stop();
  });

  it('holds up neither the other kinds nor their statuses', async () => {
    const world = createWorld();
    const { controller, stop } = world.start();
    await world.settle();
    world.server.addFaults(...unreadable);
    world.server.create(timeouts('fast', 'HTTPRoute cart', { overrides: { request: '1s' } }));
    await world.settle(60_000);
    expect(world.saidOn(at.policy('fast'))).toContain('Programmed=True/Programmed');
    expect(controller.heldUpBy).toEqual([]);
    await stop();
  });
});

describe('all objects of a kind', () => {
  it.each([
    [0, 3],
    [undefined, 3],
    [900_000, 2],
    [Number.POSITIVE_INFINITY, 1],
  ])('are read again when a watch ends and their list is older than relistAfter: %s', async (relistAfter, lists) => {
    const world = createWorld({ controller: relistAfter === undefined ? {} : { relistAfter } });
    const { stop } = world.start();
    await world.settle(2 * 450_000 + 1000); // Watches last 450 s.
    const listing = world.server.requests.filter(
      ({ resource, query }) => resource === 'httproutes' && query.sendInitialEvents === 'true',
    );
    expect(listing).toHaveLength(lists);
    await stop();
  });
});

describe('when a kind is not installed', () => {
  it('is without objects, until it is installed: no restart is needed', async () => {
    const world = createWorld({ objects: shop.slice(0, 2) });
    world.server.uninstall(TimeoutPolicy);
    const { controller, stop } = world.start();
    await world.settle(60_000);
    expect(controller.heldUpBy).toEqual([]);
    world.server.install(TimeoutPolicy);
    world.server.create(timeouts('slow', 'Gateway edge', { request: '10s' }));
    await world.settle(60_000);
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=True/Programmed');
    await stop();
  });

  it('is logged as a warning if the kind is a policy kind of the controller', async () => {
    const world = createWorld({ objects: [] });
    world.server.uninstall(TimeoutPolicy);
    world.server.uninstall({ group: 'gateway.networking.k8s.io', kind: 'GRPCRoute' });
    const { stop } = world.start();
    await world.settle(120_000);
    expect(world.logged.filter((it) => it.startsWith('warn'))).toEqual([
      'warn: the API server does not serve a policy kind; install its CustomResourceDefinition {"kind":"timeoutpolicy.timeouts.example.com"}',
    ]);
    await stop();
  });

  it('holds everything up with whenAbsent: wait', async () => {
    const kinds = { 'HTTPRoute.gateway.networking.k8s.io': { whenAbsent: 'wait' } } as const;
    const world = createWorld({ objects: [], controller: { kinds } });
    world.server.uninstall({ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' });
    const { controller, stop } = world.start();
    await world.settle(60_000);
    expect(controller.heldUpBy).toMatchObject([{ message: expect.stringContaining('CustomResourceDefinition') }]);
    await stop();
  });

  it('any more, is without objects, and marks on other objects go with them', async () => {
    const world = createWorld();
    const { controller, stop } = world.start();
    await world.settle();
    world.server.uninstall(TimeoutPolicy);
    await world.settle(60_000);
    expect(world.saidOn(at.gateway('edge'))).toEqual([]);
    expect([...controller.effective(TimeoutPolicy)]).toEqual([]);
    await stop();
  });
});

describe('when the API server goes away', () => {
  it('keeps everything that is known, and continues when the server is back', async () => {
    const world = createWorld();
    const { controller, stop } = world.start();
    await world.settle();
    world.server.stop();
    await world.settle(300_000);
    expect(controller.effective(TimeoutPolicy).of(at.route('cart'))[0]?.spec).toEqual({ request: '10s' });
    world.server.delete(at.policy('slow'));
    world.server.create(timeouts('fast', 'HTTPRoute cart', { request: '1s' }));
    world.server.start();
    await world.settle(60_000);
    expect(world.saidOn(at.policy('fast'))).toContain('Programmed=True/Programmed');
    expect(world.saidOn(at.gateway('edge'))).toEqual([]);
    await stop();
  });
});

describe('when a write is not allowed', () => {
  it('makes all other writes, and that one when it is', async () => {
    const world = createWorld();
    world.server.forbid('patch gateways/status');
    const { stop } = world.start();
    await world.settle(60_000);
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=True/Programmed');
    expect(world.writes.filter((it) => it.startsWith('gateways')).length).toBeLessThan(10);
    world.server.allow();
    await world.settle(90_000);
    expect(world.saidOn(at.gateway('edge'))).toEqual([affected]);
    await stop();
  });

  it('is logged once a minute for each kind, with the answer of the API server', async () => {
    const world = createWorld({ objects: [...shop, timeouts('more', 'Gateway edge', { idle: '1s' })] });
    world.server.forbid('patch timeoutpolicies/status');
    const { stop } = world.start();
    await world.settle(55_000);
    const warnings = () => world.logged.filter((it) => it.includes('statuses of a kind cannot be written'));
    expect(warnings()).toEqual([
      expect.stringMatching(/^warn: .*"kind":"TimeoutPolicy\.timeouts\.example\.com".*"code":403/),
    ]);
    expect(warnings()[0]).toContain('cannot patch resource \\"timeoutpolicies/status\\"');
    await world.settle(300_000);
    expect(warnings().length).toBeGreaterThanOrEqual(4);
    expect(warnings().length).toBeLessThanOrEqual(6);
    await stop();
  });
});

describe('when the API server is busy', () => {
  it('is not logged: writes wait for as long as it asks for', async () => {
    const world = createWorld();
    world.server.addFaults({ at: 'patch gateways', times: 3, do: { status: 429, retryAfter: 1 } });
    const { stop } = world.start();
    await world.settle(60_000);
    expect(world.saidOn(at.gateway('edge'))).toEqual([affected]);
    expect(world.logged.filter((it) => it.startsWith('warn'))).toEqual([]);
    await stop();
  });
});

describe('when the lease cannot be written', () => {
  it('does not act, and logs the reason once a minute', async () => {
    const world = createWorld({ controller: { lease } });
    world.server.forbid('create leases');
    const { stop } = world.start();
    await world.settle(290_000);
    expect(world.saidOn(at.policy('slow'))).toEqual([]);
    const warnings = world.logged.filter((it) => it.includes('the lease could not be renewed or taken'));
    expect(warnings.length).toBeGreaterThanOrEqual(4);
    expect(warnings.length).toBeLessThanOrEqual(5);
    await stop();
  });
});

describe('when another controller writes the same conditions again and again', () => {
  it('writes less and less often, and names the other one in an event', async () => {
    const world = createWorld();
    const { stop } = world.start();
    await world.settle();
    const patches = () => world.writes.filter((it) => it.endsWith(' slow')).length;
    const before = patches();
    for (let second = 0; second < 60; second += 1) {
      world.server.update(at.policy('slow'), (policy) => ({ ...policy, status: { ancestors: [] } }));
      await world.settle(1000);
    }
    expect(eventsIn(world)).toEqual(['Warning StatusConflict TimeoutPolicy slow']);
    expect(notesIn(world)).toEqual([expect.stringContaining('administrator changes the conditions')]);
    expect(patches() - before).toBeLessThan(10);
    await stop();
  });

  it('writes new content at once, however often the old content was overwritten', async () => {
    const world = createWorld();
    const { stop } = world.start();
    await world.settle();
    for (let second = 0; second < 20; second += 1) {
      world.server.update(at.policy('slow'), (policy) => ({ ...policy, status: { ancestors: [] } }));
      await world.settle(1000);
    }
    const before = world.writes.length;
    world.server.update(at.policy('slow'), (policy) => ({ ...policy, spec: { ...specOf(policy), request: '77s' } }));
    await world.settle(100);
    expect(world.writes.length).toBeGreaterThan(before);
    await stop();
  });

  it('is not a fight if the other one writes its own conditions', async () => {
    const world = createWorld();
    const { stop } = world.start();
    await world.settle();
    world.server.addFaults({ at: 'patch timeoutpolicies', times: 7, do: { status: 409, reason: 'Conflict' } });
    world.server.update(at.policy('slow'), (policy) => ({ ...policy, status: { ancestors: [] } }));
    await world.settle(60_000);
    expect(eventsIn(world)).toEqual([]);
    await stop();
  });
});

/** A road leads on to another one. A road that leads back cannot be used. */
const Road = defineTargetKind({
  group: 'roads.example.com',
  kind: 'Road',
  *references(road) {
    const { to } = specOf(road);
    const reference = { group: 'roads.example.com', kind: 'Road' };
    if (typeof to === 'string') yield { direction: 'down', to: { ...reference, name: to }, pointer: '/spec/to' };
  },
});
const road = (to: string) => ({
  apiVersion: 'roads.example.com/v1',
  kind: 'Road',
  metadata: { name: 'circle', namespace: 'shop' },
  spec: { to },
});

describe('an object that cannot be used', () => {
  it('does not affect the status of other objects, leads to an event, and counts again when it is corrected', async () => {
    const world = createWorld({
      kinds: [...gatewayApi(), Road, TimeoutPolicy],
      controller: { targetKinds: [...gatewayApi(), Road] },
    });
    const { controller, stop } = world.start();
    await world.settle();
    world.server.create(road('circle'));
    world.server.create(timeouts('fast', 'HTTPRoute cart', { overrides: { request: '1s' } }));
    await world.settle();
    expect(world.saidOn(at.policy('fast'))).toContain('Programmed=True/Programmed');
    expect(controller.quarantined).toMatchObject([{ locator: locatorOf(road('')) }]);
    expect(eventsIn(world)).toEqual(['Warning Quarantined Road circle']);
    world.server.update(locatorOf(road('')), () => road('elsewhere'));
    await world.settle();
    expect(controller.quarantined).toEqual([]);
    expect(controller.topology.get(locatorOf(road('')))).toBeDefined();
    await stop();
  });
});

describe('a leader', () => {
  const patches = ({ server }: World) => server.requests.filter(({ verb }) => verb === 'patch');

  it('that loses the lease in the middle of a write gives it up, and makes it when it leads again', async () => {
    const aborted: boolean[] = [];
    const onEffective = ({ signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', () => aborted.push(true));
    };
    const world = createWorld({ controller: { lease, onEffective } });
    const { controller, stop } = world.start();
    await world.settle();
    world.server.addFaults({ at: 'patch timeoutpolicies', do: { status: 500 } });
    world.server.addFaults({ at: 'patch timeoutpolicies', times: always, do: { delay: 20_000 } });
    world.server.create(timeouts('fast', 'HTTPRoute cart', { overrides: { request: '1s' } }));
    await world.settle(1000);
    const spec = { holderIdentity: 'a thief', leaseDurationSeconds: 15, leaseTransitions: 1 };
    world.server.update(leaseAt, (it) => ({ ...it, spec }));
    await world.settle(3000);
    expect(controller.isLeader).toBe(false);
    expect(aborted).not.toEqual([]);
    const before = patches(world).length;
    await world.settle(10_000);
    expect(patches(world)).toHaveLength(before);
    await world.settle(120_000);
    expect(controller.isLeader).toBe(true);
    expect(world.saidOn(at.policy('fast'))).toContain('Programmed=True/Programmed');
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=False/Overridden');
    await stop();
  });

  it('hands on all effective policies again when it leads again, because another one has acted meanwhile', async () => {
    const handedOn: (readonly unknown[])[] = [];
    const onEffective = ({ targets }: { targets: Iterable<unknown> }) => {
      handedOn.push([...targets]);
    };
    const world = createWorld({ controller: { lease, onEffective } });
    const { controller, stop } = world.start();
    await world.settle();
    const before = handedOn.flat().length;
    expect(before).toBeGreaterThan(0);
    const spec = { holderIdentity: 'another', leaseDurationSeconds: 15, leaseTransitions: 1 };
    world.server.update(leaseAt, (it) => ({ ...it, spec }));
    await world.settle(5000);
    expect([controller.isLeader, handedOn.flat().length]).toEqual([false, before]);
    await world.settle(60_000);
    expect([controller.isLeader, handedOn.flat().length]).toEqual([true, 2 * before]);
    await stop();
  });

  it('says that a target of its calls is gone that was deleted while another one led', async () => {
    const gone: string[] = [];
    const world = createWorld({ controller: { lease, onEffective: (change) => void gone.push(...change.gone) } });
    const { controller, stop } = world.start();
    await world.settle();
    const spec = { holderIdentity: 'another', leaseDurationSeconds: 15, leaseTransitions: 1 };
    world.server.update(leaseAt, (it) => ({ ...it, spec }));
    await world.settle(5000);
    world.server.delete(at.route('cart'));
    await world.settle(5000);
    expect([controller.isLeader, gone]).toEqual([false, []]);
    await world.settle(60_000);
    expect([controller.isLeader, gone]).toEqual([true, [at.route('cart')]]);
    await stop();
  });

  it('that stood still writes nothing before it holds the lease again', async () => {
    const writes = { perSecond: 0.5, burst: 1, parallel: 1 };
    const world = createWorld({ controller: { lease, writes } });
    let stall = 0;
    const clock: Clock = { ...world.clock, monotonic: () => world.clock.monotonic() + stall };
    const { controller, stop } = world.start({ clock });
    while (patches(world).length === 0) await world.settle(100);
    expect(patches(world)).toHaveLength(1); // The other write waits for its turn.
    stall = 20_000;
    expect(controller.isLeader).toBe(false);
    await world.settle(10_000);
    const requests = world.server.requests.map(({ verb, resource }) => `${verb} ${resource}`);
    const renewed = requests.indexOf('update leases', requests.indexOf('patch timeoutpolicies/status'));
    expect(renewed).toBeGreaterThan(0);
    expect(requests.indexOf('patch gateways/status')).toBeGreaterThan(renewed);
    expect(world.saidOn(at.gateway('edge'))).toEqual([affected]);
    await stop();
  });
});

describe('a stop', () => {
  it('waits for writes that cannot be made no longer than the drain, and releases the lease', async () => {
    const world = createWorld({ controller: { lease, drain: 3000 } });
    const { running, stop } = world.start();
    await world.settle();
    world.server.addFaults({ at: 'patch timeoutpolicies', times: always, do: { status: 503 } });
    world.server.create(timeouts('fast', 'HTTPRoute cart', { idle: '1s' }));
    await world.settle(500);
    await stop();
    await running;
    expect(world.logged.at(-1)).toMatch(/^info: stopped \{"left":[1-9]/);
    expect(world.server.get(leaseAt)?.spec).toMatchObject({ holderIdentity: '' });
  });

  const hanging: readonly (readonly [string, Partial<PolicyControllerOptions>, (world: World) => void])[] = [
    ['onEffective never returns', { onEffective: () => new Promise<void>(() => {}) }, () => {}],
    [
      'no write of any kind is answered',
      {
        owns: [{ group: '', kind: 'ConfigMap' }],
        finalizer: 'timeouts.example.com/cleanup',
        onEffective: ({ targets, apply }) => {
          for (const target of targets)
            apply(target, [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cart', namespace: 'shop' } }]);
        },
      },
      ({ server }) => {
        server.addFaults({ at: 'patch timeoutpolicies', times: always, do: 'halfOpen' });
        server.addFaults({ at: 'patch configmaps', times: always, do: 'halfOpen' });
      },
    ],
    [
      'no event is answered',
      {},
      ({ server }) => void server.addFaults({ at: 'create events', times: always, do: 'halfOpen' }),
    ],
  ];

  it.each(hanging)('ends at one deadline and releases the lease, though %s', async (_, options, hang) => {
    const world = createWorld({ controller: { lease, drain: 3000, ...options } });
    hang(world);
    const { controller, running, stop } = world.start();
    let endedAt = Number.POSITIVE_INFINITY;
    void running.then(() => {
      endedAt = world.clock.monotonic();
    });
    await world.settle();
    for (const name of ['cart', 'edge'])
      controller.record({
        regarding: route(name, 'edge'),
        type: 'Warning',
        reason: 'Seen',
        action: 'Look',
        note: name,
      });
    const stoppedAt = world.clock.monotonic();
    await stop();
    expect(endedAt - stoppedAt).toBeLessThanOrEqual(3000);
    expect(world.server.get(leaseAt)?.spec).toMatchObject({ holderIdentity: '' });
    expect(world.clock.timers).toBe(0); // The process would live as long as one is set.
  });

  it('calls onEffective no more, though rounds still plan failed writes again', async () => {
    const calls: string[] = [];
    const onEffective = ({ cause, signal }: EffectivePoliciesChange): Promise<void> => {
      calls.push(cause);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    };
    const world = createWorld({ controller: { drain: 3000, onEffective } });
    world.server.addFaults({ at: 'patch timeoutpolicies/status', times: always, do: { status: 409 } });
    world.server.addFaults({ at: 'patch gateways/status', times: always, do: { status: 503 } }); // Keeps the stop waiting.
    const { stop } = world.start();
    await world.settle(1500);
    const attempts = world.writes.filter((it) => it.startsWith('timeoutpolicies')).length;
    await stop();
    expect(world.writes.filter((it) => it.startsWith('timeoutpolicies')).length).toBeGreaterThan(attempts + 1);
    expect(calls).toEqual(['start']);
  });

  it('counts the writes of all kinds that it has not made', async () => {
    const [, [, options, hang] = []] = hanging;
    const world = createWorld({ controller: { lease, drain: 3000, ...options } });
    hang?.(world);
    const { stop } = world.start();
    await world.settle();
    await stop();
    expect(world.logged.at(-1)).toBe('info: stopped {"left":2}');
  });
});

describe('a log that throws', () => {
  it('stops nothing: statuses are written, and failures are recovered from', async () => {
    const world = createWorld();
    const full = () => {
      throw new Error('no space left on device');
    };
    const { stop } = world.start({ log: { debug: full, info: full, warn: full, error: full } });
    world.server.addFaults({ at: '*', times: 20, do: { status: 500 } });
    await world.settle(300_000);
    expect(world.saidOn(at.policy('slow'))).toContain('Accepted=True/Accepted');
    await stop();
  });
});

describe('a controller that starts after another one', () => {
  it('writes nothing where statuses are accurate', async () => {
    const world = createWorld({ objects: [...shop, gateway('inner'), route('menu', 'inner')] });
    const first = world.start();
    await world.settle();
    await first.stop();
    const written = world.writes.length;
    const second = world.start();
    await world.settle(60_000);
    expect(world.writes).toHaveLength(written);
    await second.stop();
  });
});

describe('a controller that takes the place of a newer version', () => {
  it.each(['json-patch', 'apply'] as const)(
    'writes its entries as a whole, and leaves entries of others: %s',
    async (form) => {
      const audited = { type: 'Audited', status: 'True', reason: 'Audited', message: 'By a newer version.' } as const;
      const newer = { form, conditionTypes: ['Audited'], conditions: () => [audited] };
      const world = createWorld();
      const first = world.start({ status: newer });
      await world.settle();
      expect(world.saidOn(at.policy('slow'))).toContain('Audited=True/Audited');
      const lastTransitionTime = '2026-01-01T00:00:00Z';
      const theirs = {
        ancestorRef: { name: 'edge' },
        gatewaysOf: 'other.example.com/controller',
        conditions: [{ ...audited, lastTransitionTime }],
      };
      world.server.update(at.policy('slow'), (policy) => {
        const { ancestors } = policy.status as { readonly ancestors: readonly object[] };
        return { ...policy, status: { ancestors: [...ancestors, theirs] } };
      });
      await first.stop();
      const second = world.start({ status: { form } });
      await world.settle();
      const conditions = ['Accepted', 'Programmed'].map((type) => expect.objectContaining({ type }));
      expect(world.server.get(at.policy('slow'))?.status).toEqual({
        ancestors: [expect.objectContaining({ conditions }), theirs],
      });
      await second.stop();
    },
  );
});

describe('every ten minutes', () => {
  it('plans all statuses again, and calls for no target that is as it was', async () => {
    let isReady: 'True' | 'False' = 'False';
    const called: string[] = [];
    const type = 'timeouts.example.com/Ready';
    const status = {
      conditionTypes: [type],
      conditions: () => [{ type, status: isReady, reason: 'Told', message: 'By something that no watch shows.' }],
    };
    const onEffective = ({ targets }: { readonly targets: readonly string[] }) => void called.push(...targets);
    const world = createWorld({ controller: { status, onEffective } });
    const { stop } = world.start();
    await world.settle();
    expect(world.saidOn(at.policy('slow'))).toContain(`${type}=False/Told`);
    isReady = 'True';
    await world.settle(12 * 60_000);
    expect(world.saidOn(at.policy('slow'))).toContain(`${type}=True/Told`);
    expect(called).toEqual([at.route('cart')]);
    await stop();
  });
});

describe('a policy kind with a schema that does not suit its strategies', () => {
  it('is logged when the controller is created', () => {
    const spec = z.object({ request: z.string() });
    const Strict = definePolicyKind({ ...gep713(), ...names, targets: [HTTPRoute], spec });
    const world = createWorld({ controller: { policyKinds: [Strict] } });
    world.start();
    expect(world.logged.filter((it) => it.startsWith('warn'))).toEqual([
      'warn: each policy must set /request, so no policy inherits it; make it optional in the schema {"kind":"StrictPolicy.timeouts.example.com"}',
    ]);
  });
});
