import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { at, createWorld } from './world.fixture.ts';

const mapOf = (target: string): KubernetesObject & { readonly data: object } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'cart', namespace: 'shop' },
  data: { target },
});

describe('a dry run', () => {
  it('plans, calls and logs writes, and sends nothing but reads', async () => {
    const calls: string[] = [];
    const world = createWorld({
      controller: {
        dryRun: true,
        lease: { namespace: 'shop' },
        owns: [{ group: '', kind: 'ConfigMap' }],
        onEffective({ targets, apply }) {
          calls.push(...targets);
          for (const target of targets) apply(target, [mapOf(target)]);
        },
      },
    });
    const { controller, stop } = world.start();
    await world.settle();
    controller.record({ regarding: mapOf(''), type: 'Normal', reason: 'Tried', action: 'Try', note: 'nothing' });
    await stop();
    expect(calls).toEqual([at.route('cart')]);
    const reads: readonly (string | undefined)[] = [undefined, 'get', 'list', 'watch']; // Without a verb: discovery.
    expect(world.server.requests.filter(({ verb }) => !reads.includes(verb))).toEqual([]);
    const told = world.logged.filter((line) => line.includes('dry run'));
    const objects = told.map((line) => JSON.parse(line.slice(line.indexOf('{'))).object);
    expect([...new Set(objects)].sort()).toEqual(['configmap:shop/cart', at.gateway('edge'), at.policy('slow')].sort());
    expect(told.join()).not.toContain('"data"');
  });
});

describe('onLeading', () => {
  it('is called when a process begins and ceases to act, and may throw', async () => {
    const world = createWorld({ controller: { lease: { namespace: 'shop' } } });
    const told: string[] = [];
    const of = (name: string) => (isLeader: boolean) => {
      told.push(`${name} ${isLeader}`);
      throw new Error('unexpected');
    };
    const first = world.start({ lease: { namespace: 'shop', identity: 'first' }, onLeading: of('first') });
    await world.settle();
    const second = world.start({ lease: { namespace: 'shop', identity: 'second' }, onLeading: of('second') });
    await world.settle();
    expect(told).toEqual(['first true']);
    await first.stop();
    expect(told).toEqual(['first true', 'first false', 'second true']);
    expect(world.logged).toContain('error: onLeading threw an error {"error":"unexpected"}');
    await second.stop();
  });

  it('is called without an election, too', async () => {
    const told: boolean[] = [];
    const world = createWorld({ controller: { onLeading: (isLeader) => void told.push(isLeader) } });
    const { stop } = world.start();
    await world.settle();
    expect(told).toEqual([true]);
    await stop();
    expect(told).toEqual([true, false]);
  });
});

describe('events of the user', () => {
  it('are recorded by the replica that acts, and by no other', async () => {
    const world = createWorld({ controller: { lease: { namespace: 'shop' } } });
    const first = world.start({ lease: { namespace: 'shop', identity: 'first' } });
    await world.settle();
    const second = world.start({ lease: { namespace: 'shop', identity: 'second' } });
    await world.settle();
    const regarding = mapOf('');
    for (const { controller } of [first, second]) {
      controller.record({ regarding, type: 'Warning', reason: 'Full', action: 'Configure', note: 'no room is left' });
    }
    await world.settle();
    const events = world.server.list({ group: 'events.k8s.io', kind: 'Event' });
    expect(events.map(({ note }) => note)).toEqual(['no room is left']);
    await first.stop();
    await second.stop();
  });
});
