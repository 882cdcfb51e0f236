import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineage } from './lineage.ts';
import { artwork, exhibition, group, museum, names, world } from './museum.fixture.ts';
import { defineTargetKind } from './target-kind.ts';
import { createTopology } from './topology.ts';

/** The error of applying a lineage in a certain order. */
function loopOf(
  paths: readonly string[],
  arrange: <Item>(items: readonly Item[]) => readonly Item[] = (items) => items,
) {
  const { kinds, resources } = lineage(...paths);
  try {
    createTopology({ targetKinds: kinds }).apply({ upsert: arrange(resources) });
  } catch (error) {
    return error as { code: string; issues: readonly { code: string; message: string; resource: string }[] };
  }
  throw new Error('no loop');
}

describe('Topology.apply', () => {
  it('refuses a loop and prints it, beginning with the first of its locators', () => {
    const { code, issues } = loopOf(['a1 > b1 > c1 > a1', 'z1 > b1', 'c1 > d1']);
    expect(code).toBe('loop');
    expect(issues).toMatchObject([
      {
        code: 'loop',
        resource: 'a.lineage.example.com:default/a1',
        message:
          'a.lineage.example.com:default/a1 → b.lineage.example.com:default/b1 → c.lineage.example.com:default/c1 → a.lineage.example.com:default/a1',
      },
    ]);
  });

  it('refuses a resource that links to itself', () => {
    expect(loopOf(['a1 > a1']).issues[0]?.message).toBe(
      'a.lineage.example.com:default/a1 → a.lineage.example.com:default/a1',
    );
  });

  it('prints one loop, the same one whatever the order of resources, where there are more', () => {
    const paths = ['a1 > b1 > a1', 'c1 > d1 > e1 > c1', 'b1 > c1', 'c1 > c2 > d1'];
    const expected = loopOf(paths).issues;
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (random) => {
        const shuffled = loopOf(paths, (items) =>
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

  it('finds loops that pass through sections, and names those', () => {
    const loop = () =>
      world(
        exhibition('e', { rooms: [{ name: 'r', artworks: [{ name: 'a' }] }] }),
        artwork('a', { sides: [{ name: 'front' }] }),
        // Up from the exhibition to the artwork that is in it:
        exhibition('e2', {
          shownIn: [{ kind: 'Artwork', name: 'a', wing: 'front' }],
          rooms: [{ artworks: [{ name: 'a' }] }],
        }),
      );
    expect(loop).toThrow(
      'artwork.culture.example.com:default/a → artwork.culture.example.com:default/a#front → exhibition.culture.example.com:default/e2 → exhibition.culture.example.com:default/e2#room-1 → artwork.culture.example.com:default/a',
    );
  });

  it('leaves the topology as it was', () => {
    const { kinds, resources } = lineage('a1 > b1 > c1');
    const topology = createTopology({ targetKinds: kinds });
    topology.apply({ upsert: resources });
    const [lowest] = lineage('c1 > a1').resources.filter(({ metadata }) => metadata.name === 'a1');
    expect(() => topology.apply({ upsert: [lowest as never], remove: ['c.lineage.example.com:default/c9'] })).toThrow(
      'loop',
    );
    expect(names(topology.roots)).toEqual(['a1']);
    expect(topology.apply({ upsert: [] })).toEqual({ added: [], removed: [], changed: [], ignored: [] });
  });

  it('takes no loop for one that only goes by way of different sections', () => {
    // Side front is beneath the exhibition, side back above it.
    const topology = world(
      exhibition('e', {
        shownIn: [{ kind: 'Artwork', name: 'a', wing: 'back' }],
        rooms: [{ artworks: [{ name: 'a', side: 'front' }] }],
      }),
      artwork('a', { sides: [{ name: 'front' }, { name: 'back' }] }),
    );
    expect(names(topology.targets)).toContain('e');
  });

  it('copes with a loop of many', () => {
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
    expect(() => createTopology({ targetKinds: [Link] }).apply({ upsert: links })).toThrow('loop');
  });
});

describe('Topology.positions', () => {
  it('come each after all that lead to it', () => {
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
