import { atomic } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { type KubernetesObject, objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import { createTopology, defineTargetKind, type Topology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySpec } from '../conformance/policies.fixture.ts';
import { effectivePolicies } from '../index.ts';
import { numRuns } from './compute.fixture.ts';

const group = 'roads.example.com';
const Namespace = defineTargetKind({ group: '', kind: 'Namespace', scope: 'Cluster' });
const memberOf = (label: string) => (object: KubernetesObject) => object.metadata.labels?.[label];
const Tenant = defineTargetKind({ group, kind: 'Tenant', scope: 'Cluster', memberOf: memberOf('tenant') });
const App = defineTargetKind({ group, kind: 'App', memberOf: memberOf('app') });
const Gate = defineTargetKind({ group, kind: 'Gate' });
const Road = defineTargetKind({
  group,
  kind: 'Road',
  *references(road) {
    for (const { name } of objectsIn(specOf(road).gates))
      yield { direction: 'up', to: { group, kind: 'Gate', name: stringIn(name) ?? '' }, pointer: '/spec/gates' };
  },
  sections: { lane: { list: (road) => objectsIn(specOf(road).lanes).map((value) => ({ name: 'left', value })) } },
});

const targetKinds = [Namespace, Tenant, App, Gate, Road];
const Toll = definePolicyKind({
  group,
  version: 'v1',
  kind: 'Toll',
  targets: targetKinds,
  effectiveTargets: [Road.sections.lane],
  clusterScopedTargets: 'allow',
  spec: anySpec,
  stanzas: defaultsAndOverrides({ strategies: { atomic } }),
});

const namespace = 'east';
const object = (kind: string, name: string, more: object = {}): KubernetesObject => {
  const isClusterScoped = kind === 'Tenant' || kind === 'Namespace';
  const { labels, ...fields } = { labels: {}, ...more };
  const apiVersion = kind === 'Namespace' ? 'v1' : `${group}/v1`;
  return { apiVersion, kind, metadata: { name, labels, ...(isClusterScoped ? {} : { namespace }) }, ...fields };
};

/** A policy on a level, named after the level. */
const toll = (kind: string, name: string): KubernetesObject => {
  const targetRefs = [{ group: kind === 'Namespace' ? '' : group, kind, name }];
  const by = `${kind}-${name}`.toLowerCase();
  return object('Toll', by, { spec: { targetRefs, overrides: { by } } });
};

const label = fc.constantFrom(undefined, 'a', 'b', 'missing');
const labels = fc.record({ tenant: label, app: label }).map((all) => {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
});
const lanes = [{ width: 1 }];
const changed: fc.Arbitrary<KubernetesObject> = fc.oneof(
  fc.tuple(fc.constantFrom('x', 'y'), labels).map(([name, own]) => object('Gate', name, { labels: own })),
  fc
    .tuple(labels, fc.subarray(['x', 'y']))
    .map(([own, gates]) =>
      object('Road', 'r', { labels: own, spec: { lanes, gates: gates.map((name) => ({ name })) } }),
    ),
  fc.constantFrom(
    ...['a', 'b'].flatMap((name) => [
      object('Tenant', name),
      object('App', name),
      toll('Tenant', name),
      toll('App', name),
    ]),
    ...['x', 'y'].map((name) => toll('Gate', name)),
    object('Namespace', namespace),
    toll('Namespace', namespace),
    toll('Road', 'r'),
  ),
);
const steps = fc.array(fc.record({ remove: fc.boolean(), it: changed }), { minLength: 5, maxLength: 40 });

/** Returns what must apply to the lane on each path: the override of the first level with a policy. Computed from the objects alone. */
function expected(held: ReadonlyMap<string, KubernetesObject>): readonly (string | undefined)[] {
  const levelsOf = (kind: string, name: string): readonly string[] => {
    const own = held.get(`${kind}-${name}`)?.metadata.labels ?? {};
    const around = [`Tenant-${own.tenant}`, `Namespace-${namespace}`, `App-${own.app}`].filter((it) => held.has(it));
    return [...around, `${kind}-${name}`];
  };
  const gates = objectsIn(specOf(held.get('Road-r') ?? object('Road', 'r')).gates).map(({ name }) => String(name));
  const above = gates.filter((name) => held.has(`Gate-${name}`)).map((name) => levelsOf('Gate', name));
  return (above.length === 0 ? [[]] : above).map((levels) => {
    const winner = [...levels, ...levelsOf('Road', 'r')].find((level) => held.has(`Toll-${level.toLowerCase()}`));
    return winner?.toLowerCase();
  });
}

function applying(topology: Topology): readonly unknown[] {
  const view = effectivePolicies(topology, Toll);
  const lane = `road.${group}:${namespace}/r#left`;
  return [
    ...view.of(lane).flatMap(({ spec, pathCount }) => Array(Number(pathCount)).fill((spec as { by?: string }).by)),
    ...view.uncovered(lane).flatMap(({ pathCount }) => Array(Number(pathCount)).fill(undefined)),
  ];
}

/** Returns the different specs, as one text. */
const specsIn = (found: readonly unknown[]): string => [...new Set(found)].filter(Boolean).sort().join();

describe('containers of custom kinds', () => {
  it('are levels on every path of their members, whatever came first and whichever labels change', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const topology = createTopology({ targetKinds, policyKinds: [Toll] });
        const view = effectivePolicies(topology, Toll);
        const reader = view.changes();
        const held = new Map<string, KubernetesObject>();
        for (const { remove, it } of all) {
          const key = `${it.kind}-${it.metadata.name}`;
          const had = applying(topology);
          if (remove) held.delete(key);
          else held.set(key, it);
          topology.apply(remove ? { remove: [it] } : { upsert: [it] });
          if (!held.has('Road-r')) continue;
          const found = applying(topology);
          expect([...found].sort()).toEqual([...expected(held)].sort());
          const fresh = createTopology({ targetKinds, policyKinds: [Toll] });
          fresh.apply({ upsert: held.values() });
          expect(found).toEqual(applying(fresh));
          const delta = JSON.stringify([...reader.take().targets]);
          if (specsIn(found) !== specsIn(had)) expect(delta).toContain('road.');
        }
      }),
      { numRuns: numRuns * 5 },
    );
  });
});
