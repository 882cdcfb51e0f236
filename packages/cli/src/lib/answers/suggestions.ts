import { type Issue, locatorOf, namespaceOf, objectIn, stringIn, valueAt } from '@policy-machinery/resource';
import { formatTarget, type PolicyNode, type TargetNode, type Topology } from '@policy-machinery/topology';
import { assumedLocators } from '../input/assumed-gateways.ts';
import type { Finding } from '../model/answer.ts';
import { closestNames } from '../model/closest.ts';
import type { World } from '../model/world.ts';
import { similarFields } from './similar-fields.ts';

/** The codes of findings about references that lead nowhere. */
const codes: ReadonlySet<string> = new Set([
  'not-in-input',
  'unresolved-reference',
  'missing-target',
  'missing-section',
  'unsupported-target',
]);

/** The codes of findings about fields that a schema does not have. */
const fieldCodes: ReadonlySet<string> = new Set(['unknown-field', 'field-not-in-release']);

/** How many objects of a kind are compared with a misspelled name. Among more, a similar name says little. */
const mostCompared = 1_000;

/**
 * Returns findings where references that lead nowhere name the objects with a similar name, with the same name in another namespace, or with the same name
 * and another kind that the policy supports. Findings about unknown fields name the fields with a similar name.
 */
export function withSuggestions(world: World, findings: readonly Finding[]): readonly Finding[] {
  const [ofReferences, ofFields] = [codes, fieldCodes].map((some) => findings.filter(({ code }) => some.has(code)));
  const similar = new Map([
    ...(ofFields?.length === 0 ? [] : similarFields(world, ofFields ?? [])),
    ...(ofReferences?.length === 0 ? [] : similarObjects(world, ofReferences ?? [])),
  ]);
  return findings.map((finding) => {
    const names = similar.get(finding) ?? [];
    if (names.length === 0) return finding;
    return { ...finding, message: `${finding.message}; did you mean ${names.join(' or ')}?` };
  });
}

function similarObjects(world: World, findings: readonly Finding[]): ReturnType<typeof similarFields> {
  const sought = soughtIn(world);
  const objects = new Objects(world);
  return findings.map((finding) => {
    const ref = sought.get(placeOf(finding));
    return [finding, ref === undefined ? [] : objects.similarTo(ref)];
  });
}

/** An object or section that a reference names. */
interface Sought {
  /** The kind, as locators have it: `httproute.gateway.networking.k8s.io`. */
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly section: string | undefined;
  /** The kinds that are possible, too. */
  readonly otherKinds: readonly string[];
}

function placeOf({ resource = '', pointer = '' }: Pick<Issue, 'resource' | 'pointer'>): string {
  return `${resource} ${pointer}`;
}

/** Returns the names in references without a target, by the place of the reference. */
function soughtIn({ topologies, assumed }: World): ReadonlyMap<string, Sought> {
  const named = topologies.flatMap((topology) => [...referencesIn(topology), ...targetRefsIn(topology)]);
  const gateways = assumed.flatMap(({ object, refs }) => {
    const sought = soughtAt(locatorOf(object, 'Namespaced'), undefined);
    return refs.map((place) => [placeOf(place), sought] as const);
  });
  return new Map([...named, ...gateways]);
}

function soughtAt(locator: string, section: string | undefined): Sought {
  const [kind = '', path = ''] = locator.split(':');
  const [name = '', namespace] = path.split('/').reverse();
  return { kind, namespace, name, section, otherKinds: [] };
}

function* referencesIn(topology: Topology): Iterable<readonly [string, Sought]> {
  for (const { from, missing, reference } of topology.unresolved) {
    const [object = '', section] = missing.split('#');
    const { pointer } = reference;
    const written =
      section === '?' ? stringIn(objectIn(valueAt(objectIn(from.resource), pointer)).sectionName) : section;
    yield [placeOf({ resource: from.object.locator, pointer }), soughtAt(object, written)];
  }
}

function* targetRefsIn(topology: Topology): Iterable<readonly [string, Sought]> {
  for (const policy of topology.policies()) {
    for (const { declared, target } of policy.attachments) {
      if (target !== undefined || !('name' in declared)) continue;
      const { namespace = namespaceOf(policy.resource), name, sectionName, pointer } = declared;
      const otherKinds = kindsOf(policy);
      const place = placeOf({ resource: policy.locator, pointer });
      yield [place, { kind: kindKey(declared), namespace, name, section: sectionName, otherKinds }];
    }
  }
}

function kindsOf({ kind: { targets } }: PolicyNode): readonly string[] {
  return targets.flatMap((target) => ('group' in target ? kindKey(target) : []));
}

function kindKey({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}`;
}

/** The objects of a world, by their kinds. */
class Objects {
  readonly #byKind = new Map<string, Map<string, TargetNode>>();

  constructor({ topologies, assumed }: World) {
    const unknown = assumedLocators(assumed);
    for (const target of topologies.flatMap((topology) => [...topology.targets])) {
      if (target.section !== undefined || unknown.has(target.locator)) continue;
      const [kind = '', path = ''] = target.locator.split(':');
      const objects = this.#byKind.get(kind) ?? new Map<string, TargetNode>();
      this.#byKind.set(kind, objects.set(path, target));
    }
  }

  /** Returns the names of at most three objects or sections that a reference may mean. */
  similarTo({ kind, namespace, name, section, otherKinds }: Sought): readonly string[] {
    const path = namespace === undefined ? name : `${namespace}/${name}`;
    const ofKind = this.#byKind.get(kind) ?? new Map<string, TargetNode>();
    const object = ofKind.get(path) ?? ofKind.get(name); // Objects without a namespace have their name as the path.
    if (object !== undefined) return section === undefined ? [] : similarSections(object, section);
    if (ofKind.size > mostCompared) return [];
    const objects = [...ofKind.values()];
    const near = objects.filter(({ ref }) => ref.namespace === undefined || ref.namespace === namespace);
    const names = near.map(({ ref }) => ref.name);
    const close = closestNames(name, names);
    const found = [
      ...near.filter(({ ref }) => close.includes(ref.name)),
      ...objects.filter(({ ref }) => ref.name === name),
      ...otherKinds.flatMap((other) => (other === kind ? [] : (this.#byKind.get(other)?.get(path) ?? []))),
    ];
    return [...new Set(found.map(formatTarget))].slice(0, 3);
  }
}

function similarSections({ sections }: TargetNode, section: string): readonly string[] {
  const names = sections.flatMap((it) => it.section?.name ?? []);
  return names.includes(section) ? [] : closestNames(section, names);
}
