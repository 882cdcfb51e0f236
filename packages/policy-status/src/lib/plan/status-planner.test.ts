import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it, vi } from 'vitest';
import { cluster, gateway, resourceIn, route, TimeoutPolicy, timeoutKind, timeouts } from '../cluster.fixture.ts';
import type { StatusWrite } from '../status/status-write.ts';
import { planStatus } from './plan-status.ts';
import type { StatusPlan } from './status-plan.ts';
import { createStatusPlanner } from './status-planner.ts';

const controllerName = 'example.com/gateways';
const time = new Date('2026-01-02T03:04:05Z');
const options = { controllerName, affected: 'all', now: () => time } as const;
const namesIn = ({ writes }: StatusPlan) => writes.map(({ ref }) => ref.name);

/** Three objects that all get a status: a Gateway, a route below it and a policy. */
function shop() {
  const policy = timeouts('p', ['Gateway edge'], { request: 1 });
  const world = cluster(TimeoutPolicy, gateway('edge'), route('cart', ['edge']), policy);
  return { ...world, policy, planner: createStatusPlanner(world.effective, options) };
}

const edge = locatorOf(gateway('edge'));
const cart = locatorOf(route('cart', []));

/** An object of another version. */
function versioned(object: KubernetesObject, resourceVersion: string, uid?: string): KubernetesObject {
  const metadata = { ...object.metadata, resourceVersion, ...(uid === undefined ? {} : { uid }) };
  return { ...object, metadata };
}

/** The write to an object of that name. */
function writeOn({ writes }: StatusPlan, name: string): StatusWrite {
  const write = writes.find(({ ref }) => ref.name === name);
  if (write === undefined) throw new Error(`no write on ${name}`);
  return write;
}

describe('createStatusPlanner', () => {
  it('plans everything at first, as planStatus does', () => {
    const { effective, planner } = shop();
    const { writes, ...rest } = planStatus(effective, { ...options, now: time });
    expect(planner.plan()).toEqual({ ...rest, writes: writes.map((write) => ({ ...write, urgency: 'first-plan' })) });
  });

  it('plans later changes, and nothing once these are written', () => {
    const { topology, planner } = shop();
    const carryOut = (plan: StatusPlan) => {
      for (const write of plan.writes) planner.done(write);
      topology.apply({ upsert: plan.writes.map(({ result }) => result) });
    };
    carryOut(planner.plan());
    expect(namesIn(planner.plan())).toEqual([]);
    topology.apply({ upsert: [timeouts('q', ['HTTPRoute cart'], { overrides: { idle: 1 } })] });
    const next = planner.plan();
    expect(namesIn(next)).toEqual(['q', 'cart']);
    carryOut(next);
    expect(namesIn(planner.plan())).toEqual([]);
  });

  it('plans a write again that is not acknowledged', () => {
    const { planner } = shop();
    const names = namesIn(planner.plan());
    expect(names).toHaveLength(3);
    expect(namesIn(planner.plan())).toEqual(names);
  });

  it('plans a failed write again, for the newest version of the object', () => {
    const { topology, planner } = shop();
    const plan = planner.plan();
    for (const write of plan.writes) write.ref.name === 'edge' ? planner.failed(write) : planner.done(write);
    topology.apply({ upsert: [versioned(gateway('edge'), '5')] });
    const again = planner.plan();
    expect(namesIn(again)).toEqual(['edge']);
    expect(again.writes[0]?.patch[0]).toEqual({ op: 'replace', path: '/metadata/resourceVersion', value: '5' });
  });

  it('plans nothing for an object that was deleted meanwhile', () => {
    const { topology, planner } = shop();
    planner.failed(writeOn(planner.plan(), 'cart'));
    topology.apply({ remove: [cart] });
    expect(namesIn(planner.plan())).not.toContain('cart');
  });

  it('reads changes that others have taken', () => {
    const { topology, effective, planner } = shop();
    const { writes } = planner.plan();
    topology.apply({ upsert: writes.map(({ result }) => result) });
    topology.apply({ upsert: [gateway('edge')] });
    effective.takeChanges();
    expect(namesIn(planner.plan())).toEqual(['edge']);
  });

  it('covers only changes and unfinished writes', () => {
    const routes = Array.from({ length: 100 }, (_, index) => route(`r${index}`, ['edge']));
    const policies = [timeouts('p', ['Gateway edge'], { request: 1 })];
    const { topology, effective } = cluster(TimeoutPolicy, gateway('edge'), ...routes, ...policies);
    const planner = createStatusPlanner(effective, options);
    const { writes } = planner.plan();
    topology.apply({ upsert: writes.filter(({ ref }) => ref.name !== 'r7').map(({ result }) => result) });
    expect(namesIn(planner.plan())).toEqual(['r7']);
    const lookedAt = vi.spyOn(effective, 'affecting');
    topology.apply({ upsert: [route('r9', ['edge'])] });
    expect(namesIn(planner.plan())).toEqual(['r7', 'r9']);
    const objects = new Set(lookedAt.mock.calls.map(([{ object }]) => object.ref.name));
    expect([...objects].sort()).toEqual(['r7', 'r9']);
  });

  it('plans several kinds of policies together', () => {
    const Other = timeoutKind('RetryPolicy');
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy, Other] });
    const retries = timeouts('retry', ['Gateway edge'], { request: 1 }, { kind: 'RetryPolicy' });
    topology.apply({
      upsert: [gateway('edge'), route('cart', ['edge']), timeouts('p', ['Gateway edge'], { request: 1 })],
    });
    const planner = createStatusPlanner(
      [TimeoutPolicy, Other].map((kind) => effectivePolicies(topology, kind)),
      options,
    );
    const { writes } = planner.plan();
    for (const write of writes) planner.done(write);
    topology.apply({ upsert: [...writes.map(({ result }) => result), retries] });
    const next = planner.plan();
    expect(namesIn(next)).toEqual(['retry', 'edge', 'cart']);
    expect(JSON.stringify(writeOn(next, 'edge').apply)).toContain('TimeoutPolicyAffected');
  });

  it('covers objects again that could not be planned because of an error', () => {
    const { topology, effective } = cluster(TimeoutPolicy, gateway('edge'), route('cart', ['edge']));
    let present = time;
    const planner = createStatusPlanner(effective, { ...options, now: () => present });
    expect(namesIn(planner.plan())).toEqual([]);
    topology.apply({ upsert: [timeouts('p', ['Gateway edge'], { request: 1 })] });
    present = new Date(Number.NaN);
    expect(() => planner.plan()).toThrow();
    present = time;
    expect(namesIn(planner.plan())).toEqual(['p', 'edge', 'cart']);
  });

  it('refuses a write of another planner', () => {
    const [one, other] = [shop(), shop()];
    const [write] = one.planner.plan().writes;
    for (const method of ['started', 'done', 'failed'] as const) {
      expect(() => write && other.planner[method](write)).toThrow(expect.objectContaining({ code: 'unknown-write' }));
    }
  });
});

describe('a planner after the API server has taken its write', () => {
  /** The Gateway is written as version 9, and the watch has not delivered it yet. */
  function written() {
    const world = shop();
    const plan = world.planner.plan();
    for (const write of plan.writes) {
      if (write.ref.name !== 'edge') {
        world.planner.done(write);
        world.topology.apply({ upsert: [write.result] });
      }
    }
    const write = writeOn(plan, 'edge');
    return { ...world, write, result: versioned(write.result, '9') };
  }

  it('does not plan it again until the topology shows it', () => {
    const { topology, planner, write, result } = written();
    planner.done(write, result);
    expect(namesIn(planner.plan())).toEqual([]);
    topology.apply({ upsert: [result] });
    expect(namesIn(planner.plan())).toEqual([]);
  });

  it('does not plan the write again when the same version of the object arrives once more', () => {
    const { topology, planner, write } = written();
    planner.done(write);
    topology.apply({ upsert: [gateway('edge')] });
    expect(namesIn(planner.plan())).toEqual([]);
  });

  it('does not plan it again for an older version than it has made', () => {
    const { topology, planner, write, result } = written();
    planner.done(write, versioned(result, '10'));
    topology.apply({ upsert: [versioned(gateway('edge'), '9')] });
    expect(namesIn(planner.plan())).toEqual([]);
  });

  it('plans it again for a newer version that lacks it', () => {
    const { topology, planner, write, result } = written();
    planner.done(write, result);
    topology.apply({ upsert: [versioned(gateway('edge'), '10')] });
    expect(namesIn(planner.plan())).toEqual(['edge']);
  });

  it('plans it again for any other version, if it is not known which one the write has made', () => {
    const { topology, planner, write } = written();
    planner.done(write);
    topology.apply({ upsert: [versioned(gateway('edge'), '2')] });
    expect(namesIn(planner.plan())).toEqual(['edge']);
  });

  it.each([
    ['', '10'],
    ['a', '10'],
    ['9', 'a-later'],
    ['a', 'b'],
  ])('plans it again for version "%s" after "%s": only numbers tell which one is newer', (shown, made) => {
    const { topology, planner, write, result } = written();
    planner.done(write, versioned(result, made));
    topology.apply({ upsert: [versioned(gateway('edge'), shown)] });
    expect(namesIn(planner.plan())).toEqual(['edge']);
  });

  it('plans it again for another object of the same name', () => {
    const { topology, planner, write, result } = written();
    planner.done(write, result);
    topology.apply({ upsert: [versioned(gateway('edge'), '3', 'another')] });
    expect(namesIn(planner.plan())).toEqual(['edge']);
  });

  it('plans another write if the status must change meanwhile', () => {
    const { topology, planner, write, result } = written();
    planner.done(write, result);
    topology.apply({ upsert: [timeouts('q', ['Gateway edge'], { overrides: { idle: 1 } })] });
    expect(namesIn(planner.plan())).toContain('edge');
  });

  it('reverts a write that no longer holds before the topology shows it', () => {
    const { topology, policy, planner, write, result } = written();
    planner.done(write, result);
    topology.apply({ remove: [policy] });
    planner.plan();
    topology.apply({ upsert: [result] });
    const plan = planner.plan();
    expect(JSON.stringify(writeOn(plan, 'edge').result.status)).not.toContain('TimeoutPolicyAffected');
  });
});

describe('a planner of a policy with ancestors that do not fit (S-10)', () => {
  it('takes the condition off one of them as soon as there is room, and off no other', () => {
    const gateways = Array.from({ length: 18 }, (_, index) => gateway(`g${index + 10}`));
    const wide = route(
      'cart',
      gateways.map(({ metadata }) => metadata.name),
    );
    const policy = timeouts('p', ['HTTPRoute cart'], { request: 1 });
    const { topology, effective } = cluster(TimeoutPolicy, ...gateways, wide, policy);
    const planner = createStatusPlanner(effective, { ...options, affected: 'off' });
    /** Carries out the next plan, and returns how many conditions each written Gateway then has. */
    const written = () => {
      const { writes } = planner.plan();
      for (const write of writes) planner.done(write);
      topology.apply({ upsert: writes.map(({ result }) => result) });
      return writes
        .filter(({ ref }) => ref.kind === 'Gateway')
        .map(({ ref, result }) => [ref.name, (result.status as { conditions: unknown[] }).conditions.length]);
    };
    expect(written()).toEqual([
      ['g26', 1],
      ['g27', 1],
    ]);
    topology.apply({ remove: [locatorOf(gateway('g10'))] });
    expect(written()).toEqual([['g26', 0]]);
    topology.apply({ remove: [locatorOf(gateway('g11'))] });
    expect(written()).toEqual([['g27', 0]]);
    topology.apply({ remove: [locatorOf(gateway('g12'))] });
    expect(written()).toEqual([]);
  });
});

describe('a planner of a policy with a status that other controllers fill', () => {
  it('takes the condition off an ancestor when they make room for it', () => {
    const policy = timeouts('p', ['HTTPRoute cart'], { request: 1 });
    const gateways = [gateway('first'), gateway('second')];
    const { topology, effective } = cluster(TimeoutPolicy, ...gateways, route('cart', ['first', 'second']), policy);
    const foreign = Array.from({ length: 15 }, (_, index) => ({
      ancestorRef: { kind: 'Gateway', name: `theirs-${index}` },
      controllerName: 'example.com/others',
      conditions: [],
    }));
    topology.apply({ upsert: [{ ...policy, status: { ancestors: foreign } }] });
    const planner = createStatusPlanner(effective, { ...options, affected: 'off' });
    const first = planner.plan();
    for (const write of first.writes) planner.done(write);
    topology.apply({ upsert: first.writes.map(({ result }) => result) });
    expect(JSON.stringify(writeOn(first, 'second').result.status)).toContain('AncestorLimitReached');
    expect(namesIn(planner.plan())).toEqual([]);

    const { result } = writeOn(first, 'p');
    const { ancestors } = result.status as { readonly ancestors: readonly unknown[] };
    topology.apply({ upsert: [{ ...result, status: { ancestors: ancestors.slice(1) } }] });
    const next = planner.plan();
    expect(namesIn(next).sort()).toEqual(['p', 'second']);
    expect(writeOn(next, 'second').result.status).toEqual({ conditions: [] });
  });
});

describe('a planner with a started write', () => {
  it('plans nothing for its object until the write is done or has failed', () => {
    const { topology, planner } = shop();
    const write = writeOn(planner.plan(), 'edge');
    planner.started(write);
    topology.apply({ upsert: [timeouts('q', ['Gateway edge'], { overrides: { idle: 1 } })] });
    expect(namesIn(planner.plan())).not.toContain('edge');
    planner.failed(write);
    expect(namesIn(planner.plan())).toContain('edge');
  });

  it('plans later changes when the write is done', () => {
    const { topology, planner } = shop();
    const write = writeOn(planner.plan(), 'edge');
    planner.started(write);
    topology.apply({ upsert: [timeouts('q', ['Gateway edge'], { overrides: { idle: 1 } })] });
    expect(namesIn(planner.plan())).not.toContain('edge');
    const result = versioned(write.result, '9');
    planner.done(write, result);
    topology.apply({ upsert: [result] });
    const next = writeOn(planner.plan(), 'edge');
    expect(JSON.stringify(next.result.status)).toContain('shop/p, shop/q');
    expect(resourceIn(topology, edge)).toBe(result);
  });
});
