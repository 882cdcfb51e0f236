/** The policies of a world, taken apart into what is merged, by the targets that they are attached to. */
import { type KubernetesObject, specOf } from '@policy-machinery/resource';
import { type Choice, type Rules, weightAnnotation } from '../rules.fixture.ts';
import type { World } from '../worlds.fixture.ts';
import { type Doc, isDoc } from './documents.fixture.ts';
import { locate, type Target } from './paths.fixture.ts';

/** One stanza of a policy. */
export interface Stanza extends Choice {
  readonly policy: string;
  readonly pointer: string;
  readonly spec: Doc;
  readonly when: string | undefined;
  /** A condition on what would apply without the stanza. */
  readonly whenResult: string | undefined;
  readonly unset: readonly string[];
  readonly seconds: number;
  readonly weight: number;
}

/** A target, and what is attached to it in one way. */
export interface Attached {
  /** Which level this is: the same target may be two, where it names policies itself (G-03). */
  readonly key: string;
  readonly target: Target;
  readonly stanzas: readonly Stanza[];
}

/** Returns the levels of each target, the less specific one first. */
export function attachedTo(world: World, targets: Map<string, Target>): (locator: string) => readonly Attached[] {
  const policies = world.resources.filter(({ kind }) => kind === 'CarePolicy');
  const level = (locator: string, way: string, attached: readonly KubernetesObject[]): Attached[] => {
    const stanzas = attached.flatMap((policy) => stanzasOf(policy, world.rules));
    return stanzas.length === 0 ? [] : [{ key: `${locator} ${way}`, target: targets.get(locator) as Target, stanzas }];
  };
  return (locator) => {
    const { policies: named, namespace } = targets.get(locator) as Target;
    const isNamed = ({ metadata }: KubernetesObject): boolean =>
      world.extensionRefs && named.includes(metadata.name) && `namespace:${metadata.namespace}` === namespace;
    return [
      ...level(
        locator,
        'is targeted',
        policies.filter((policy) => targetsIn(policy).includes(locator)),
      ),
      ...level(locator, 'names them', policies.filter(isNamed)),
    ];
  };
}

function targetsIn(policy: KubernetesObject): readonly string[] {
  const { targetRefs = [] } = specOf(policy) as { targetRefs?: readonly Record<string, string>[] };
  return targetRefs.map(({ kind = '', name = '', namespace, sectionName }) => {
    const object = locate(kind, name, namespace);
    return sectionName === undefined ? object : `${object}#${sectionName}`;
  });
}

/** In the order in which a policy applies them: defaults, bare fields, overrides (K-03). */
function stanzasOf(policy: KubernetesObject, { dialect, ...rules }: Rules): readonly Stanza[] {
  const { metadata } = policy;
  const { targetRefs: _, ...spec } = specOf(policy) as Doc;
  const { unset = [] } = (rules.unset ? spec : {}) as { unset?: string[] };
  const time = metadata.creationTimestamp;
  const common = {
    policy: `${metadata.namespace}/${metadata.name}`,
    unset,
    seconds: typeof time === 'string' ? Date.parse(time) : Number.POSITIVE_INFINITY,
    weight: Number(metadata.annotations?.[weightAnnotation] ?? 0),
  };
  const stanza = (pointer: string, kind: Choice['stanza'], proper: Doc): Stanza => {
    const selected = dialect.field === false ? undefined : (proper[dialect.field] ?? spec[dialect.field]);
    const strategy = (typeof selected === 'string' ? dialect.names[selected] : undefined) ?? dialect.unselected;
    const read = rules.conditions === undefined ? [] : rules.resultConditions ? ['when', 'whenResult'] : ['when'];
    const [when, whenResult] = read.map((field) => proper[field] as string | undefined);
    const reserved = [String(dialect.field), ...read];
    const fields = omit(proper, reserved);
    const said = rules.emptyListsUnset ? filled(fields) : fields;
    return { ...common, pointer, stanza: kind, strategy, when, whenResult, spec: said };
  };
  if (dialect.stanzas === 'bare') return [stanza('/spec', 'defaults', omit(spec, rules.unset ? ['unset'] : []))];
  const bare = omit(spec, ['defaults', 'overrides', ...(rules.unset ? ['unset'] : [])]);
  const { defaults, overrides } = spec;
  const isBare = omit(bare, [String(dialect.field)]);
  return [
    ...(isDoc(defaults) ? [stanza('/spec/defaults', 'defaults', defaults)] : []),
    ...(Object.keys(isBare).length > 0 || (!isDoc(defaults) && !isDoc(overrides))
      ? [stanza('/spec', 'defaults', bare)]
      : []),
    ...(isDoc(overrides) ? [stanza('/spec/overrides', 'overrides', overrides)] : []),
  ];
}

function omit(doc: Doc, fields: readonly string[]): Doc {
  return Object.fromEntries(Object.entries(doc).filter(([key]) => !fields.includes(key)));
}

/** Without empty lists (M-14). */
function filled(doc: Doc): Doc {
  const fields = Object.entries(doc).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return Object.fromEntries(fields.map(([key, value]) => [key, isDoc(value) ? filled(value) : value]));
}
