import {
  groupKindKey,
  groupKindOf,
  type KubernetesObject,
  locatorOf,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDot } from '../drawing/dot.ts';
import { lineage } from '../lineage.ts';
import { defineTargetKind } from '../model/define-target-kind.ts';
import type { Topology } from '../model/topology.ts';
import type { TopologyDelta } from '../model/topology-change.ts';
import { artwork, exhibition, group, museum, names, namespace, ticketPolicy, world } from '../museum.fixture.ts';
import { createTopology } from '../topology.ts';

const museums = { group, kind: 'Museum' };
const louvre = museum('louvre');
const prado = museum('prado');
const id = { louvre: 'museum.culture.example.com:default/louvre', prado: 'museum.culture.example.com:default/prado' };

const pool = [
  ...['a', 'b', 'c'].map((name) => museum(name, { wings: [{ name: 'w' }] })),
  ...['a', 'b'].map((name) => museum(name, { artworks: [{ name: 'x' }] })),
  ...['x', 'y'].map((name) => exhibition(name, { shownIn: [{ name: 'a', wing: 'w' }, { name: 'b' }] })),
  ...['x', 'y'].map((name) => artwork(name)),
  ...['p', 'q'].map((name) => ticketPolicy(name, { name: 'a' })),
  namespace('default'),
];
const worlds = fc.subarray(pool).map((all) => [...new Map(all.map((it) => [locatorOf(it), it])).values()]);
const sizes = fc.integer({ min: 1, max: 4 });

const targetsOf = (topology: Topology) => names(topology.targets);

describe('Topology.applyInSlices', () => {
  it('equals the change at once, whatever the size of the slices', () => {
    fc.assert(
      fc.property(worlds, worlds, sizes, (before, after, size) => {
        const topology = world(...before);
        const kept = new Set(after.map((it) => locatorOf(it)));
        const remove = before.filter((it) => !kept.has(locatorOf(it)));
        const deltas = [...topology.applyInSlices({ upsert: after, remove }, { size })];
        expect(toDot(topology)).toBe(toDot(world(...after)));
        expect(topology.issues).toEqual(world(...after).issues);
        const changed = after.filter((it) => !before.includes(it)).length + remove.length;
        expect(deltas.length).toBe(Math.max(1, Math.ceil(changed / size)));
      }),
    );
  });

  it('applies a slice for each value, and answers from the slices so far', () => {
    const topology = world();
    const slices = topology.applyInSlices({ upsert: [louvre, prado] }, { size: 1 });
    expect(targetsOf(topology)).toEqual([]);
    expect(slices.next()).toMatchObject({ done: false, value: { added: [id.louvre] } });
    expect(targetsOf(topology)).toEqual(['louvre']);
    expect(slices.next()).toMatchObject({ done: false, value: { added: [id.prado] } });
    expect(slices.next().done).toBe(true);
    expect(targetsOf(topology)).toEqual(['louvre', 'prado']);
  });

  it('says once which resources are ignored', () => {
    const other = { ...louvre, apiVersion: 'unknown.example.com/v1' };
    const deltas = [...world().applyInSlices({ upsert: [louvre, other, prado] }, { size: 1 })];
    expect(deltas.map(({ ignored }) => ignored)).toEqual([['museum.unknown.example.com:default/louvre'], []]);
  });

  it('resolves each reference once, whatever the order of resources', () => {
    let asked = 0;
    const kindOf = (kind: string, above?: string) =>
      defineTargetKind({
        group,
        kind,
        *references(resource) {
          asked += 1;
          const name = stringIn(specOf(resource).above);
          if (above !== undefined && name !== undefined) {
            yield { direction: 'up', to: { group, kind: above, name }, pointer: '/spec/above' };
          }
        },
        mayReferTo: (to, direction) => direction === 'up' && to.kind === above,
      });
    const targetKinds = [kindOf('Leaf', 'Branch'), kindOf('Branch', 'Tree'), kindOf('Tree')];
    const plant = (kind: string, name: string, above: string): KubernetesObject => {
      return { apiVersion: `${group}/v1`, kind, metadata: { name, namespace: 'n' }, spec: { above } };
    };
    const upsert = [
      ...['p', 'q', 'r'].map((name) => plant('Leaf', name, 'b')),
      ...['b', 'c'].map((name) => plant('Branch', name, 't')),
      plant('Tree', 't', ''),
    ];
    const topology = createTopology({ targetKinds });
    for (const _ of topology.applyInSlices({ upsert }, { size: 1 }));
    expect(asked).toBe(upsert.length);
    expect(names(topology.descendants('tree.culture.example.com:n/t'))).toEqual(['b', 'c', 'p', 'q', 'r']);
  });

  it('checks the whole change before the first slice', () => {
    const topology = world();
    const { version } = topology;
    const broken = { ...prado, metadata: {} } as KubernetesObject;
    const apply = () => topology.applyInSlices({ upsert: [louvre, broken] }, { size: 1 });
    expect(apply).toThrow(expect.objectContaining({ code: 'invalid-resources' }));
    expect(topology.version).toBe(version);
  });

  it('keeps the newer state of resources that another change has touched in between', () => {
    const old = museum('louvre', { city: 'old' });
    const topology = world(old);
    const slices = topology.applyInSlices(
      { upsert: [museum('louvre', { city: 'given' }), prado], remove: [] },
      { size: 1 },
    );
    const newer = museum('louvre', { city: 'newer' });
    topology.apply({ upsert: [newer] });
    for (const _ of slices);
    expect(topology.get(id.louvre)?.resource).toBe(newer);
    expect(topology.get(id.prado)?.resource).toBe(prado);
  });

  it('does not restore resources that another change has removed in between, nor those that it has added and removed', () => {
    const topology = world();
    const slices = topology.applyInSlices({ upsert: [louvre, museum('orsay'), prado] }, { size: 1 });
    topology.apply({ remove: [prado] }); // It is not there yet.
    topology.apply({ upsert: [museum('orsay')] });
    topology.apply({ remove: [museum('orsay')] });
    for (const _ of slices);
    expect(targetsOf(topology)).toEqual(['louvre']);
  });

  it('keeps the slices before one that is refused', () => {
    const { kinds, resources } = lineage('a1 > b1', 'b1 > a2 > b1');
    const topology = createTopology({ targetKinds: kinds });
    const slices = topology.applyInSlices({ upsert: resources }, { size: 1 });
    expect(() => [...slices]).toThrow(expect.objectContaining({ code: 'cycle' }));
    expect([...topology.targets].length).toBeGreaterThan(0);
  });
});

describe('Topology.replaceInSlices', () => {
  it('equals the lists at once, kind by kind, whatever the size of the slices', () => {
    fc.assert(
      fc.property(worlds, worlds, sizes, (before, after, size) => {
        const topology = world(...before);
        for (const kind of topology.requiredKinds) {
          const isOfKind = (it: KubernetesObject) => groupKindKey(groupKindOf(it)) === groupKindKey(kind);
          for (const _ of topology.replaceInSlices(kind, after.filter(isOfKind), { size }));
        }
        expect(toDot(topology)).toBe(toDot(world(...after)));
        expect(topology.unlistedKinds).toEqual([]);
      }),
    );
  });

  it('counts a kind as listed after the last slice', () => {
    const topology = world();
    const slices = topology.replaceInSlices(museums, [louvre, prado], { size: 1 });
    const isListed = () => !topology.unlistedKinds.some((it) => it.group === group && it.kind === 'Museum');
    const seen = [isListed()];
    for (const _ of slices) seen.push(isListed());
    expect([...seen, isListed()]).toEqual([false, false, false, true]);
  });

  it('removes resources that are not in the list, but none that were added in between', () => {
    const topology = world(louvre, museum('orsay'));
    const slices = topology.replaceInSlices(museums, [prado], { size: 1 });
    topology.apply({ upsert: [museum('rodin')] });
    for (const _ of slices);
    expect(targetsOf(topology)).toEqual(['prado', 'rodin']);
  });

  it('changes nothing if the list has the same versions of the same objects', () => {
    const versioned = () => [{ ...louvre, metadata: { ...louvre.metadata, resourceVersion: '7' } }];
    const topology = world(...versioned());
    const deltas: TopologyDelta[] = [...topology.replaceInSlices(museums, versioned())];
    expect(deltas.map(({ changed }) => changed)).toEqual([[]]);
  });

  it('refuses the same lists as replace', () => {
    const replace = () => world().replaceInSlices({ group, kind: 'Circus' }, []);
    expect(replace).toThrow(expect.objectContaining({ code: 'unknown-kind' }));
    const others = () => world().replaceInSlices(museums, [artwork('mona')]);
    expect(others).toThrow(expect.objectContaining({ code: 'invalid-resources' }));
  });
});
