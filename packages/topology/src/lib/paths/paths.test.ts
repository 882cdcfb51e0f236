import { describe, expect, it } from 'vitest';
import { lineage } from '../lineage.ts';
import type { Topology } from '../model/topology.ts';
import {
  artwork,
  city,
  exhibition,
  frame,
  museum,
  names,
  namespace,
  target,
  world,
  written,
} from '../museum.fixture.ts';
import { createTopology } from '../topology.ts';

function lineageOf(...paths: readonly string[]): {
  topology: Topology;
  at: (name: string) => ReturnType<typeof target>;
} {
  const { kinds, resources } = lineage(...paths);
  const topology = createTopology({ targetKinds: kinds });
  topology.apply({ upsert: resources });
  return { topology, at: (name) => target(topology, `${name.replace(/\d+/, '').toUpperCase()} ${name}`) };
}

/** Two rooms, each with one side of an artwork; the artwork as a whole has a frame, and so has each side. */
const sided = world(
  exhibition('vinci', {
    rooms: [
      { name: 'first', artworks: [{ name: 'lisa', side: 'front' }] },
      { name: 'second', artworks: [{ name: 'lisa', side: 'back' }] },
    ],
  }),
  artwork('lisa', {
    frame: 'oak',
    sides: [
      { name: 'front', frame: 'gilt' },
      { name: 'back', frame: 'plain' },
    ],
  }),
  frame('oak'),
  frame('gilt'),
  frame('plain'),
);

/** 2^40 paths lead from a0 to a40. */
const ladder = Array.from({ length: 40 }, (_, step) => [
  `a${step} > b${step} > a${step + 1}`,
  `a${step} > c${step} > a${step + 1}`,
]).flat();

describe('Topology.pathsTo', () => {
  it('begins at a target without links from above, and ends at the target', () => {
    const { topology, at } = lineageOf('g1 > r1 > b1', 'g1 > r2 > b1', 'g2 > r2 > b2', 'r3 > b2');
    expect(written(topology.pathsTo(at('b1')))).toEqual(['g1 > r1 > b1', 'g1 > r2 > b1', 'g2 > r2 > b1']);
    expect(written(topology.pathsTo(at('b2')))).toEqual(['g1 > r2 > b2', 'g2 > r2 > b2', 'r3 > b2']);
    expect(written(topology.pathsTo(at('g1')))).toEqual(['g1']);
  });

  it('goes through every diamond both ways', () => {
    const { topology, at } = lineageOf('a1 > b1 > c1 > d1 > e1', 'a1 > b2 > c1', 'c1 > d2 > e1');
    expect(written(topology.pathsTo(at('e1')))).toHaveLength(4);
  });

  it('passes the object before each of its sections (H-05)', () => {
    const topology = world(
      city('paris'),
      museum('louvre', { city: 'paris', wings: [{ name: 'denon' }, { name: 'sully' }] }),
      exhibition('vinci', { shownIn: [{ name: 'louvre', wing: 'denon' }] }),
      namespace('default'),
    );
    expect(written(topology.pathsTo(target(topology, 'Exhibition vinci')))).toEqual([
      'paris > louvre > louvre#denon > vinci',
    ]);
  });

  it('does not leak from one section into another, nor into targets below it', () => {
    const to = (name: string) => written(sided.pathsTo(target(sided, name)));
    expect(to('Artwork lisa#front')).toEqual(['vinci > vinci#first > lisa > lisa#front']);
    expect(to('Artwork lisa#back')).toEqual(['vinci > vinci#second > lisa > lisa#back']);
    expect(to('Frame gilt')).toEqual(['vinci > vinci#first > lisa > lisa#front > gilt']);
    expect(to('Frame plain')).toEqual(['vinci > vinci#second > lisa > lisa#back > plain']);
  });

  it('goes on from a section by the links of its object', () => {
    expect(written(sided.pathsTo(target(sided, 'Frame oak')))).toEqual([
      'vinci > vinci#first > lisa > lisa#front > oak',
      'vinci > vinci#second > lisa > lisa#back > oak',
    ]);
  });

  it('reaches an object once, however many of its sections one target links to', () => {
    const topology = world(
      exhibition('e', {
        rooms: [
          {
            name: 'r',
            artworks: [
              { name: 'a', side: 'x' },
              { name: 'a', side: 'y' },
            ],
          },
        ],
      }),
      artwork('a', { sides: [{ name: 'x' }, { name: 'y' }] }),
    );
    expect(written(topology.pathsTo(target(topology, 'Artwork a')))).toEqual(['e > e#r > a']);
  });

  it('begins at the sections without links of an object that is linked by other sections only', () => {
    const topology = world(
      exhibition('e', { rooms: [{ name: 'r', artworks: [{ name: 'a', side: 'x' }] }] }),
      artwork('a', { frame: 'oak', sides: [{ name: 'x' }, { name: 'y' }] }),
      frame('oak'),
    );
    const to = (name: string) => written(topology.pathsTo(target(topology, name)));
    expect(to('Artwork a#y')).toEqual(['a > a#y']);
    expect(to('Artwork a')).toEqual(['e > e#r > a']);
    expect(to('Frame oak')).toEqual(['a > a#y > oak', 'e > e#r > a > a#x > oak']);
  });

  it('follows a target once that both a section and its object link to', () => {
    const topology = world(
      exhibition('e', { rooms: [{ name: 'r', artworks: [{ name: 'a', side: 'x' }] }] }),
      artwork('a', { frame: 'oak', sides: [{ name: 'x', frame: 'oak' }] }),
      frame('oak'),
    );
    expect(written(topology.pathsTo(target(topology, 'Frame oak')))).toEqual(['e > e#r > a > a#x > oak']);
  });

  it('computes paths on demand, up to a limit', () => {
    const { topology, at } = lineageOf(...ladder);
    const [first, second] = topology.pathsTo(at('a40'));
    expect(names(first ?? []).slice(0, 3)).toEqual(['a0', 'b0', 'a1']);
    expect(first).toHaveLength(81);
    expect(second).not.toEqual(first);
    expect(() => [...topology.pathsTo(at('a40'), { limit: 100 })]).toThrow(
      expect.objectContaining({ code: 'too-many-paths', message: expect.stringContaining('More than 100 paths') }),
    );
  });

  it('throws only when there is one path more than the limit', () => {
    const { topology, at } = lineageOf('a1 > b1 > c1', 'a1 > b2 > c1');
    expect([...topology.pathsTo(at('c1'), { limit: 2 })]).toHaveLength(2);
    expect(() => [...topology.pathsTo(at('c1'), { limit: 1 })]).toThrow('More than 1 paths lead to c.lineage');
  });

  it('can be iterated again, and is up to date with each iteration', () => {
    const { topology, at } = lineageOf('a1 > b1');
    const paths = topology.pathsTo(at('b1'));
    expect(written(paths)).toEqual(['a1 > b1']);
    expect(written(paths)).toEqual(['a1 > b1']);
    topology.apply({ remove: [at('a1').resource] });
    expect(written(paths)).toEqual(['b1']);
  });

  it('goes as deep as the topology is', () => {
    const { topology, at } = lineageOf(Array.from({ length: 20_000 }, (_, index) => `a${index}`).join(' > '));
    const [path] = topology.pathsTo(at('a19999'));
    expect(path).toHaveLength(20_000);
  });
});

describe('Topology.paths', () => {
  const { topology, at } = lineageOf('a1 > b1 > c1', 'a1 > b2 > c1', 'z1 > b1');

  it('leads from one target down to another', () => {
    expect(written(topology.paths(at('a1'), at('c1')))).toEqual(['a1 > b1 > c1', 'a1 > b2 > c1']);
    expect(written(topology.paths(at('z1'), at('c1')))).toEqual(['z1 > b1 > c1']);
  });

  it('is one path from a target to itself, and none upwards', () => {
    expect(written(topology.paths(at('b1'), at('b1')))).toEqual(['b1']);
    expect(written(topology.paths(at('c1'), at('a1')))).toEqual([]);
  });

  it("leads from a section by its own links and its object's", () => {
    const from = target(sided, 'Artwork lisa#front');
    expect(written(sided.paths(from, target(sided, 'Frame gilt')))).toEqual(['lisa#front > gilt']);
    expect(written(sided.paths(from, target(sided, 'Frame oak')))).toEqual(['lisa#front > oak']);
    expect(written(sided.paths(from, target(sided, 'Frame plain')))).toEqual([]);
  });

  it('leads from an object through all its sections', () => {
    expect(written(sided.paths(target(sided, 'Artwork lisa'), target(sided, 'Frame plain')))).toEqual([
      'lisa > lisa#back > plain',
    ]);
  });
});

describe('Topology.ancestors', () => {
  it('are all targets on paths down to a target', () => {
    const { topology, at } = lineageOf('g1 > r1 > b1', 'g2 > r1', 'g2 > r2 > b2');
    expect(names(topology.ancestors(at('b1')))).toEqual(['g1', 'g2', 'r1']);
    expect(topology.ancestors(at('g1'))).toEqual([]);
  });

  it('are not beside the section that a path enters', () => {
    expect(names(sided.ancestors(target(sided, 'Frame gilt')))).toEqual(['lisa', 'lisa#front', 'vinci', 'vinci#first']);
    expect(names(sided.ancestors(target(sided, 'Artwork lisa#back')))).toEqual(['lisa', 'vinci', 'vinci#second']);
  });

  it('costs no more than links, however many paths there are', () => {
    const { topology, at } = lineageOf(...ladder);
    expect(topology.ancestors(at('a40'))).toHaveLength(120);
    expect(topology.descendants(at('a0'))).toHaveLength(120);
  });

  it('does not visit other targets of their parents', () => {
    const { topology, at } = lineageOf('g1 > r1 > b1', 'g1 > r2');
    const links = at('g1').linksTo;
    let reads = 0;
    Object.defineProperty(at('g1'), 'linksTo', {
      get() {
        reads += 1;
        return links;
      },
    });
    expect(names(topology.ancestors(at('b1')))).toEqual(['g1', 'r1']);
    expect(reads).toBe(0);
    expect(topology.children(at('g1'))).toHaveLength(2);
    expect(reads).toBe(1);
  });
});

describe('Topology.descendants', () => {
  it('are all targets on paths from a target', () => {
    const { topology, at } = lineageOf('g1 > r1 > b1', 'g2 > r1', 'g2 > r2 > b2');
    expect(names(topology.descendants(at('g1')))).toEqual(['b1', 'r1']);
    expect(topology.descendants(at('b1'))).toEqual([]);
  });

  it('are not beside the section that a path enters', () => {
    expect(names(sided.descendants(target(sided, 'Exhibition vinci#first')))).toEqual([
      'lisa',
      'lisa#front',
      'gilt',
      'oak',
    ]);
    expect(names(sided.descendants(target(sided, 'Artwork lisa#front')))).toEqual(['gilt', 'oak']);
  });

  it('of a section leave out the links of its object if paths reach the section from the object only', () => {
    const topology = world(artwork('a', { frame: 'oak', sides: [{ name: 'x' }] }), frame('oak'));
    expect(names(topology.descendants(target(topology, 'Artwork a#x')))).toEqual([]);
    expect(names(topology.descendants(target(topology, 'Artwork a')))).toEqual(['a#x', 'oak']);
  });
});

describe('Topology.paths through an object that is linked as a whole and by one of its sections', () => {
  const topology = world(
    exhibition('whole', { rooms: [{ artworks: [{ name: 'a' }] }] }),
    exhibition('side', { rooms: [{ artworks: [{ name: 'a', side: 'x' }] }] }),
    artwork('a', { frame: 'oak', sides: [{ name: 'x' }, { name: 'y' }] }),
    frame('oak'),
  );
  const [oak, y] = [target(topology, 'Frame oak'), target(topology, 'Artwork a#y')];

  it('reach its other sections from the whole only, and so do not go on by its links', () => {
    expect(names(topology.descendants(y))).toEqual([]);
    expect(written(topology.paths(y, oak))).toEqual([]);
    expect(names(topology.ancestors(oak))).not.toContain('a#y');
    expect(names(topology.ancestors(y))).toEqual(['a', 'whole', 'whole#room-1']);
  });
});

describe('Topology.parents and Topology.children', () => {
  it('are one step away: the object of a section, its sections, and links', () => {
    const parents = (name: string) => names(sided.parents(target(sided, name)));
    const children = (name: string) => names(sided.children(target(sided, name)));
    expect(parents('Artwork lisa#front')).toEqual(['lisa', 'vinci#first']);
    expect(parents('Exhibition vinci')).toEqual([]);
    expect(children('Artwork lisa')).toEqual(['lisa#front', 'lisa#back', 'oak']);
    expect(children('Artwork lisa#front')).toEqual(['gilt']);
    expect(children('Frame oak')).toEqual([]);
  });
});
