import { ancestorKey } from '@policy-machinery/conditions';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { isJsonObject, type JsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryOut, resourceIn } from '../lib/cluster.fixture.ts';
import { planStatus } from '../lib/plan/plan-status.ts';
import { runs } from './runs.fixture.ts';
import { kinds, type World, worlds } from './worlds.fixture.ts';

const controllerName = 'example.com/gateways';
const settings = { controllerName, now: new Date('2026-01-02T03:04:05Z') };

/** A condition that a former or later version of the controller has written. */
const condition = fc.record({
  type: fc.constantFrom(
    ...['Accepted', 'Programmed', 'ResolvedRefs', 'Aggregated', 'Audited', 'example.com/Paid'],
    ...['example.com/TimeoutPolicyAffected', 'example.com/RetryPolicyAffected'],
    'example.com/RetryPolicyAncestorLimitReached',
  ),
  status: fc.constantFrom('True', 'False', 'Unknown'),
  reason: fc.constantFrom('Said', 'Accepted'),
  message: fc.constantFrom('', 'By a newer version.'),
  observedGeneration: fc.constantFrom(0, 1),
  lastTransitionTime: fc.constant('2025-01-01T00:00:00Z'),
});
const conditions = fc.uniqueArray(condition, { selector: ({ type }) => type, minLength: 1, maxLength: 8 });
/** Fields of entries of policies besides conditions, of renderings by target and of versions to come. Entries of routes have none. */
const others = {
  ancestorRef: {
    targets: fc.constantFrom([], [{ targetRef: { kind: 'HTTPRoute', name: 'r1' }, conditions: [] }]),
    phase: fc.constant('Ready'),
  },
  parentRef: {},
};
const entriesWith = (ref: 'ancestorRef' | 'parentRef', controller: string): fc.Arbitrary<readonly JsonObject[]> =>
  fc.uniqueArray(
    fc
      .record(
        { name: fc.constantFrom('g1', 'g2', 'g3', 'gone'), conditions, ...others[ref] },
        { requiredKeys: ['name', 'conditions'] },
      )
      .map(({ name, ...rest }): JsonObject => ({ [ref]: { name }, controllerName: controller, ...rest })),
    { selector: (entry) => JSON.stringify(entry[ref]), maxLength: 4 },
  );

/** What policies and routes have in their statuses: entries of this controller, and of another one. */
const earlier = (ref: 'ancestorRef' | 'parentRef') =>
  fc.tuple(entriesWith(ref, controllerName), entriesWith(ref, 'other.example.com/gateways'));
const earlierOfAll = fc.record({
  policies: fc.array(earlier('ancestorRef'), { minLength: 4, maxLength: 4 }),
  routes: fc.array(earlier('parentRef'), { minLength: 3, maxLength: 3 }),
});

interface Variant {
  /** Whether routes have a status of their kind. */
  readonly statuses: boolean;
  readonly rendering: 'ancestors' | 'conditions' | 'targets';
}
const variants: fc.Arbitrary<Variant> = fc.record({
  statuses: fc.boolean(),
  rendering: fc.constantFrom('ancestors', 'conditions', 'targets'),
});

const fields: Readonly<Record<string, string>> = { TimeoutPolicy: 'ancestors', HTTPRoute: 'parents' };

/** Plans and writes the statuses of a world, whose policies and routes have some entries before. Returns the entries after that, by object. */
function entriesAfter(
  { rules, resources }: World,
  entriesOf: (object: KubernetesObject) => readonly object[],
  { statuses, ...options }: Variant,
): ReadonlyMap<string, readonly JsonObject[]> {
  const topology = createTopology({ targetKinds: gatewayApi({ statuses }), policyKinds: [kinds[rules]] });
  const withEntries = resources.map((it): KubernetesObject => {
    const field = fields[it.kind];
    if (field === undefined) return it;
    return { ...it, status: { [field]: entriesOf(it) } };
  });
  topology.apply({ upsert: withEntries });
  carryOut(topology, planStatus(effectivePolicies(topology, kinds[rules]), { ...settings, ...options }).writes);
  return new Map(
    withEntries.flatMap(({ kind, metadata: { name } }) => {
      const field = fields[kind];
      if (field === undefined) return [];
      const group = kind === 'HTTPRoute' ? 'gateway.networking.k8s.io' : 'example.com';
      const { status } = resourceIn(topology, `${kind.toLowerCase()}.${group}:shop/${name}`);
      return [[`${kind} ${name}`, objectsIn(isJsonObject(status) ? status[field] : undefined)]];
    }),
  );
}

const isOwn = (entry: JsonObject) => entry.controllerName === controllerName;

/** Returns an own entry without what a fresh plan need not have: times, the order of conditions, and the spelling of the reference. */
function contentOf({ ancestorRef, parentRef, conditions, ...rest }: JsonObject): unknown {
  const sorted = [...objectsIn(conditions)].sort((one, other) => (String(one.type) < String(other.type) ? -1 : 1));
  const entry = { key: ancestorKey(ancestorRef ?? parentRef, 'shop')?.text, ...rest, conditions: sorted };
  return JSON.parse(JSON.stringify(entry, (key, value) => (key === 'lastTransitionTime' ? undefined : value)));
}

const contentsOf = (entries: readonly JsonObject[] = []) =>
  entries
    .filter(isOwn)
    .map(contentOf)
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

describe('a plan over the entries of another version of the controller', () => {
  it('leaves its entries as a fresh plan writes them, and entries of others unchanged (S-14, X-31)', () => {
    fc.assert(
      fc.property(worlds, earlierOfAll, variants, (world, before, variant) => {
        const entriesOf = ({ kind, metadata: { name } }: KubernetesObject) => {
          const all = kind === 'HTTPRoute' ? before.routes : before.policies;
          return all[Number(name.slice(1)) - 1] ?? [[], []];
        };
        const isKnown = (entry: JsonObject) => {
          // Without a status of its own, a route's entry may have conditions of the program that writes that status.
          const list = objectsIn(entry.conditions);
          return (
            variant.statuses || list.every(({ type }) => String(type).match(/^example\.com\/.*(Affected|Reached)$/))
          );
        };
        const stored = (object: KubernetesObject) => {
          const [own = [], others = []] = entriesOf(object);
          const kept = object.kind === 'HTTPRoute' ? own.filter(isKnown) : own;
          return [...others.slice(0, 1), ...kept, ...others.slice(1)];
        };
        const othersOf = new Map(
          world.resources.map((it) => [`${it.kind} ${it.metadata.name}`, entriesOf(it)[1] ?? []]),
        );
        const after = entriesAfter(world, stored, variant);
        const fresh = entriesAfter(world, (object) => entriesOf(object)[1] ?? [], variant);
        for (const [object, entries] of after) {
          expect(contentsOf(entries), object).toEqual(contentsOf(fresh.get(object)));
          expect(
            entries.filter((entry) => !isOwn(entry)),
            object,
          ).toEqual(othersOf.get(object));
        }
      }),
      { numRuns: runs(250) },
    );
  });
});
