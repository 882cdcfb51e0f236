import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answersAbout } from './answers.fixture.ts';
import { acceptedAt, childrenOf, type Place, rules } from './expected.fixture.ts';
import {
  type OwnerData,
  objectsOf,
  parentRefOf,
  type RouteData,
  type WorldData,
  worlds,
} from './random-world.fixture.ts';

/** How many clusters are tried: `npm run check` tries more. */
const numRuns = Number(process.env.CONSISTENCY_WORLDS ?? 40);

describe('the answers of Gateway API about a cluster, by each interface', () => {
  it('is the same as in its documents', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { accepted, counts, parents, conflicts, inForce, findings } = answersAbout(objectsOf(world));
        const expected = expectedIn(world);
        expect(accepted.topology).toEqual(expected.accepted);
        expect(accepted.gatewayListeners).toEqual(accepted.topology);
        expect(accepted.traceRequest).toEqual(expected.accepted);
        expect(counts.listenerStatuses).toEqual(expected.counts);
        expect(counts.planStatus).toEqual(expected.plannedCounts);
        expect(parents.routeStatuses).toEqual(expected.parents);
        expect(parents.planStatus).toEqual(expected.planned);
        expect(conflicts.gatewayListeners).toEqual(conflicts.listenerStatuses);
        const conflicted = conflicts.listenerStatuses.map((text) => text.replace(/ \w+$/, ''));
        expect(conflicts.traceRequest.filter((listener) => conflicted.includes(listener))).toEqual([]);
        expect(inForce).toEqual(expected.inForce);
        expect(findings).toEqual(expected.findings);
      }),
      { numRuns },
    );
  });
});

describe('the answers of Gateway API about a cluster that changes', () => {
  it('is the answer about the changed cluster', () => {
    fc.assert(
      fc.property(worlds, worlds, (before, now) => {
        const objects = objectsOf(now);
        expect(answersAbout(objects, objectsOf(before))).toEqual(answersAbout(objects));
      }),
      { numRuns },
    );
  });
});

describe('each rule of Gateway API', () => {
  it.each(Object.entries(rules))('has one place: %s', (_, [file, name]) => {
    const folder = fileURLToPath(new URL('../../../../gateway-api/src/lib/', import.meta.url));
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((it) =>
      /(?<!test)\.ts$/.test(it),
    );
    const defining = sources.filter((it) =>
      new RegExp(`^(export )?(function|const|class) ${name}\\b`, 'm').test(readFileSync(join(folder, it), 'utf8')),
    );
    expect(defining).toEqual([file]);
  });
});

const nameOf = ({ kind, namespace, name }: Pick<RouteData, 'namespace' | 'name'> & { readonly kind: string }) =>
  `${kind} ${namespace}/${name}`;
const placeOf = ({ owner, listener }: Place) => `${nameOf(owner)}#${listener.name}`;
const sorted = (texts: readonly string[]) => [...new Set(texts)].sort();

/** Returns what the naive implementation says, in the format of {@link answersAbout}. */
function expectedIn(world: WorldData) {
  const { owners, routes } = world;
  const places = acceptedAt(world);
  const pairs = routes.flatMap((route) =>
    (places.get(route) ?? []).flat().map((place) => `${placeOf(place)} > ${nameOf(route)}`),
  );
  const parentsOf = (route: RouteData) => routes.filter((parent) => childrenOf(world, parent).includes(route));
  const isAttached = (route: RouteData): boolean =>
    (places.get(route) ?? []).flat().length > 0 || parentsOf(route).some(isAttached);
  const entry = (route: RouteData, parentRef: object, isAccepted: boolean) =>
    `${nameOf(route)} ${JSON.stringify(Object.entries(parentRef).sort())} ${isAccepted ? 'True' : 'False'}`;
  const delegated = routes.flatMap((route) =>
    route.parents.length > 0
      ? []
      : parentsOf(route).map(({ namespace, name }) =>
          entry(route, { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace, name }, true),
        ),
  );
  /** A ListenerSet belongs to the controller of its Gateway. */
  const hasController = ({ kind, gateway }: OwnerData) =>
    kind === 'Gateway' || owners.some((it) => it.kind === 'Gateway' && it.name === gateway);
  const named = routes.flatMap((route) =>
    route.parents.map((parent, index) => {
      const delegating = route.kind === 'HTTPRoute' ? routes : [];
      const all = parent.kind === 'HTTPRoute' ? delegating : owners.filter(hasController);
      const isPlanned = all.some((it) => nameOf(it) === nameOf(parent));
      const isAccepted =
        parent.kind === 'HTTPRoute'
          ? parentsOf(route).some((it) => nameOf(it) === nameOf(parent))
          : (places.get(route)?.[index] ?? []).length > 0;
      return { route, parent, index, isPlanned, isAccepted, text: entry(route, parentRefOf(parent), isAccepted) };
    }),
  );
  const countsOf = (owner: OwnerData) =>
    owner.listeners.map((listener) => {
      const place = placeOf({ owner, listener });
      return `${place} ${new Set(pairs.filter((it) => it.startsWith(`${place} > `))).size}`;
    });
  return {
    accepted: sorted(pairs),
    counts: sorted(owners.flatMap(countsOf)),
    plannedCounts: sorted(owners.filter(hasController).flatMap(countsOf)),
    parents: sorted([...named.map(({ text }) => text), ...delegated]),
    planned: sorted([...named.filter(({ isPlanned }) => isPlanned).map(({ text }) => text), ...delegated]),
    inForce: sorted(routes.filter(isAttached).map(nameOf)),
    findings: sorted(
      named
        .filter(({ parent, isAccepted }) => !isAccepted && owners.some(({ kind }) => kind === parent.kind))
        .map(({ route, index }) => `${nameOf(route)} /spec/parentRefs/${index}`),
    ),
  };
}
