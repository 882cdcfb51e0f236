import { type KubernetesObject, objectsIn, specOf } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { defineTargetKind } from '../model/define-target-kind.ts';
import type { Reference } from '../model/reference.ts';
import type { Topology } from '../model/topology.ts';
import { createTopology } from '../topology.ts';

const group = 'water.example.com';

/** Pipes lead to others that need no more pressure than arrives. Each takes something of it. */
const Pipe = defineTargetKind({
  group,
  kind: 'Pipe',
  references: (pipe) => {
    const { to, pressure, takes, mayBeInCycle } = specOf(pipe);
    return objectsIn(to).map(
      ({ name }, index): Reference => ({
        direction: 'down',
        to: { group, kind: 'Pipe', name: String(name) },
        pointer: `/spec/to/${index}`,
        onCycle: mayBeInCycle === false ? 'refuse' : 'drop',
        relay(arriving) {
          if (takes === 'all') throw new Error('it leaks');
          const value = Math.max(Number(pressure ?? 0), ...(arriving as readonly number[])) - Number(takes ?? 0);
          return {
            value,
            admits: ({ resource }) =>
              Number(specOf(resource).needs ?? 0) > value ? { reason: 'TooWeak', message: `only ${value}` } : undefined,
          };
        },
      }),
    );
  },
});

const pipe = (name: string, spec: object, ...to: readonly string[]): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Pipe',
  metadata: { name, namespace: 'n' },
  spec: { ...spec, to: to.map((it) => ({ name: it })) },
});

const locator = (name: string) => `pipe.water.example.com:n/${name}`;
const links = (topology: Topology) =>
  [...topology.targets].flatMap(({ ref, linksTo }) => linksTo.map((to) => `${ref.name}>${to.ref.name}`));

const grid = (...upsert: readonly KubernetesObject[]) => {
  const topology = createTopology({ targetKinds: [Pipe] });
  topology.apply({ upsert });
  return topology;
};

describe('Reference.relay', () => {
  const town = [
    pipe('source', { pressure: 5 }, 'main'),
    pipe('main', { takes: 1 }, 'house', 'tower'),
    pipe('house', { needs: 3 }),
    pipe('tower', { needs: 5 }),
  ];

  it('decides which links stay from the values that arrive at their holder', () => {
    const topology = grid(...town);
    expect(links(topology)).toEqual(['main>house', 'source>main']);
    expect(topology.refused).toMatchObject([{ to: locator('tower'), reason: 'TooWeak', message: 'only 4' }]);
    expect(topology.issues).toMatchObject([
      { code: 'refused-reference', resource: locator('main'), pointer: '/spec/to/1' },
    ]);
  });

  it('follows changes above, as far down as they matter', () => {
    const topology = grid(...town, pipe('pump', { pressure: 9 }));
    const { changed } = topology.apply({ upsert: [pipe('pump', { pressure: 9 }, 'source')] });
    expect(links(topology)).toEqual(['main>house', 'main>tower', 'pump>source', 'source>main']);
    expect(changed).toEqual(['main', 'pump', 'source', 'tower'].map(locator));
    expect([topology.refused, topology.issues]).toEqual([[], []]);
    topology.apply({ remove: [locator('pump')], upsert: [pipe('source', { pressure: 2 }, 'main')] });
    expect(links(topology)).toEqual(['source>main']);
  });

  it('follows a change at the top down to holders several levels below', () => {
    const chain = [pipe('b', {}, 'c'), pipe('c', {}, 'd'), pipe('d', {}, 'e'), pipe('e', { needs: 3 })];
    const topology = grid(pipe('a', { pressure: 1 }, 'b'), ...chain);
    expect(links(topology)).toEqual(['a>b', 'b>c', 'c>d']);
    topology.apply({ upsert: [pipe('a', { pressure: 5 }, 'b')] });
    expect(links(topology)).toEqual(['a>b', 'b>c', 'c>d', 'd>e']);
  });

  it('breaks cycles before, whether or not their links would stay', () => {
    const topology = grid(pipe('a', { pressure: 1 }, 'b'), pipe('b', { needs: 1, takes: 1 }, 'c'), pipe('c', {}, 'b'));
    expect(links(topology)).toEqual(['a>b', 'b>c']);
    expect(topology.refused).toMatchObject([{ to: locator('b'), reason: 'Cycle' }]);
  });

  it('leaves the topology unchanged if a change forms a cycle without links to drop', () => {
    const strict = (name: string, spec: object, ...to: readonly string[]) =>
      pipe(name, { ...spec, mayBeInCycle: false }, ...to);
    const before = [strict('a', { pressure: 1 }, 'b'), strict('b', { takes: 1 }, 'c'), strict('c', { needs: 1 })];
    const topology = grid(...before);
    expect(() => topology.apply({ upsert: [strict('c', {}, 'a')] })).toThrow('cycle');
    expect(links(topology)).toEqual(['a>b']);
    expect(topology.refused).toEqual(grid(...before).refused.map((it) => expect.objectContaining({ to: it.to })));
    topology.apply({ upsert: [strict('a', { pressure: 2 }, 'b')] });
    expect(links(topology)).toEqual(['a>b', 'b>c']);
  });

  it('drops only the links of its holder if it throws', () => {
    const topology = grid(
      ...town.filter(({ metadata }) => metadata.name !== 'main'),
      pipe('main', { takes: 'all' }, 'house'),
    );
    expect(links(topology)).toEqual(['source>main']);
    expect(topology.issues).toMatchObject([{ code: 'unreadable-resource', resource: locator('main') }]);
  });
});
