import { atomic, none, patch } from '@policy-machinery/merge';
import { bareSpec, defaultsAndOverrides, definePolicyKind, type PolicyKind } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { anySpec, at } from '../seeds/policies.fixture.ts';
import { group, Museum, museumKinds, museumResource, type Rank, ranks } from './museum.fixture.ts';

/** How the policies of a world are merged. */
export interface Rules {
  readonly merging: 'none' | 'merging';
  readonly sameLevel: 'oldest-wins' | 'established-challenger';
  readonly reduction: 'bottom-up' | 'gep-stack';
  /** The kinds above whose objects a namespace counts; `undefined` for all. */
  readonly namespaceLevels: readonly 'Museum'[] | undefined;
}

/** A small cluster: targets and policies, and the rules for them. */
export interface World {
  readonly rules: Rules;
  readonly resources: readonly KubernetesObject[];
}

/** The policy kind of a world. It may target everything and has an effect on everything. */
export function policyKindOf({ rules }: World): PolicyKind<Record<string, unknown>> {
  const targets = museumKinds.flatMap((kind) => [kind, ...Object.values(kind.sections)]);
  return definePolicyKind({
    group: 'care.example.com',
    version: 'v1',
    kind: 'CarePolicy',
    targets,
    spec: anySpec,
    stanzas:
      rules.merging === 'none'
        ? bareSpec({ strategies: { none } })
        : defaultsAndOverrides({ strategies: { atomic, patch }, together: 'all' }),
    sameLevel: rules.sameLevel,
    reduction: rules.reduction,
    ...(rules.namespaceLevels === undefined ? {} : { namespaceLevels: [Museum] }),
    crossNamespace: 'allow',
    ownValue: ({ resource, section }) => {
      const { own } = section?.value ?? (resource.spec as JsonObject | undefined) ?? {};
      return isJsonObject(own) ? own : undefined;
    },
  });
}

const name = fc.constantFrom('a', 'b');
const namespaces = ['east', 'west'] as const;
const namespace = fc.constantFrom(...namespaces);

/** A spec proper: few keys, so that policies meet; scalars, lists, objects and empty objects. No `null`. */
const { field } = fc.letrec<{ field: unknown; object: Record<string, unknown> }>((tie) => ({
  field: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(1, 2, 'red', false, ['x'], ['x', 'y'], []),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('p', 'q', 'r/s'), tie('field'), { maxKeys: 3, noNullPrototype: true }),
}));
const specProper = fc.dictionary(fc.constantFrom('p', 'q', 'r/s', 'constructor'), field, {
  maxKeys: 4,
  noNullPrototype: true,
});

const object = fc.record({
  rank: fc.nat(ranks.length - 1),
  namespace,
  sections: fc.uniqueArray(name, { maxLength: 2 }),
  own: fc.option(specProper, { freq: 3, nil: undefined }),
});
const link = fc.record({
  from: fc.nat(),
  fromSection: fc.option(name, { nil: undefined }),
  to: fc.nat(),
  toSections: fc.option(fc.uniqueArray(name, { minLength: 1, maxLength: 2 }), { nil: undefined }),
  holder: fc.constantFrom('above', 'beneath'),
});

const strategy = fc.constantFrom({}, { strategy: 'atomic' }, { strategy: 'patch' });
const stanza = fc.tuple(strategy, specProper).map(([selected, proper]) => ({ ...proper, ...selected }));
const mergingBody = fc.oneof(
  stanza,
  fc.record({ defaults: stanza }),
  fc.record({ overrides: stanza }),
  fc.record({ defaults: stanza, overrides: stanza }),
  fc.tuple(specProper, stanza, stanza).map(([bare, defaults, overrides]) => ({ ...bare, defaults, overrides })),
);

const policy = <Body extends object>(body: fc.Arbitrary<Body>) =>
  fc.record({
    namespace,
    seconds: fc.option(fc.nat(2), { freq: 6, nil: undefined }),
    targets: fc.array(fc.record({ at: fc.nat(), section: fc.option(name, { nil: undefined }) }), {
      minLength: 1,
      maxLength: 3,
    }),
    body,
  });

/** Random worlds. */
export const worlds: fc.Arbitrary<World> = fc
  .record({
    rules: fc.record({
      merging: fc.constantFrom('merging', 'merging', 'merging', 'none'),
      sameLevel: fc.constantFrom('oldest-wins', 'established-challenger'),
      reduction: fc.constantFrom('bottom-up', 'bottom-up', 'gep-stack'),
      namespaceLevels: fc.constantFrom(undefined, ['Museum'] as const),
    }),
    namespaces: fc.subarray([...namespaces]),
    objects: fc.array(object, { minLength: 1, maxLength: 7 }),
    links: fc.array(link, { maxLength: 12 }),
  })
  .chain(({ rules, ...shape }) =>
    fc
      .array(policy<object>(rules.merging === 'none' ? specProper : mergingBody), { minLength: 1, maxLength: 6 })
      .map((policies) => ({ rules: rules as Rules, resources: resourcesOf({ ...shape, policies }) })),
  );

type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type ObjectShape = ValueOf<typeof object>;
type LinkShape = ValueOf<typeof link>;
type PolicyShape = ValueOf<ReturnType<typeof policy<object>>>;

interface Shape {
  readonly namespaces: readonly string[];
  readonly objects: readonly ObjectShape[];
  readonly links: readonly LinkShape[];
  readonly policies: readonly PolicyShape[];
}

function resourcesOf({ namespaces, objects, links, policies }: Shape): KubernetesObject[] {
  const placed = objects.map((shape, index) => ({ ...shape, kind: ranks[shape.rank] as Rank, name: `o${index}` }));
  const refsOf = refsByHolder(placed, links);
  return [
    ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    ...placed.map(({ kind, name, namespace, sections, own }) =>
      museumResource(kind, name, namespace, {
        refs: refsOf.get(name) ?? [],
        sections: sections.map((section) => ({
          name: section,
          refs: refsOf.get(`${name}#${section}`) ?? [],
          ...(section === 'a' && own !== undefined ? { own } : {}),
        })),
        ...(own === undefined ? {} : { own }),
      }),
    ),
    ...policies.map((policy, index) => policyOf(policy, index, placed)),
  ];
}

type Placed = ObjectShape & { readonly kind: Rank; readonly name: string };

function refsByHolder(objects: readonly Placed[], links: readonly LinkShape[]): Map<string, object[]> {
  const refs = new Map<string, object[]>();
  for (const { from, fromSection, to, toSections, holder } of links) {
    const [one, other] = [objects[from % objects.length], objects[to % objects.length]] as [Placed, Placed];
    if (one.rank === other.rank) continue;
    const [above, beneath] = one.rank < other.rank ? [one, other] : [other, one];
    const [held, target] = holder === 'above' ? [above, beneath] : [beneath, above];
    if (fromSection !== undefined && !held.sections.includes(fromSection)) continue;
    const key = fromSection === undefined ? held.name : `${held.name}#${fromSection}`;
    const ref = {
      kind: target.kind,
      name: target.name,
      namespace: target.namespace,
      ...(toSections === undefined ? {} : { sections: toSections }),
    };
    refs.set(key, [...(refs.get(key) ?? []), ref]);
  }
  return refs;
}

function policyOf(shape: PolicyShape, index: number, objects: readonly Placed[]): KubernetesObject {
  const targetRefs: Record<string, string>[] = [];
  for (const { at: place, section } of shape.targets) {
    const chosen = place % (objects.length + 1);
    const target = objects[chosen];
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
  return {
    apiVersion: 'care.example.com/v1',
    kind: 'CarePolicy',
    metadata: {
      name: `p${index}`,
      namespace: shape.namespace,
      ...(shape.seconds === undefined ? {} : { creationTimestamp: at(shape.seconds) }),
    },
    spec: { targetRefs, ...shape.body },
  };
}
