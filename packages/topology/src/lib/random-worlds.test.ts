import { type KubernetesObject, objectsIn, specOf } from '@policy-machinery/resource';
import { readTargetRefs, readTargetSelectors } from '@policy-machinery/target-ref';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDot } from './drawing/dot.ts';
import { defineTargetKind } from './model/define-target-kind.ts';
import type { Position } from './model/path.ts';
import type { AttachableKind } from './model/policy-node.ts';
import type { Reference } from './model/reference.ts';
import { isSectionKind } from './model/target-kind.ts';
import type { TargetNode } from './model/target-node.ts';
import type { Topology } from './model/topology.ts';
import { deepFrozen, written } from './museum.fixture.ts';
import { ancestorsBy } from './paths/ancestors-by.ts';
import { positionsAfter, positionsBefore, rootPositions, targetsPassed } from './paths/position.ts';
import { createTopology } from './topology.ts';

/*
 * Random worlds of four ranks. Targets are written `name` and `name#section`; the rank of an object is the digit in its
 * name, and decides about its namespace. Links lead from any rank to any further down, and are declared by either of their
 * ends; some are refused by the other end, and some need a grant, which is there or not.
 */

const group = 'random.example.com';
const ranks = ['0', '1', '2', '3'];

interface Link {
  readonly from: string;
  readonly to: string;
  readonly declaredBy: 'from' | 'to';
  readonly guard: 'none' | 'refusal' | 'grant';
}
interface TopologyState {
  readonly objects: ReadonlyMap<string, readonly string[]>;
  readonly links: readonly Link[];
  /** The ranks with a ReferenceGrant in their namespace, so that other namespaces may refer to targets of these ranks. */
  readonly granting: readonly string[];
}

const worlds: fc.Arbitrary<TopologyState> = fc
  .array(fc.record({ rank: fc.constantFrom(...ranks), sections: fc.integer({ min: 0, max: 2 }) }), {
    minLength: 2,
    maxLength: 8,
  })
  .chain((shapes) => {
    const objects = new Map(
      shapes.map(({ rank, sections }, index): [string, string[]] => {
        const name = `${'abcdefgh'[index]}${rank}`;
        return [name, ['x', 'y'].slice(0, sections).map((section) => `${name}#${section}`)];
      }),
    );
    const targets = [...objects].flatMap(([name, sections]) => [name, ...sections]);
    const pairs = targets.flatMap((from) =>
      targets.filter((to) => rankOf(from) < rankOf(to)).map((to) => ({ from, to })),
    );
    const link = fc.record({
      pair: fc.constantFrom(...pairs, { from: '', to: '' }),
      declaredBy: fc.constantFrom('from', 'to'),
      guard: fc.constantFrom('none', 'none', 'refusal', 'grant', 'grant'),
    });
    const granting = fc.subarray([...ranks]);
    return fc.tuple(fc.array(link, { maxLength: 16 }), granting).map(([drawn, granting]) => ({
      objects,
      links: drawn.filter(({ pair }) => pair.from !== '').map(({ pair, ...rest }) => ({ ...pair, ...rest })),
      granting,
    }));
  });

function rankOf(target: string): string {
  return target[1] as string;
}

function namespaceOf(target: string): string {
  return Number(rankOf(target)) % 2 === 0 ? 'even' : 'odd';
}

/** Returns whether a declared link is made: neither end refuses the link, and a grant permits the link where one is needed. */
function isMade({ granting }: TopologyState, { from, to, declaredBy, guard }: Link): boolean {
  const [holder, end] = declaredBy === 'from' ? [from, to] : [to, from];
  if (guard !== 'grant') return guard === 'none';
  return namespaceOf(holder) === namespaceOf(end) || granting.includes(rankOf(end));
}

const targetKinds = ranks.map((rank) =>
  defineTargetKind({
    group,
    kind: `Rank${rank}`,
    sections: {
      part: {
        list: (resource) => objectsIn(specOf(resource).parts).map((value) => ({ name: String(value.name), value })),
        references: ({ value }) => referencesIn(value.links),
      },
    },
    references: (resource) => referencesIn(specOf(resource).links),
  }),
);

function referencesIn(links: unknown): readonly Reference[] {
  return objectsIn(links).map(({ direction, target, guard }): Reference => {
    const [name = '', section] = String(target).split('#');
    const to = { group, kind: `Rank${rankOf(name)}`, name, namespace: namespaceOf(name) };
    const toSections: Pick<Reference, 'toSections'> =
      section === undefined ? {} : { toSections: (part) => part.name === section };
    return {
      direction: direction === 'up' ? 'up' : 'down',
      to,
      pointer: '/spec/links',
      needsGrant: guard === 'grant',
      admits: () => (guard === 'refusal' ? { reason: 'Refused', message: 'no' } : undefined),
      ...toSections,
    };
  });
}

function resourcesOf({ objects, links, granting }: TopologyState): readonly KubernetesObject[] {
  const linksOf = (holder: string) =>
    links.flatMap(({ from, to, declaredBy, guard }) => {
      if ((declaredBy === 'from' ? from : to) !== holder) return [];
      return [
        declaredBy === 'from' ? { direction: 'down', target: to, guard } : { direction: 'up', target: from, guard },
      ];
    });
  const grants = granting.map((rank) => ({
    apiVersion: 'gateway.networking.k8s.io/v1beta1',
    kind: 'ReferenceGrant',
    metadata: { name: `to-${rank}`, namespace: namespaceOf(`x${rank}`) },
    spec: {
      from: ranks.map((it) => ({ group, kind: `Rank${it}`, namespace: namespaceOf(`x${it}`) })),
      to: [{ group, kind: `Rank${rank}` }],
    },
  }));
  const targets = [...objects].map(([name, sections]) => ({
    apiVersion: `${group}/v1`,
    kind: `Rank${rankOf(name)}`,
    metadata: { name, namespace: namespaceOf(name) },
    spec: {
      links: linksOf(name),
      parts: sections.map((section) => ({ name: section.slice(section.indexOf('#') + 1), links: linksOf(section) })),
    },
  }));
  return [...targets, ...grants];
}

/** Every beginning of every path, by the letter of the design: slow, and without any cleverness. */
function allPaths(world: TopologyState): ReadonlySet<string> {
  const { objects } = world;
  const links = world.links.filter((link) => isMade(world, link));
  const found = new Set<string>();
  const objectOf = (target: string) => target.split('#')[0] as string;
  const isLinked = (target: string) => linkEnds([...objects.keys(), ...[...objects.values()].flat()]).includes(target);
  /** Returns the ends of the links from places that a path passes together. A link to a whole object covers its sections. */
  const linkEnds = (places: readonly string[]): readonly string[] =>
    places.flatMap((place) => covered(links.filter(({ from }) => from === place).map(({ to }) => to)));
  const covered = (ends: readonly string[]) =>
    [...new Set(ends)].filter((end) => objectOf(end) === end || !ends.includes(objectOf(end)));

  const goOn = (path: readonly string[], places: readonly string[], sections: readonly string[]): void => {
    found.add(path.join(' > '));
    for (const section of sections) goOn([...path, section], [section], []);
    for (const end of covered(linkEnds(places))) {
      if (end === objectOf(end)) goOn([...path, end], [end], objects.get(end) ?? []);
      else enter([...path, objectOf(end)], end);
    }
  };
  /** Comes into a section by its object, and may go on by the links of both. */
  const enter = (path: readonly string[], section: string): void => {
    found.add(path.join(' > '));
    goOn([...path, section], [section, objectOf(section)], []);
  };
  for (const [object, sections] of objects) {
    if (isLinked(object)) continue;
    if (!sections.some(isLinked)) goOn([object], [object], sections);
    else for (const section of sections) if (!isLinked(section)) goOn([object, section], [section, object], []);
  }
  return found;
}

function build(resources: readonly KubernetesObject[], policyKinds: readonly AttachableKind[] = []): Topology {
  const topology = createTopology({ targetKinds, policyKinds });
  topology.apply({ upsert: resources });
  return topology;
}

function shortName(locator: string): string {
  return locator.slice(locator.indexOf('/') + 1);
}

describe('Topology', () => {
  it('finds the paths that a slow and literal search finds, and each once', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const topology = build(resourcesOf(world));
        const expected = allPaths(world);
        const actual = [...topology.targets].flatMap((to) => written(topology.pathsTo(to)));
        expect([...actual].sort()).toEqual([...expected].sort());
      }),
      { numRuns: 300 },
    );
  });

  it('has those ancestors and descendants that stand on a path before and after', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const topology = build(resourcesOf(world));
        const pairs = new Set(
          [...allPaths(world)].flatMap((path) => {
            const steps = path.split(' > ');
            return steps.slice(0, -1).map((above) => `${above} ${steps.at(-1)}`);
          }),
        );
        const all = [...topology.targets];
        const short = shortName;
        const above = all.flatMap((to) =>
          topology.ancestors(to).map((from) => `${short(from.locator)} ${short(to.locator)}`),
        );
        const below = all.flatMap((from) =>
          topology.descendants(from).map((to) => `${short(from.locator)} ${short(to.locator)}`),
        );
        const joined = all.flatMap((from) =>
          all
            .filter((to) => to !== from && [...topology.paths(from, to)].length > 0)
            .map((to) => `${short(from.locator)} ${short(to.locator)}`),
        );
        const isMeant = ({ kind }: TargetNode): boolean => kind === targetKinds[0] || isSectionKind(kind);
        const some = ancestorsBy({
          step: (before, _, above) => [...above, ...targetsPassed(before).filter(isMeant)],
        });
        for (const to of all) {
          const isOther = (it: TargetNode): boolean => it !== to.object; // No step leads to the object of a section that is entered.
          expect(some(to).filter(isOther)).toEqual(topology.ancestors(to).filter(isMeant).filter(isOther));
        }
        expect(above.sort()).toEqual([...pairs].sort());
        expect(below.sort()).toEqual([...pairs].sort());
        expect(joined.sort()).toEqual([...pairs].sort());
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the same whatever the order of resources, and however many changes they come in (M-27)', () => {
    const Policy: AttachableKind = {
      group,
      kind: 'Policy',
      scope: 'Namespaced',
      targets: [...targetKinds, ...targetKinds.flatMap(({ sections }) => Object.values(sections))],
      crossNamespace: 'granted',
      targetRefs: (policy) => readTargetRefs(policy, { orSelectors: true }),
      targetSelectors: readTargetSelectors,
    };
    const policies = ['a0', 'b1', 'c1', 'd2'].map((name) => ({
      apiVersion: `${group}/v1`,
      kind: 'Policy',
      metadata: { name: `on-${name}`, namespace: 'odd' },
      spec: {
        targetRefs: [
          { group, kind: `Rank${rankOf(name)}`, name, namespace: namespaceOf(name) },
          { group, kind: `Rank${rankOf(name)}`, name: 'z', sectionName: 'x' },
        ],
      },
    }));
    const selecting = {
      apiVersion: `${group}/v1`,
      kind: 'Policy',
      metadata: { name: 'selecting', namespace: 'odd' },
      spec: { targetSelectors: ranks.map((rank) => ({ group, kind: `Rank${rank}`, namespaces: { from: 'All' } })) },
    };
    const cases = worlds.chain((world) => {
      const resources = deepFrozen([...resourcesOf(world), ...policies, selecting]);
      const all = { minLength: resources.length, maxLength: resources.length };
      return fc.record({
        resources: fc.constant(resources),
        shuffled: fc.shuffledSubarray(resources, all),
        first: fc.nat({ max: resources.length }),
      });
    });
    fc.assert(
      fc.property(cases, ({ resources, shuffled, first }) => {
        const expected = described(build(resources, [Policy]));
        expect(described(build(shuffled, [Policy]))).toEqual(expected);

        const piecemeal = build(shuffled.slice(first), [Policy]);
        piecemeal.apply({ upsert: shuffled.slice(0, first) });
        piecemeal.apply({ remove: shuffled.slice(first) });
        piecemeal.apply({ upsert: shuffled.slice(first) });
        expect(described(piecemeal)).toEqual(expected);
      }),
    );
  });
});

describe('positionsBefore', () => {
  it('is the reverse of positionsAfter, on all paths that there are', () => {
    const keyOf = ({ node, entered }: Position) => `${node.locator} ${entered}`;
    fc.assert(
      fc.property(worlds, (world) => {
        const after = new Map<string, readonly string[]>();
        const queue = [...rootPositions(build(resourcesOf(world)).targets)];
        const reached: Position[] = [];
        for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
          if (after.has(keyOf(position))) continue;
          const next = [...positionsAfter(position)];
          after.set(keyOf(position), next.map(keyOf));
          reached.push(position);
          queue.push(...next);
        }
        for (const position of reached) {
          const before = [...positionsBefore(position)].map(keyOf).filter((key) => after.has(key));
          const expected = [...after].flatMap(([key, next]) =>
            next.filter((it) => it === keyOf(position)).map(() => key),
          );
          expect(before.sort()).toEqual(expected.sort());
        }
      }),
      { numRuns: 150 },
    );
  });
});

/** Returns everything that a topology shows to its users. */
function described(topology: Topology): unknown {
  const locators = (nodes: Iterable<{ readonly locator: string }>) => [...nodes].map(({ locator }) => locator);
  return {
    targets: [...topology.targets].map((node) => [node.locator, locators(node.linksFrom), locators(node.linksTo)]),
    attached: [...topology.targets].map((node) => locators(topology.policiesAt(node))),
    policies: topology
      .policies()
      .map(({ attachments }) => attachments.map(({ outcome, target }) => [outcome, target?.locator])),
    positions: topology.positions.map(({ node, entered }) => [node.locator, entered]),
    unresolved: topology.unresolved.map(({ from, missing }) => [from.locator, missing]),
    refused: topology.refused.map(({ from, to, reason }) => [from.locator, to, reason]),
    issues: topology.issues,
    dot: toDot(topology),
  };
}
