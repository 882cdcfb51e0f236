import {
  formatIssue,
  type JsonObject,
  type KubernetesObject,
  objectsIn,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import { readTargetRefs, readTargetSelectors } from '@policy-machinery/target-ref';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineTargetKind } from './model/define-target-kind.ts';
import type { AttachableKind } from './model/policy-node.ts';
import type { Topology } from './model/topology.ts';
import { createTopology } from './topology.ts';

const group = 'bounds.example.com';
const apiVersion = `${group}/v1`;

/** Its sections are what `spec.docks` lists. Reads of their fields are counted. */
let reads = 0;
const Port = defineTargetKind({
  group,
  kind: 'Port',
  sections: {
    dock: {
      list: (port) =>
        objectsIn(specOf(port).docks).map((value) => ({ name: stringIn(value.name), value: counted(value) })),
    },
  },
});
function counted(value: JsonObject): JsonObject {
  return new Proxy(value, {
    get(target, key) {
      reads += 1;
      return Reflect.get(target, key);
    },
  });
}

/** It lies at the docks that `spec.at` says, and below the ports that it selects. */
const Ship = defineTargetKind({
  group,
  kind: 'Ship',
  *references(ship) {
    const { at, selects } = specOf(ship);
    for (const [index, { port, name, number }] of objectsIn(at).entries()) {
      const toSections = {
        name: stringIn(name),
        ...(number === undefined ? {} : { field: ['number', number] as const }),
      };
      yield {
        direction: 'up',
        to: { group, kind: 'Port', name: String(port) },
        toSections,
        pointer: `/spec/at/${index}`,
      };
    }
    if (selects === true) {
      yield { direction: 'up', to: { group, kind: 'Port', namespaces: { from: 'Same' } }, pointer: '/spec/selects' };
    }
  },
});
const CustomsPolicy: AttachableKind = {
  group,
  kind: 'CustomsPolicy',
  scope: 'Namespaced',
  targets: [Port],
  crossNamespace: 'refuse',
  targetRefs: (policy) => readTargetRefs(policy, { orSelectors: true }),
  targetSelectors: readTargetSelectors,
};

const make = (
  kind: string,
  name: string,
  spec: object = {},
  created = '2026-01-01T00:00:00Z',
  namespace = 'sea',
): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace, creationTimestamp: created },
  spec,
});
const many = <Item>(length: number, item: (place: number) => Item): readonly Item[] =>
  Array.from({ length }, (_, place) => item(place));
const docks = (count: number) => ({ docks: many(count, (place) => ({ name: `d${place}`, number: place })) });
const world = (...upsert: readonly KubernetesObject[]): Topology => {
  const topology = createTopology({ targetKinds: [Port, Ship], policyKinds: [CustomsPolicy] });
  topology.apply({ upsert });
  return topology;
};
const shipLinks = (topology: Topology, name: string) =>
  topology.get({ group, kind: 'Ship', namespace: 'sea', name })?.linksFrom.length;

describe('sections of one resource', () => {
  it('are found by a field without a look at the others', () => {
    const at = (count: number) => many(count, (place) => ({ port: 'p', number: place }));
    const readsFor = (count: number): number => {
      reads = 0;
      const topology = world(make('Port', 'p', docks(count)), make('Ship', 's', { at: at(count) }));
      expect(shipLinks(topology, 's')).toBe(count);
      return reads;
    };
    expect(readsFor(2000)).toBeLessThan(5 * readsFor(500));
  });

  it('are named as if free names were sought one by one', () => {
    const name = fc.constantFrom(undefined, '', 'a', 'a-2', 'a-3', 'a-2-2', '1', '2', '2-2');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (given) => {
        const topology = world(make('Port', 'p', { docks: given.map((it) => (it === undefined ? {} : { name: it })) }));
        const names = topology
          .get({ group, kind: 'Port', namespace: 'sea', name: 'p' })
          ?.sections.map(({ section }) => section?.name);
        expect(names).toEqual(namedOneByOne(given));
      }),
    );
  });

  it('without a name that the API server accepts are named by their place', () => {
    const topology = world(make('Port', 'p', { docks: [{ name: 'n'.repeat(254) }] }));
    expect(topology.get({ group, kind: 'Port', namespace: 'sea', name: 'p' })?.sections[0]?.section?.name).toBe('1');
  });
});

describe('references of one target', () => {
  const all = { port: 'p' };

  it('lead to up to 2048 sections, besides those that they name one by one', () => {
    const at = [all, all, { port: 'p', name: 'd0' }, { port: 'q', name: 'd1' }];
    const topology = world(make('Port', 'p', docks(2048)), make('Port', 'q', docks(2)), make('Ship', 's', { at }));
    expect(shipLinks(topology, 's')).toBe(2049);
    expect(topology.refused.map(({ to, reason, reference }) => [to, reason, reference.pointer])).toEqual([
      [`port.${group}:sea/p`, 'TooManySections', '/spec/at/1'],
    ]);
  });

  it('are refused and reported if one leads to more', () => {
    const topology = world(make('Port', 'p', docks(2049)), make('Ship', 's', { at: [all] }));
    expect(shipLinks(topology, 's')).toBe(0);
    expect(topology.issues.map(({ code, pointer }) => [code, pointer])).toEqual([['refused-reference', '/spec/at/0']]);
    topology.apply({ upsert: [make('Port', 'p', docks(2048))] });
    expect([shipLinks(topology, 's'), topology.issues]).toEqual([2048, []]);
  });
});

describe('references that select', () => {
  const ship = (place: number, day: number) =>
    make('Ship', `s${place}`, { selects: true }, `2026-01-${10 + day}T00:00:00Z`);

  it('belong to the 64 oldest of a namespace, whatever the order of resources', () => {
    const ships = many(67, (place) => ship(place, place === 50 ? 1 : 2));
    const late = [50, 0, 65, 66].map((place) => `ship.${group}:sea/s${place}`);
    const port = make('Port', 'p');
    for (const order of [ships, ships.toReversed()]) {
      const topology = world(...order, port);
      const linked = topology
        .get({ group, kind: 'Port', namespace: 'sea', name: 'p' })
        ?.linksTo.map(({ locator }) => locator);
      expect(late.map((it) => linked?.includes(it))).toEqual([true, true, true, true]);
      expect(linked?.length).toBe(64);
      expect(topology.refused.map(({ from, reason }) => [from.ref.name, reason])).toEqual(
        ['s7', 's8', 's9'].map((name) => [name, 'TooManySelecting']),
      );
    }
  });

  it('of another namespace make no difference', () => {
    const topology = world(...many(64, (place) => ship(place, 2)), make('Port', 'p'));
    topology.apply({ upsert: [make('Ship', 'x', { selects: true }, '2020-01-01T00:00:00Z', 'lake')] });
    expect(topology.refused).toEqual([]);
  });
});

describe('policies that select', () => {
  const policy = (place: number, day: number) =>
    make('CustomsPolicy', `p${place}`, { targetSelectors: [{ group, kind: 'Port' }] }, `2026-01-${10 + day}T00:00:00Z`);
  const outcomes = (topology: Topology) =>
    topology.policies().map(({ locator, attachments }) => [locator, attachments.map(({ outcome }) => outcome)]);

  it('are attached to a target unless there are 64 older ones of their namespace', () => {
    const topology = world(make('Port', 'a'), ...many(65, (place) => policy(place, place === 7 ? 2 : 1)));
    expect(topology.policiesAt({ group, kind: 'Port', namespace: 'sea', name: 'a' })).toHaveLength(64);
    expect(topology.policy(`customspolicy.${group}:sea/p7`)?.attachments.map(({ outcome }) => outcome)).toEqual([
      'TooManyPolicies',
    ]);
    expect(topology.issues.map(({ code, resource }) => [code, resource])).toEqual([
      ['too-many-policies', `customspolicy.${group}:sea/p7`],
    ]);
  });

  it('are the same after any changes as in a new topology of the same resources', () => {
    const change = fc.record({
      place: fc.nat({ max: 106 }),
      day: fc.constantFrom(1, 2, 3, undefined),
      port: fc.constantFrom('a', 'b', undefined),
      ship: fc.nat({ max: 106 }),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const now = new Map<string, KubernetesObject>();
        const put = (resource: KubernetesObject) => now.set(`${resource.kind} ${resource.metadata.name}`, resource);
        for (const place of many(104, (it) => it)) {
          put(policy(place, place % 3));
          put(make('Ship', `s${place}`, { selects: true }, `2026-01-1${place % 3}T00:00:00Z`));
        }
        put(make('Port', 'a'));
        const topology = world(...now.values());
        for (const { place, day, port, ship } of changes) {
          const upsert = [
            ...(day === undefined
              ? []
              : [policy(place, day), make('Ship', `s${ship}`, { selects: true }, `2026-01-1${day}T00:00:00Z`)]),
            ...(port === undefined ? [] : [make('Port', port)]),
          ];
          const remove =
            day === undefined
              ? [policy(place, 1), make('Ship', `s${ship}`)]
              : port === undefined
                ? [make('Port', 'b')]
                : [];
          for (const { kind, metadata } of remove) now.delete(`${kind} ${metadata.name}`);
          upsert.forEach(put);
          topology.apply({ upsert, remove });
        }
        const fresh = world(...[...now.values()].reverse());
        expect(outcomes(topology)).toEqual(outcomes(fresh));
        expect(topology.issues).toEqual(fresh.issues);
        expect(topology.refused.map(({ from, reason }) => [from.locator, reason])).toEqual(
          fresh.refused.map(({ from, reason }) => [from.locator, reason]),
        );
      }),
      { numRuns: 20 },
    );
  });
});

describe('the sections of a resource', () => {
  it('beyond 5000 of a kind do not count, which is reported, and count when others have gone', () => {
    const docks = many(5_002, (index) => ({ name: `d${index}` }));
    const topology = world(make('Port', 'p', { docks }), make('Port', 'q', { docks: docks.slice(2) }));
    const port = (name: string) => topology.get(`port.${group}:sea/${name}`);
    expect([port('p')?.sections.length, port('q')?.sections.length]).toEqual([5_000, 5_000]);
    expect(topology.get(`port.${group}:sea/p#d5000`)).toBeUndefined();
    expect(topology.issues.map(formatIssue)).toEqual([
      'error: a resource may have 5000 sections of the kind dock, so the last 2 of this one do not count; split it into several resources (port.bounds.example.com:sea/p) [too-many-sections]',
    ]);

    topology.apply({ upsert: [make('Port', 'p', { docks: docks.slice(1, 5_001) })] });
    expect(topology.get(`port.${group}:sea/p#d5000`)).toBe(port('p')?.sections.at(-1));
    expect(topology.issues).toEqual([]);
  });
});

describe('issues', () => {
  it('of one code about one resource are listed up to 100, and the rest are counted', () => {
    const topology = world(make('Port', 'p', { docks: many(151, () => ({ name: 'a' })) }));
    const [summary, ...others] = topology.issues;
    expect(others.every(({ message }) => message.startsWith('more than one section is named "a"'))).toBe(true);
    expect([others.length, summary?.code, summary?.message]).toEqual([
      100,
      'section-name-collision',
      '50 more issues like these are not listed; correct the others first',
    ]);
    expect(topology.issuesAbout(`port.${group}:sea/p`)).toEqual(topology.issues);
  });
});

/** The names of sections, by the definition (W3). */
function namedOneByOne(given: readonly (string | undefined)[]): readonly string[] {
  const taken = new Set(given.filter((name) => name));
  const met = new Set<string>();
  return given.map((name, place) => {
    const wanted = name || String(place + 1);
    if (name && !met.has(name)) {
      met.add(name);
      return name;
    }
    let free = wanted;
    for (let suffix = 2; taken.has(free); suffix += 1) free = `${wanted}-${suffix}`;
    taken.add(free);
    return free;
  });
}
