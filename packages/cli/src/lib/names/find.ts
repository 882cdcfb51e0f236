import { formatLocator, type KubernetesObject, type ResourceRef, refOf } from '@policy-machinery/resource';
import { formatRef, type PolicyNode, type TargetNode } from '@policy-machinery/topology';
import { assumedLocators } from '../input/assumed-gateways.ts';
import { inThisInput } from '../input/completeness.ts';
import { policiesOfKind, targetsOfKind } from '../input/topologies.ts';
import { closestNames } from '../model/closest.ts';
import { UsageError } from '../model/usage-error.ts';
import type { World } from '../model/world.ts';
import { kindNamed, type NamedKind, namedKinds } from './named-kinds.ts';
import { parseName, type WrittenName } from './parse-name.ts';

/** An object that arguments name, and the arguments after the name. */
export interface Found<Item> {
  readonly item: Item;
  readonly rest: readonly string[];
}

/**
 * Finds the target that arguments name.
 *
 * @param world The world. A name without a namespace means the namespace of the answer, or the only one with
 * such an object.
 * @param args The arguments, in a form of {@link parseName}.
 * @returns The target: an object or one of its sections.
 * @throws {UsageError} If no target matches, or several do.
 */
export function findTarget(world: World, args: readonly string[]): Found<TargetNode> {
  const { name, rest } = parseName(args);
  const kind = kindNamed(name.kind, preferring(namedKinds(world), false, name.kind));
  if (kind.isPolicy) {
    throw new UsageError(`${kind.kind} is a policy; "reach ${args.join(' ')}" shows where it has effect`);
  }
  const objects = targetsOfKind(world, kind).filter(({ section }) => section === undefined);
  const object = only(objects, ({ ref }) => ref, { name, kind, world });
  if (name.section === undefined) return { item: object, rest };
  const section = object.sections.find(({ section }) => section?.name === name.section);
  if (section !== undefined) return { item: section, rest };
  throw new UsageError(`${written(kind, object.ref)} ${sectionFault(object, name.section, world)}`);
}

/** Returns why an object does not have a section. The listeners of an assumed Gateway are not known, so that none of them is offered. */
function sectionFault({ locator, sections }: TargetNode, section: string, { assumed }: World): string {
  if (assumedLocators(assumed).has(locator)) {
    return `is not in this input, and nothing refers to its section ${section}; add the Gateway`;
  }
  const names = sections.map((each) => each.section?.name).join(', ');
  const [first] = sections;
  const sort = first !== undefined && 'section' in first.kind ? first.kind.section : 'section';
  return `does not have the ${sort} ${section}${names === '' ? '' : `, but ${names}`}`;
}

/**
 * Finds the policy that arguments name.
 *
 * @param args The arguments, in a form of {@link parseName}.
 * @returns The policy.
 * @throws {UsageError} If no policy matches, or several do.
 */
export function findPolicy(world: World, args: readonly string[]): Found<PolicyNode> {
  const { name, rest } = parseName(args);
  const kind = kindNamed(name.kind, preferring(namedKinds(world), true, name.kind));
  if (!kind.isPolicy)
    throw new UsageError(
      `${kind.kind} is not a policy; "explain ${args.join(' ')}" shows the policies that apply to it`,
    );
  const policies = policiesOfKind(world, kind);
  return { item: only(policies, (policy) => refOf(policy.resource, policy.kind.scope), { name, kind, world }), rest };
}

/** Returns whether arguments name a policy of a kind that nothing targets. */
export function isPolicyNamed(world: World, args: readonly string[]): boolean {
  const { name } = parseName(args);
  return kindNamed(name.kind, preferring(namedKinds(world), false, name.kind)).isPolicy;
}

/**
 * Finds the object that arguments name: a policy, or something that policies target.
 *
 * @param args The arguments, in a form of {@link parseName}.
 * @returns The object.
 * @throws {UsageError} If no object matches, or several do.
 */
export function findObject(world: World, args: readonly string[]): KubernetesObject {
  const { name } = parseName(args);
  const { isPolicy } = kindNamed(name.kind, preferring(namedKinds(world), true, name.kind));
  return isPolicy ? findPolicy(world, args).item.resource : findTarget(world, args).item.resource;
}

/** Returns the kinds that are policies, or those that are not, if a word names one of them: a kind may be a target and a policy. */
function preferring(kinds: readonly NamedKind[], isPolicy: boolean, word: string): readonly NamedKind[] {
  const preferred = kinds.filter((kind) => kind.isPolicy === isPolicy);
  const isThere = preferred.some(({ words, group }) =>
    words.some((each) => [each, `${each}.${group}`].includes(word.toLowerCase())),
  );
  return isThere ? preferred : kinds;
}

interface Asked {
  readonly name: WrittenName;
  readonly kind: NamedKind;
  readonly world: World;
}

function only<Item>(items: readonly Item[], refOfItem: (item: Item) => ResourceRef, asked: Asked): Item {
  const { name, kind, world } = asked;
  const named = items.filter((item) => refOfItem(item).name === name.name);
  const namespace = name.namespace ?? world.namespace;
  const [inNamespace] = named.filter((item) => [undefined, namespace].includes(refOfItem(item).namespace));
  if (inNamespace !== undefined && namespace !== undefined) return inNamespace;
  const [first] = named;
  if (first !== undefined && named.length === 1 && name.namespace === undefined) return first;
  if (named.length > 1 && name.namespace === undefined) {
    const all = named.map((item) => written(kind, refOfItem(item))).join(', ');
    throw new UsageError(`there are several: ${all}; name the namespace`);
  }
  const all = items.map(refOfItem);
  const where = inThisInput(world, [kind]);
  const isMissing = where === '' ? 'does not exist' : `is not${where}`;
  throw new UsageError(`${written(kind, name)} ${isMissing}; ${hintFor(kind, name, all, where)}`);
}

/** Returns a hint that lists the objects with similar names; if there are none, the first objects that exist. */
function hintFor(kind: NamedKind, { name }: WrittenName, refs: readonly ResourceRef[], where: string): string {
  const texts = (some: readonly ResourceRef[]) => some.map((ref) => written(kind, ref));
  const names = refs.map((ref) => ref.name);
  const closest = closestNames(name, names).flatMap((close) => refs.filter((ref) => ref.name === close));
  if (closest.length > 0) return `did you mean ${texts(closest.slice(0, 3)).join(' or ')}?`;
  if (refs.length === 0) return `no ${kind.kind} exists${where}`;
  return `there is ${texts(refs.slice(0, 5)).join(', ')}${refs.length > 5 ? ' …' : ''}`;
}

function written({ kind }: NamedKind, { namespace, name }: Pick<ResourceRef, 'namespace' | 'name'>): string {
  return formatRef({ kind, namespace, name });
}

/**
 * Returns an object's name as `kubectl -o name` prints it.
 *
 * @param ref The object, or a section of it.
 * @returns `httproute.gateway.networking.k8s.io/cart`, and the section after `#`.
 */
export function kubectlName(ref: ResourceRef): string {
  const { namespace: _namespace, ...rest } = ref;
  return formatLocator(rest).replace(':', '/');
}
