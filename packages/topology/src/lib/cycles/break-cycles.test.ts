import { objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineTargetKind } from '../model/define-target-kind.ts';
import { createTopology } from '../topology.ts';
import { cyclicComponents } from './scc.ts';

const group = 'roads.example.com';

/** A place leads on to others: by `tracks`, which give way where they go round in circles, and by `roads`, which do not. */
const Place = defineTargetKind({
  group,
  kind: 'Place',
  sections: { gate: { list: (place) => objectsIn(specOf(place).gates).map((value) => ({ value })) } },
  *references(place) {
    for (const [field, onCycle] of [
      ['tracks', 'drop'],
      ['roads', 'refuse'],
    ] as const) {
      const ways = stringIn(specOf(place)[field])?.match(/\S+/g) ?? [];
      for (const [index, to] of ways.entries()) {
        const [name = '', gate] = to.split('#');
        yield {
          direction: 'down',
          to: { group, kind: 'Place', name },
          ...(gate === undefined ? {} : { toSections: (section) => section.name === gate }),
          onCycle,
          pointer: `/spec/${field}/${index}`,
        };
      }
    }
  },
});

interface PlaceSpec {
  /** The year in which it was made. */
  readonly since?: number;
  readonly gates?: readonly object[];
  readonly tracks?: string;
  readonly roads?: string;
}

const place = (name: string, { since, ...spec }: PlaceSpec) => ({
  apiVersion: `${group}/v1`,
  kind: 'Place',
  metadata: { name, ...(since === undefined ? {} : { creationTimestamp: `${since}-01-01T00:00:00Z` }) },
  spec,
});

function map(places: Readonly<Record<string, PlaceSpec>>, arrange = (items: readonly string[]) => items) {
  const topology = createTopology({ targetKinds: [Place] });
  topology.apply({ upsert: arrange(Object.keys(places)).map((name) => place(name, places[name] ?? {})) });
  return topology;
}

const nameOf = ({ ref }: { readonly ref: { readonly name: string; readonly section?: string } }) =>
  ref.section === undefined ? ref.name : `${ref.name}#${ref.section}`;

function ways(topology: ReturnType<typeof map>): string {
  const all = [...topology.targets].flatMap((from) => from.linksTo.map((to) => `${nameOf(from)}>${nameOf(to)}`));
  return all.sort().join(' ');
}

describe('a reference with onCycle', () => {
  it.each([
    ['makes a link where there is no cycle', { a: { tracks: 'b' }, b: { tracks: 'c' }, c: {} }, 'a>b b>c'],
    [
      'gives way where it leads back to the way in',
      { a: { tracks: 'b' }, b: { tracks: 'c' }, c: { tracks: 'b' } },
      'a>b b>c',
    ],
    ['gives way where it leads back to itself', { a: { tracks: 'b' }, b: { tracks: 'b c' }, c: {} }, 'a>b b>c'],
    [
      'costs no other link on the way',
      { a: { tracks: 'b' }, b: { tracks: 'c d' }, c: { tracks: 'e b' }, d: {}, e: {} },
      'a>b b>c b>d c>e',
    ],
    [
      'gives way alone where it is the youngest of a cycle without a way in; of one age, the last by locator',
      { a: { tracks: 'b' }, b: { tracks: 'a c' }, c: {} },
      'a>b b>c',
    ],
    [
      'gives way alone where it is the youngest of a cycle with several ways in',
      { x: { roads: 'a' }, y: { roads: 'b' }, a: { tracks: 'b' }, b: { tracks: 'a c' }, c: {} },
      'a>b b>c x>a y>b',
    ],
    [
      'goes before younger ones, whatever their names',
      {
        x: { roads: 'a' },
        y: { roads: 'b' },
        a: { tracks: 'b', since: 2024 },
        b: { tracks: 'a c', since: 2023 },
        c: {},
      },
      'b>a b>c x>a y>b',
    ],
    [
      'takes no link of others with it, however many cycles they make of it',
      {
        x: { roads: 'a' },
        y: { roads: 'c' },
        a: { tracks: 'b', since: 2020 },
        b: { tracks: 'c', since: 2020 },
        c: { tracks: 'a b', since: 2024 },
      },
      'a>b b>c x>a y>c',
    ],
    [
      'gives way in a cycle within a cycle',
      { a: { tracks: 'b' }, b: { tracks: 'c' }, c: { tracks: 'd' }, d: { tracks: 'b c e' }, e: {} },
      'a>b b>c c>d d>e',
    ],
    [
      'gives way where the place it leads back to has sections that no link enters',
      { a: { tracks: 'b' }, b: { gates: [{}], tracks: 'c' }, c: { tracks: 'b' } },
      'a>b b>c',
    ],
    ['gives way rather than one that does not', { a: { roads: 'b' }, b: { tracks: 'a' } }, 'a>b'],
    [
      'stays where the same link is made by one that does not',
      { a: { tracks: 'b', roads: 'b' }, b: { tracks: 'a' } },
      'a>b',
    ],
    ['leads round through a section', { a: { gates: [{}], tracks: 'b' }, b: { tracks: 'a#1' } }, 'a>b'],
    [
      'gives way with one to a section that it has covered',
      { a: { tracks: 'b' }, b: { gates: [{}], tracks: 'c' }, c: { tracks: 'b b#1 d' }, d: {} },
      'a>b b>c c>d',
    ],
  ])('%s', (_, places, expected) => {
    expect(ways(map(places))).toBe(expected);
  });

  it('is refused, and reported with the cycle', () => {
    const topology = map({ a: { tracks: 'b' }, b: { tracks: 'c' }, c: { tracks: 'd b' }, d: {} });
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `place.roads.example.com:default/${name}`);
    const cycle = `it is part of a cycle: ${b} → ${c} → ${b}`;
    expect(topology.refused).toEqual([
      expect.objectContaining({ from: topology.get(c ?? ''), to: b, reason: 'Cycle', message: cycle }),
    ]);
    expect(topology.issues).toEqual([
      {
        code: 'cycle',
        severity: 'warning',
        message: `makes no link to ${b}, because ${cycle}; remove one of the references`,
        resource: c,
        pointer: '/spec/tracks/1',
      },
    ]);
    expect(topology.ancestors(a ?? '')).toEqual([]);
  });

  it('is reported briefly, however long the cycle', () => {
    const long = Array.from({ length: 30 }, (_, index) => [
      `p${index + 10}`,
      { tracks: `p${((index + 1) % 30) + 10}` },
    ]);
    const topology = map(Object.fromEntries([['a', { tracks: 'p10' }], ...long]));
    const [{ message = '' } = {}] = topology.refused;
    expect(message.replaceAll('place.roads.example.com:default/', '')).toBe(
      'it is part of a cycle: p10 → p11 → p12 → p13 → p14 → p15 → p16 → p17 → p18 → 21 more → p10',
    );
  });

  it('makes its link again when the cycle is gone', () => {
    const topology = map({ a: { tracks: 'b' }, b: { tracks: 'a' } });
    expect(ways(topology)).toBe('a>b');
    topology.apply({ upsert: [place('a', {})] });
    expect(ways(topology)).toBe('b>a');
    expect(topology.issues).toEqual([]);
  });

  it('has given way as before when a change fails for a cycle of others', () => {
    const topology = map({ a: { tracks: 'b' }, b: { tracks: 'a c' }, c: {} });
    const before = [ways(topology), topology.refused, topology.issues];
    const cycle = [place('a', { tracks: 'b', roads: 'c' }), place('c', { roads: 'a', tracks: 'b' })];
    expect(() => topology.apply({ upsert: cycle })).toThrow('cycle');
    expect([ways(topology), topology.refused, topology.issues]).toEqual(before);
  });

  it('saves no change from a cycle of others', () => {
    expect(() => map({ a: { roads: 'b', tracks: 'a' }, b: { roads: 'a' } })).toThrow('cycle');
  });

  const names = ['a', 'b', 'c', 'd', 'e'];
  const anyMap = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 14 });
  const placesOf = (links: readonly (readonly [string, string])[]) =>
    Object.fromEntries(
      names.map((name) => [name, { tracks: links.flatMap(([from, to]) => (from === name ? to : [])).join(' ') }]),
    );

  it('is left out only if it is part of a cycle, whatever the order of resources', () => {
    fc.assert(
      fc.property(anyMap, fc.shuffledSubarray(names, { minLength: names.length }), (links, order) => {
        const topology = map(placesOf(links), () => order);
        const cycles = cyclicComponents(names, (name) => links.flatMap(([from, to]) => (from === name ? to : [])));
        const inLoop = ([from, to]: readonly [string, string]) =>
          cycles.some((cycle) => cycle.includes(from) && cycle.includes(to));
        for (const link of links) if (!inLoop(link)) expect(ways(topology)).toContain(link.join('>'));
        const told = ({ refused, issues }: typeof topology) => ({
          refused: refused.map(({ from, to, message }) => [from.locator, to, message]),
          issues,
        });
        expect(ways(topology)).toBe(ways(map(placesOf(links))));
        expect(told(topology)).toEqual(told(map(placesOf(links))));
      }),
    );
  });
});
