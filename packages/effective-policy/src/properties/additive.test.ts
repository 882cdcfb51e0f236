/** Additive policies on random worlds, against a plain list of the policies on each path. */
import { additiveSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { anySpec } from '../conformance/policies.fixture.ts';
import { type EffectivePolicies, effectivePolicies } from '../lib/effective-policies.ts';
import { holds, written } from './compute.fixture.ts';
import { carePolicy, Museum, museumKinds, museumKindsOf, Namespace } from './museum.fixture.ts';
import { type ExpectedPath, expectedPaths } from './oracle/expected-paths.fixture.ts';
import { locate } from './oracle/paths.fixture.ts';
import { usual } from './profiles.fixture.ts';
import type { Rules } from './rules.fixture.ts';
import { narrowWorldsBy, type World, worldsBy } from './worlds.fixture.ts';

const groups = ['two', 'one'] as const;

/** What the second implementation needs to know to write out paths. */
const rules: Rules = { ...usual, dialect: { stanzas: 'bare', field: false, names: {}, unselected: 'patch' } };
const worlds = fc.oneof(worldsBy(fc.constant(rules)), narrowWorldsBy(fc.constant(rules))).map(inGroups);

/** Gives each second policy a group of its own; without one, the last group is that of a policy. */
function inGroups(world: World): World {
  const resources = world.resources.map((resource, place): KubernetesObject => {
    if (resource.kind !== carePolicy.kind) return resource;
    const { text: _, ...spec } = specOf(resource);
    return { ...resource, spec: place % 2 === 0 ? spec : { ...spec, text: 'two' } };
  });
  return { ...world, extensionRefs: false, resources };
}

function kindOf({ namespaceLevels, policyClass }: World) {
  return definePolicyKind({
    ...carePolicy,
    version: 'v1',
    targets: museumKinds.flatMap((kind) => [kind, ...Object.values(kind.sections)]),
    spec: anySpec,
    policyClass,
    stanzas: additiveSpec({ by: 'text', groups, otherwise: 'one' }),
    ...(namespaceLevels === undefined ? {} : { namespaceLevels: [Museum] }),
    crossNamespace: 'allow',
  });
}

type Specs = ReturnType<ReturnType<typeof kindOf>['read']>['policy'] extends
  | { layers: readonly { spec: infer Spec }[] }
  | undefined
  ? Spec
  : never;

function compute(world: World, resources = world.resources): EffectivePolicies<Specs> {
  const kind = kindOf(world);
  const topology = createTopology({
    targetKinds: [Namespace, ...museumKindsOf(world.needParent)],
    policyKinds: [kind],
  });
  topology.apply({ upsert: resources });
  return effectivePolicies(topology, kind);
}

/** The effective spec on each path that has one, as text, so that the order counts. */
function specsIn(effective: EffectivePolicies<Specs>): ReadonlyMap<string, string> {
  return new Map(
    [...effective].flatMap((it) => [...it.paths()].map((path) => [written(path), JSON.stringify(it.spec)] as const)),
  );
}

/** The policies on a path: the least specific first, the older first on one level, and each where it is most specific. */
function policiesOn({ levels }: ExpectedPath, { resources }: World): readonly KubernetesObject[] {
  const found = levels.flatMap((level) =>
    resources.filter((it) => it.kind === carePolicy.kind && targetsIn(it).includes(level)).sort(byAge),
  );
  return found.filter((policy, place) => found.lastIndexOf(policy) === place);
}

function targetsIn(policy: KubernetesObject): readonly string[] {
  const { targetRefs = [] } = specOf(policy) as { targetRefs?: readonly Record<string, string>[] };
  return targetRefs.map(({ kind = '', name = '', namespace, sectionName }) => {
    const object = locate(kind, name, namespace);
    return sectionName === undefined ? object : `${object}#${sectionName}`;
  });
}

function byAge(a: KubernetesObject, b: KubernetesObject): number {
  const [one, other] = [a, b].map(({ metadata }) => String(metadata.creationTimestamp ?? 'later'));
  if (one !== other) return String(one) < String(other) ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

function nameOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function listed(policies: readonly KubernetesObject[]): JsonObject {
  const inGroup = (group: string): [string, JsonObject][] => {
    const members = policies.filter((policy) => (specOf(policy).text ?? 'one') === group);
    const specs = members.map((policy): [string, JsonObject] => {
      const { text: _, targetRefs: __, ...spec } = specOf(policy);
      return [nameOf(policy), spec];
    });
    return specs.length === 0 ? [] : [[group, Object.fromEntries(specs)]];
  };
  return Object.fromEntries(groups.flatMap(inGroup));
}

describe('additive policies on random worlds', () => {
  holds('all count, by group, the least specific first, then the older', worlds, (world) => {
    const expected = expectedPaths(world).flatMap((path) => {
      const policies = policiesOn(path, world);
      return policies.length === 0 ? [] : [[path.path.join(' '), JSON.stringify(listed(policies))] as const];
    });
    expect(specsIn(compute(world))).toEqual(new Map(expected));
  });

  holds('lose nothing, and each says where it comes from', worlds, (world) => {
    for (const { spec, layers, losses, shares, originOf } of [...compute(world)].map(withOrigins)) {
      expect(losses).toEqual([]);
      expect(shares.map(({ outcome, contributes }) => [outcome, contributes])).toEqual(
        shares.map(() => ['enforced', true]),
      );
      const members = Object.entries(spec).flatMap(([group, all]) =>
        Object.keys(all).map((name) => [name, originOf(`/${group}/${name.replace('/', '~1')}`)?.policy.name]),
      );
      expect(members.map(([name]) => name).sort()).toEqual(layers.map(({ policy }) => policy.name).sort());
      for (const [name, origin] of members) expect(origin).toBe(name);
    }
  });

  const shuffled = worlds.chain((world) =>
    fc.tuple(fc.constant(world), fc.shuffledSubarray([...world.resources], { minLength: world.resources.length })),
  );
  holds('do not depend on the order of the resources (M-27)', shuffled, ([world, resources]) => {
    expect(specsIn(compute(world, resources))).toEqual(specsIn(compute(world)));
  });
});

function withOrigins(policy: ReturnType<EffectivePolicies<Specs>['of']>[number]) {
  const { spec, layers, losses, shares } = policy;
  return { spec, layers, losses, shares, originOf: (pointer: string) => policy.originOf(pointer) };
}
