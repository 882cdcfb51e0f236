import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineage } from '../lineage.ts';
import { defineTargetKind } from '../model/define-target-kind.ts';
import { artwork, exhibition, group, museum, names, world } from '../museum.fixture.ts';
import { createTopology } from '../topology.ts';

/** The error of applying a lineage in a certain order. */
function cycleOf(
  paths: readonly string[],
  arrange: <Item>(items: readonly Item[]) => readonly Item[] = (items) => items,
) {
  const { kinds, resources } = lineage(...paths);
  try {
    createTopology({ targetKinds: kinds }).apply({ upsert: arrange(resources) });
  } catch (error) {
    return error as { code: string; issues: readonly { code: string; message: string; resource: string }[] };
  }
  throw new Error('no cycle');
}

describe('Topology.apply', () => {
  it('refuses a cycle and prints it with its references, starting at the first of its locators', () => {
    const { code, issues } = cycleOf(['a1 > b1 > c1 > a1', 'z1 > b1', 'c1 > d1']);
    expect(code).toBe('cycle');
    expect(issues).toMatchObject([
      {
        code: 'cycle',
        resource: 'a.lineage.example.com:default/a1',
        message:
          'a.lineage.example.com:default/a1 → b.lineage.example.com:default/b1 → c.lineage.example.com:default/c1 → a.lineage.example.com:default/a1; ' +
          'remove one of the references b.lineage.example.com:default/b1 /spec/parents/0, c.lineage.example.com:default/c1 /spec/parents/0, a.lineage.example.com:default/a1 /spec/parents/0',
      },
    ]);
  });

  it('refuses a resource that links to itself', () => {
    expect(cycleOf(['a1 > a1']).issues[0]?.message).toBe(
      'a.lineage.example.com:default/a1 → a.lineage.example.com:default/a1; remove one of the references a.lineage.example.com:default/a1 /spec/parents/0',
    );
  });

  it('prints one cycle of each group of cycles, the same whatever the order of resources', () => {
    const paths = [
      'a1 > b1 > a1',
      'c1 > d1 > e1 > c1',
      'b1 > c1',
      'c1 > c2 > d1',
      'e1 > f1 > g1',
      'h1 > h1',
      'g1 > h1',
    ];
    const expected = cycleOf(paths).issues;
    const cycles = expected.map(({ message }) => message.split(';')[0]?.replaceAll(/[a-z.]+:default\//g, ''));
    expect(cycles).toEqual(['a1 → b1 → a1', 'c1 → d1 → e1 → c1', 'h1 → h1']);
    expect(expected.map(({ resource }) => resource)).toEqual(
      ['a', 'c', 'h'].map((letter) => `${letter}.lineage.example.com:default/${letter}1`),
    );
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (random) => {
        const shuffled = cycleOf(paths, (items) =>
          items
            .map((item) => ({ item, key: random.next().value as number }))
            .sort((x, y) => x.key - y.key)
            .map(({ item }) => item),
        );
        expect(shuffled.issues).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('prints one cycle for each group of cycles, made of existing links', () => {
    const letters = ['a', 'b', 'c', 'd', 'e', 'f'];
    const letter = fc.constantFrom(...letters);
    fc.assert(
      fc.property(fc.array(fc.tuple(letter, letter), { minLength: 1, maxLength: 12 }), (links) => {
        const leads = new Set(links.map(([from, to]) => `${from}${to}`));
        for (const by of letters)
          for (const from of letters)
            for (const to of letters) if (leads.has(from + by) && leads.has(by + to)) leads.add(from + to);
        const looping = letters.filter((it) => leads.has(it + it));
        fc.pre(looping.length > 0);
        const groups = new Set(
          looping.map((it) => looping.filter((other) => leads.has(it + other) && leads.has(other + it)).join('')),
        );

        const cycles = cycleOf(links.map(([from, to]) => `${from}1 > ${to}1`)).issues.map(({ message }) =>
          (message.split(';')[0] as string).split(' → ').map((locator) => locator[0] as string),
        );
        expect(cycles.map(([first]) => first)).toEqual([...groups].map(([first]) => first));
        for (const cycle of cycles) {
          expect(cycle.at(-1)).toBe(cycle[0]);
          for (const [index, to] of cycle.slice(1).entries()) expect(links).toContainEqual([cycle[index], to]);
        }
      }),
    );
  });

  it('finds cycles that pass through sections, and names those', () => {
    const cycle = () =>
      world(
        exhibition('e', { rooms: [{ name: 'r', artworks: [{ name: 'a' }] }] }),
        artwork('a', { sides: [{ name: 'front' }] }),
        // Up from the exhibition to the artwork that is in it:
        exhibition('e2', {
          shownIn: [{ kind: 'Artwork', name: 'a', wing: 'front' }],
          rooms: [{ artworks: [{ name: 'a' }] }],
        }),
      );
    expect(cycle).toThrow(
      'artwork.culture.example.com:default/a → artwork.culture.example.com:default/a#front → exhibition.culture.example.com:default/e2 → exhibition.culture.example.com:default/e2#room-1 → artwork.culture.example.com:default/a; ' +
        'remove one of the references exhibition.culture.example.com:default/e2 /spec/shownIn/0, exhibition.culture.example.com:default/e2 /spec/rooms/0/artworks',
    );
  });

  it('names the reference of an object if the cycle follows it from one of the sections', () => {
    const Ring = defineTargetKind({
      group,
      kind: 'Ring',
      sections: { gem: { list: () => [{ name: 'ruby', value: {} }] } },
      references: ({ spec }) => [
        {
          direction: 'down',
          to: { group, kind: 'Ring', name: spec as string },
          toSections: ({ name }) => name === 'ruby',
          pointer: '/spec',
        },
      ],
    });
    const topology = createTopology({ targetKinds: [Ring] });
    const ring = (name: string, spec: string) => ({ ...museum(name), kind: 'Ring', spec });
    expect(() => topology.apply({ upsert: [ring('a', 'b'), ring('b', 'a')] })).toThrow(
      'ring.culture.example.com:default/a#ruby → ring.culture.example.com:default/b#ruby → ring.culture.example.com:default/a#ruby; ' +
        'remove one of the references ring.culture.example.com:default/a /spec, ring.culture.example.com:default/b /spec',
    );
  });

  it('leaves the topology unchanged', () => {
    const { kinds, resources } = lineage('a1 > b1 > c1');
    const topology = createTopology({ targetKinds: kinds });
    topology.apply({ upsert: resources });
    const [lowest] = lineage('c1 > a1').resources.filter(({ metadata }) => metadata.name === 'a1');
    expect(() => topology.apply({ upsert: [lowest as never], remove: ['c.lineage.example.com:default/c9'] })).toThrow(
      'cycle',
    );
    expect(names(topology.roots)).toEqual(['a1']);
    expect(topology.apply({ upsert: [] })).toEqual({ added: [], removed: [], changed: [], ignored: [] });
  });

  it('refuses no cycle that goes through different sections of an object', () => {
    // Side front is below the exhibition, side back above it.
    const topology = world(
      exhibition('e', {
        shownIn: [{ kind: 'Artwork', name: 'a', wing: 'back' }],
        rooms: [{ artworks: [{ name: 'a', side: 'front' }] }],
      }),
      artwork('a', { sides: [{ name: 'front' }, { name: 'back' }] }),
    );
    expect(names(topology.targets)).toContain('e');
  });

  it('copes with a cycle of many', () => {
    const Link = defineTargetKind({
      group,
      kind: 'Link',
      references: ({ spec }) => [
        { direction: 'down', to: { group, kind: 'Link', name: spec as string }, pointer: '/spec' },
      ],
    });
    const size = 20_000;
    const links = Array.from({ length: size }, (_, index) => ({
      ...museum(`l${index}`),
      kind: 'Link',
      spec: `l${(index + 1) % size}`,
    }));
    expect(() => createTopology({ targetKinds: [Link] }).apply({ upsert: links })).toThrow('cycle');
  });
});

describe('Topology.positions', () => {
  it('come after all positions that lead to them', () => {
    const topology = world(
      museum('m', { wings: [{ name: 'w' }] }),
      exhibition('e', { shownIn: [{ name: 'm', wing: 'w' }], rooms: [{ artworks: [{ name: 'a', side: 'front' }] }] }),
      artwork('a', { sides: [{ name: 'front' }] }),
    );
    const at = topology.positions.map(({ node }) => node.locator);
    for (const { node } of topology.positions) {
      for (const child of node.linksTo) expect(at.lastIndexOf(child.locator)).toBeGreaterThan(at.indexOf(node.locator));
    }
  });
});
