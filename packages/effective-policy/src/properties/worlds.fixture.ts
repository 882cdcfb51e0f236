/** Random small clusters: targets, how they are linked, and policies on them. */
import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { at } from '../conformance/policies.fixture.ts';
import { group, museumResource, type Rank, ranks } from './museum.fixture.ts';
import { type KindOptions, modeAnnotation, type Rules, weightAnnotation } from './rules.fixture.ts';
import { type Body, bodyBy, present, specProper } from './specs.fixture.ts';

/** A small cluster: targets and policies, and the rules for them. */
export interface World extends KindOptions {
  readonly rules: Rules;
  /** The kinds that are in force only below a parent. */
  readonly needParent: readonly Rank[];
  readonly resources: readonly KubernetesObject[];
}

const name = fc.constantFrom('a', 'b');
const namespaces = ['east', 'west'] as const;
const namespace = fc.constantFrom(...namespaces);

const object = (mode: fc.Arbitrary<string>) =>
  fc.record({
    rank: fc.nat(ranks.length - 1),
    namespace,
    sections: fc.uniqueArray(name, { maxLength: 2 }),
    own: fc.option(specProper, { freq: 3, nil: undefined }),
    mode: fc.option(mode, { freq: 3, nil: undefined }),
    /** The places of the policies that its first section names. */
    policies: fc.array(fc.nat(5), { maxLength: 2 }),
  });
const link = fc.record({
  from: fc.nat(),
  fromSection: fc.option(name, { nil: undefined }),
  to: fc.nat(),
  toSections: fc.option(fc.uniqueArray(name, { minLength: 1, maxLength: 2 }), { nil: undefined }),
  holder: fc.constantFrom('above', 'below'),
});
const policy = (body: fc.Arbitrary<Body>) =>
  fc.record({
    namespace,
    seconds: fc.option(fc.nat(2), { freq: 6, nil: undefined }),
    weight: fc.option(fc.integer({ min: -1, max: 1 }), { nil: undefined }),
    targets: fc.array(fc.record({ at: fc.nat(), section: fc.option(name, { nil: undefined }) }), {
      minLength: 1,
      maxLength: 3,
    }),
    body,
  });

type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type ObjectShape = ValueOf<ReturnType<typeof object>>;
type LinkShape = ValueOf<typeof link>;
type PolicyShape = ValueOf<ReturnType<typeof policy>>;

interface Shape {
  readonly namespaces: readonly string[];
  readonly objects: readonly ObjectShape[];
  readonly links: readonly LinkShape[];
  readonly policies: readonly PolicyShape[];
}

const kindOptions: fc.Arbitrary<KindOptions> = fc.record({
  namespaceLevels: fc.constantFrom(undefined, ['Museum'] as const),
  extensionRefs: fc.boolean(),
  policyClass: fc.constantFrom('Inherited', 'Inherited', 'Inherited', 'Direct'),
});

const needParent = fc.constantFrom<(readonly Rank[])[]>([], [], ['Exhibition'], ['Museum', 'Artwork']);

/** Worlds with objects and links of any shape, for paths of all kinds. */
export function worldsBy(rules: fc.Arbitrary<Rules>): fc.Arbitrary<World> {
  return worldsOf(rules, (parts) =>
    fc.record({
      namespaces: fc.subarray([...namespaces]),
      objects: fc.array(parts.object, { minLength: 1, maxLength: 7 }),
      links: fc.array(link, { maxLength: 12 }),
      policies: fc.array(parts.policy, { minLength: 1, maxLength: 6 }),
    }),
  );
}

/** Worlds with one object of each rank, each linked to the next one, and many policies: so that these meet. */
export function narrowWorldsBy(rules: fc.Arbitrary<Rules>): fc.Arbitrary<World> {
  return worldsOf(rules, (parts) =>
    fc.record({
      namespaces: fc.constant(['east']),
      objects: fc
        .array(parts.object, { minLength: ranks.length, maxLength: ranks.length })
        .map((objects) => objects.map((it, rank) => ({ ...it, rank, namespace: 'east' as const }))),
      links: fc
        .array(link, { minLength: ranks.length - 1, maxLength: ranks.length - 1 })
        .map((links) => links.map((it, from) => ({ ...it, from, to: from + 1 }))),
      policies: fc.array(parts.policy, { minLength: 2, maxLength: 6 }),
    }),
  );
}

function worldsOf(
  rules: fc.Arbitrary<Rules>,
  shapes: (parts: { object: fc.Arbitrary<ObjectShape>; policy: fc.Arbitrary<PolicyShape> }) => fc.Arbitrary<Shape>,
): fc.Arbitrary<World> {
  return fc.tuple(rules, kindOptions, needParent).chain(([rules, options, needParent]) => {
    const { strategyChooser } = rules;
    const modes = strategyChooser.by === 'annotation' ? Object.keys(strategyChooser.values) : [];
    const parts = { object: object(fc.constantFrom('unknown', ...modes)), policy: policy(bodyBy(rules)) };
    return shapes(parts).map((shape) => ({ rules, ...options, needParent, resources: resourcesOf(shape) }));
  });
}

function resourcesOf({ namespaces, objects, links, policies }: Shape): KubernetesObject[] {
  const placed = objects.map((shape, index) => ({ ...shape, kind: ranks[shape.rank] as Rank, name: `o${index}` }));
  const refsOf = refsByHolder(placed, links);
  return [
    ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    ...placed.map(({ kind, name, namespace, sections, own, mode, policies: named }) => {
      const resource = museumResource(kind, name, namespace, {
        refs: refsOf.get(name) ?? [],
        sections: sections.map((section, index) => ({
          name: section,
          refs: refsOf.get(`${name}#${section}`) ?? [],
          ...(index === 0 && kind !== 'City' ? { policies: named.map((place) => `p${place}`) } : {}),
          ...(section === 'a' ? present({ own }) : {}),
        })),
        ...present({ own }),
      });
      return mode === undefined ? resource : annotated(resource, modeAnnotation, mode);
    }),
    ...policies.map((policy, index) => policyOf(policy, index, placed)),
  ];
}

type Placed = ObjectShape & { readonly kind: Rank; readonly name: string };

function refsByHolder(objects: readonly Placed[], links: readonly LinkShape[]): Map<string, object[]> {
  const refs = new Map<string, object[]>();
  for (const { from, fromSection, to, toSections, holder } of links) {
    const [one, other] = [objects[from % objects.length], objects[to % objects.length]] as [Placed, Placed];
    if (one.rank === other.rank) continue;
    const [above, below] = one.rank < other.rank ? [one, other] : [other, one];
    const [held, target] = holder === 'above' ? [above, below] : [below, above];
    if (fromSection !== undefined && !held.sections.includes(fromSection)) continue;
    const key = fromSection === undefined ? held.name : `${held.name}#${fromSection}`;
    const { kind, name, namespace } = target;
    refs.set(key, [...(refs.get(key) ?? []), { kind, name, namespace, ...present({ sections: toSections }) }]);
  }
  return refs;
}

function policyOf(shape: PolicyShape, index: number, objects: readonly Placed[]): KubernetesObject {
  const targetRefs: Record<string, string>[] = [];
  for (const { at: place, section } of shape.targets) {
    const target = objects[place % (objects.length + 1)];
    const ref =
      target === undefined
        ? { group: '', kind: 'Namespace', name: shape.namespace }
        : { group, kind: target.kind, name: target.name, namespace: target.namespace };
    const withSection = target !== undefined && section !== undefined && target.sections.includes(section);
    const clashes = targetRefs.some(
      (other) =>
        other.name === ref.name && (!withSection || other.sectionName === undefined || other.sectionName === section),
    );
    if (!clashes) targetRefs.push(withSection ? { ...ref, sectionName: section } : ref);
  }
  const resource = {
    apiVersion: 'care.example.com/v1',
    kind: 'CarePolicy',
    metadata: {
      name: `p${index}`,
      namespace: shape.namespace,
      ...(shape.seconds === undefined ? {} : { creationTimestamp: at(shape.seconds) }),
    },
    spec: { targetRefs, ...shape.body } as KubernetesObject['spec'],
  };
  return shape.weight === undefined ? resource : annotated(resource, weightAnnotation, String(shape.weight));
}

function annotated(resource: KubernetesObject, annotation: string, value: string): KubernetesObject {
  return { ...resource, metadata: { ...resource.metadata, annotations: { [annotation]: value } } };
}
