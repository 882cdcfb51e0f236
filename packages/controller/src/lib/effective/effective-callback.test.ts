import { gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { EffectivePoliciesChange, PolicyControllerOptions } from '../controller-options.ts';
import { at, createWorld, gateway, route, TimeoutPolicy, timeouts } from '../world.fixture.ts';

type Call = Pick<EffectivePoliciesChange, 'cause' | 'isComplete' | 'targets' | 'gone'>;

function start(options: Partial<PolicyControllerOptions> & { readonly objects?: readonly KubernetesObject[] } = {}) {
  const { objects = [gateway('edge'), route('cart', 'edge'), route('menu', 'edge'), slow], ...controller } = options;
  const calls: Call[] = [];
  const world = createWorld({
    objects,
    controller: {
      ...controller,
      onEffective(change) {
        const { cause, isComplete, targets, gone } = change;
        calls.push({ cause, isComplete, targets, gone });
        return controller.onEffective?.(change);
      },
    },
  });
  return { world, calls, ...world.start() };
}

const slow = timeouts('slow', 'Gateway edge', { request: '10s' });
const fast = timeouts('fast', 'HTTPRoute cart', { idle: '1s' });
const [cart, menu] = [at.route('cart'), at.route('menu')];

describe('a target that the data plane refuses', () => {
  const refusing = (bad: ReadonlySet<string>, howMany = { calls: 0 }) =>
    ({
      async onEffective({ targets }) {
        howMany.calls += 1;
        return targets.filter((it) => bad.has(it)).map((target) => ({ target, message: 'No listener has this port.' }));
      },
    }) satisfies Partial<PolicyControllerOptions>;

  it('is called for again alone, later and later, while others go on', async () => {
    const { world, calls, stop } = start(refusing(new Set([menu])));
    await world.settle(3_600_000);
    expect(calls[0]).toEqual({ cause: 'start', isComplete: true, targets: [cart, menu], gone: [] });
    expect(calls.slice(1).every(({ cause, targets }) => cause === 'retry' && targets.join() === menu)).toBe(true);
    expect(calls.length).toBeLessThan(25);
    world.server.create(fast);
    await world.settle(200);
    expect(calls.at(-1)).toEqual({ cause: 'change', isComplete: false, targets: [cart], gone: [] });
    await stop();
  });

  it('is not called for earlier when its policies change in nothing that it is told', async () => {
    const { world, calls, stop } = start(refusing(new Set([menu])));
    await world.settle(3_600_000);
    const before = calls.length;
    const labels = { team: 'shop' };
    world.server.update(at.policy('slow'), (it) => ({ ...it, metadata: { ...it.metadata, labels } }));
    await world.settle();
    expect(calls).toHaveLength(before);
    await stop();
  });

  it('is in the status of its policies, which never say before that they are in force, until the data plane takes it', async () => {
    const bad = new Set([menu]);
    const { world, stop } = start(refusing(bad));
    await world.settle();
    expect(world.saidOn(at.policy('slow'))).toEqual(['Accepted=True/Accepted', 'Programmed=False/Reconciling']);
    expect(JSON.stringify(world.server.get(at.policy('slow'))?.status)).toContain(
      'The data plane has not taken it. HTTPRoute shop/menu: No listener has this port.',
    );
    expect(world.writes.filter((it) => it.includes('slow'))).toHaveLength(1);
    world.server.create(fast);
    await world.settle();
    expect(world.saidOn(at.policy('fast'))).toContain('Programmed=True/Programmed');
    bad.clear();
    await world.settle(1_000_000);
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=True/PartiallyProgrammed');
    await stop();
  });

  it('is in the entry of the Gateway that it is below, and in no other', async () => {
    const objects = [
      ...['one', 'two'].flatMap((name) => [gateway(name), route(`of-${name}`, name)]),
      {
        ...slow,
        spec: {
          targetRefs: ['one', 'two'].map((name) => ({ group: 'gateway.networking.k8s.io', kind: 'Gateway', name })),
          request: '1s',
        },
      },
    ];
    const { world, stop } = start({ objects, ...refusing(new Set([at.route('of-one')])) });
    await world.settle();
    type Entry = { ancestorRef: { name: string }; conditions: { type: string; status: string }[] };
    const status = world.server.get(at.policy('slow'))?.status as { ancestors: Entry[] } | undefined;
    const programmed = status?.ancestors.map(({ ancestorRef: { name }, conditions }) => [
      name,
      conditions.find(({ type }) => type === 'Programmed')?.status,
    ]);
    expect(programmed).toEqual([
      ['one', 'False'],
      ['two', 'True'],
    ]);
    await stop();
  });

  it('is called for again at once for the policies of other kinds when it is taken for policies of one', async () => {
    const QuotaPolicy = definePolicyKind({
      group: 'timeouts.example.com',
      version: 'v1',
      kind: 'QuotaPolicy',
      targets: [HTTPRoute],
      spec: z.object({ perSecond: z.string() }).partial(),
    });
    const quota = { ...timeouts('quota', 'HTTPRoute menu', { perSecond: '5' }), kind: 'QuotaPolicy' };
    const world = createWorld({
      kinds: [...gatewayApi(), TimeoutPolicy, QuotaPolicy],
      objects: [gateway('edge'), route('menu', 'edge'), slow, quota],
      controller: {
        policyKinds: [TimeoutPolicy, QuotaPolicy],
        onEffective: ({ targets, effective }) =>
          targets
            .filter((it) => effective(TimeoutPolicy).of(it)[0]?.spec.request === '10s')
            .map((target) => ({ target, message: 'A request may take 5 s.' })),
      },
    });
    const { stop } = world.start();
    const quotaAt = 'quotapolicy.timeouts.example.com:shop/quota';
    await world.settle(3_600_000);
    expect(world.saidOn(quotaAt)).toContain('Programmed=False/Reconciling');
    const shorter = timeouts('slow', 'Gateway edge', { request: '1s' });
    world.server.update(at.policy('slow'), (it) => ({ ...it, ...shorter, metadata: it.metadata }));
    await world.settle();
    expect(world.saidOn(quotaAt)).toContain('Programmed=True/Programmed');
    await stop();
  });

  it('holds up no other: with 100 of 10,000 that always fail, the others settle in the same call and at the same time', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `r${index}`);
    const objects = [gateway('edge'), slow, ...names.map((name) => route(name, 'edge'))];
    const all = names.map(at.route);
    const bad = new Set(all.filter((_, index) => index % 100 === 0));

    /** Returns the times of the calls for targets that do not fail: at the start, and after an edit that concerns all. */
    const settled = async (failing: ReadonlySet<string>) => {
      const heard: number[] = [];
      const retried = new Set<string>();
      const { onEffective } = refusing(failing);
      const { world, stop } = start({
        objects,
        onEffective(change) {
          if (change.targets.some((it) => !bad.has(it))) heard.push(world.clock.monotonic());
          if (change.cause === 'retry') for (const target of change.targets) retried.add(target);
          return onEffective(change);
        },
      });
      await world.settle(2000);
      const atStart = heard.splice(0);
      const edited = timeouts('slow', 'Gateway edge', { request: '20s' });
      world.server.update(at.policy('slow'), (it) => ({ ...it, ...edited, metadata: it.metadata }));
      await world.settle(2000);
      await stop();
      return { atStart, afterEdit: heard, retried };
    };

    const without = await settled(new Set());
    const withFailing = await settled(bad);
    expect([without.atStart, without.afterEdit].map((calls) => calls.length)).toEqual([1, 1]);
    expect(withFailing.atStart).toEqual(without.atStart);
    expect(withFailing.afterEdit).toEqual(without.afterEdit);
    expect(withFailing.retried).toEqual(bad);
  });
});

describe('a call that throws', () => {
  it('is made again in halves, until the targets that fail are alone', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const objects = [gateway('edge'), slow, ...names.map((name) => route(name, 'edge'))];
    const { world, calls, stop } = start({
      objects,
      onEffective({ targets }) {
        if (targets.includes(at.route('c'))) throw new Error('no certificate');
      },
    });
    await world.settle(60_000);
    const called = calls.map(({ targets }) => targets.map((it) => it.at(-1)).join(''));
    expect(called.slice(0, 5)).toEqual(['abcd', 'ab', 'cd', 'c', 'd']);
    expect(new Set(called.slice(5))).toEqual(new Set(['c', 'abcd'])); // Some time it must hear about all.
    expect(called.length).toBeLessThan(40);
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=False/Reconciling');
    await stop();
  });

  it('for all targets is in the status of their policies, which never say that they are in force', async () => {
    const objects = [gateway('edge'), slow, ...['a', 'b', 'c', 'd'].map((name) => route(name, 'edge'))];
    const { world, stop } = start({
      objects,
      async onEffective() {
        await new Promise<void>((resolve) => world.clock.setTimeout(resolve, 900));
        throw new Error('the data plane is away');
      },
    });
    await world.settle(2000); // One call has failed, of seven until each target is alone.
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=False/Reconciling');
    await world.settle(60_000);
    const sent = world.server.requests.filter(({ verb }) => verb === 'patch').map(({ body }) => JSON.stringify(body));
    expect(sent.filter((it) => it.includes('"Programmed","status":"True"'))).toEqual([]);
    await stop();
  });

  it('or is never answered is in the status of its policies, and in the log, after half a minute', async () => {
    const { world, stop } = start({
      onEffective: ({ signal }) =>
        new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    await world.settle(60_000);
    expect(world.logged).toContainEqual(expect.stringContaining('onEffective has not returned yet'));
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=False/Reconciling');
    world.server.create(fast); // It waits for the call that hangs.
    await world.settle(60_000);
    expect(world.saidOn(at.policy('fast'))).toContain('Programmed=False/Reconciling');
    await stop();
  });

  it('does not keep a healthy change waiting', async () => {
    const { world, calls, stop } = start({
      onEffective({ targets }) {
        if (targets.includes(menu)) throw new Error('no certificate');
      },
    });
    await world.settle(600_000);
    world.server.create(fast);
    await world.settle(200);
    expect(calls).toContainEqual({ cause: 'change', isComplete: false, targets: [cart], gone: [] });
    await stop();
  });

  it('does not keep a change of another target waiting while it is made again in halves', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `r${index}`);
    const objects = [gateway('edge'), slow, ...['cart', ...names].map((name) => route(name, 'edge'))];
    const { world, calls, stop } = start({
      objects,
      async onEffective({ targets }) {
        await new Promise<void>((resolve) => world.clock.setTimeout(resolve, 100));
        if (targets.some((it) => it !== cart)) throw new Error('no certificate');
      },
    });
    const isCart = ({ targets }: Call) => targets.join() === cart;
    while (!calls.some(isCart)) await world.settle(100);
    const before = calls.length;
    world.server.create(fast);
    await world.settle(5000); // A round waits a second for the data plane, and the next one as long again.
    const since = calls.slice(before);
    expect(since.some(isCart)).toBe(true);
    expect(since.slice(since.findIndex(isCart) + 1).every(isCart)).toBe(false);
    await stop();
  });

  it('is made once more for a target that changes while it is called for again', async () => {
    const gate: { open?: () => void } = {};
    const { world, calls, stop } = start({
      async onEffective({ targets, cause }) {
        if (cause === 'change' || !targets.includes(menu)) return [];
        if (calls.length === 4) await new Promise<void>((resolve) => Object.assign(gate, { open: resolve }));
        return calls.length < 4 ? [{ target: menu, message: 'No listener has this port.', retryIn: 60_000 }] : [];
      },
    });
    await world.settle();
    // It fails once more without a policy, so that no status depends on it: its success starts no round.
    world.server.delete(at.policy('slow'));
    await world.settle(120_000);
    world.server.create(timeouts('late', 'HTTPRoute menu', { idle: '2s' }));
    await world.settle();
    gate.open?.();
    await world.settle();
    expect(calls.at(-1)).toEqual({ cause: 'change', isComplete: false, targets: [menu], gone: [] });
    await stop();
  });

  it('that hangs for a target which has failed keeps no other waiting', async () => {
    let hangs = false;
    const { world, calls, stop } = start({
      onEffective({ targets, cause, signal }) {
        if (!targets.includes(menu)) return undefined;
        hangs = cause === 'retry';
        if (!hangs) return [{ target: menu, message: 'slow' }];
        return new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    await world.settle();
    expect(hangs).toBe(true);
    world.server.create(fast);
    await world.settle(200);
    expect(calls.at(-1)).toMatchObject({ cause: 'change', targets: [cart] });
    expect(world.saidOn(at.policy('fast'))).toContain('Programmed=True/Programmed');
    await stop();
  });
});

describe('a call that is complete', () => {
  it('has all targets, also while one of these is called for apart', async () => {
    const { world, calls, stop } = start({
      onEffective({ targets, cause, signal }) {
        if (!targets.includes(menu)) return undefined;
        if (cause !== 'retry') throw new Error('no certificate');
        return new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    await world.settle(60_000);
    const complete = calls.filter(({ isComplete }) => isComplete);
    expect(complete.map(({ targets }) => targets)).toEqual([[cart, menu]]);
    expect(calls).toContainEqual({ cause: 'start', isComplete: false, targets: [cart], gone: [] });
    await stop();
  });
});

describe('news', () => {
  const edited =
    (metadata: object, spec: object = {}) =>
    (it: KubernetesObject) => ({
      ...it,
      metadata: { ...it.metadata, ...metadata },
      spec: { ...(it.spec as object), ...spec },
    });

  it('are differences of effective policies, and not labels or statuses', async () => {
    const { world, calls, stop } = start();
    await world.settle();
    const labels = { labels: { team: 'shop' } };
    for (const locator of [at.policy('slow'), at.gateway('edge'), at.route('cart')]) {
      world.server.update(locator, edited(labels));
      await world.settle();
    }
    expect(calls).toHaveLength(1);
    world.server.update(at.policy('slow'), edited({}, { request: '20s' }));
    await world.settle();
    expect(calls.at(-1)).toEqual({ cause: 'change', isComplete: false, targets: [cart, menu], gone: [] });
    world.server.delete(at.policy('slow'));
    await world.settle();
    expect(calls.at(-1)).toEqual({ cause: 'change', isComplete: false, targets: [cart, menu], gone: [cart, menu] });
    expect(calls).toHaveLength(3);
    await stop();
  });

  it('are who sets a field, even with the same value', async () => {
    const { world, calls, stop } = start();
    await world.settle();
    world.server.create(timeouts('same', 'HTTPRoute cart', { request: '10s' }));
    await world.settle();
    expect(calls.at(-1)).toMatchObject({ targets: [cart] });
    await stop();
  });

  it('are the specs of objects that lead to a target', async () => {
    const { world, calls, stop } = start();
    await world.settle();
    world.server.update(at.route('cart'), edited({}, { hostnames: ['shop.example.com'] }));
    await world.settle();
    expect(calls.at(-1)).toMatchObject({ cause: 'change', targets: [cart] });
    const listeners = [{ name: 'http', port: 8080, protocol: 'HTTP' }];
    world.server.update(at.gateway('edge'), edited({}, { listeners }));
    await world.settle();
    expect(calls.at(-1)).toMatchObject({ cause: 'change', targets: [cart, menu] });
    expect(calls).toHaveLength(3);
    await stop();
  });

  it('are the content that the controller names in place of the spec', async () => {
    const { world, calls, stop } = start({ contentOf: ({ metadata }) => metadata.annotations?.['example.com/zone'] });
    await world.settle();
    world.server.update(at.route('cart'), edited({}, { hostnames: ['shop.example.com'] }));
    await world.settle();
    expect(calls).toHaveLength(1);
    world.server.update(at.route('cart'), edited({ annotations: { 'example.com/zone': 'east' } }));
    await world.settle();
    expect(calls.at(-1)).toMatchObject({ targets: [cart] });
    await stop();
  });
});

describe('contentOf', () => {
  it('that throws has its object count as changed, and no change is lost', async () => {
    const { world, controller, calls, stop } = start({
      contentOf: ({ metadata, spec }) => {
        if (metadata.name === 'cart') throw new TypeError('no zone');
        return spec;
      },
    });
    await world.settle();
    world.server.update(at.route('cart'), (it) => ({
      ...it,
      spec: { ...(it.spec as object), hostnames: ['a.example'] },
    }));
    world.server.create(fast);
    await world.settle();
    expect(calls.at(-1)).toMatchObject({ cause: 'change', targets: [cart] });
    expect(controller.topology.get(cart)?.resource.spec).toMatchObject({ hostnames: ['a.example'] });
    expect(world.saidOn(at.policy('fast'))).toContain('Programmed=True/Programmed');
    expect(world.logged).toContainEqual(expect.stringContaining('contentOf threw an error'));
    await stop();
  });
});

describe('a call that returns something else', () => {
  it.each([
    ['a text', () => 'done'],
    ['no message', () => [{ target: menu }]],
    ['a time that never comes', () => [{ target: menu, message: 'No listener has this port.', retryIn: Number.NaN }]],
  ])('counts as failed, with a message about valid results: %s', async (_what, wrong) => {
    const onEffective = wrong as unknown as NonNullable<PolicyControllerOptions['onEffective']>;
    const { world, stop } = start({ onEffective });
    await world.settle();
    expect(world.logged).toContainEqual(
      expect.stringContaining('onEffective must return nothing, or a list of failures'),
    );
    await stop();
  });
});
