import { isJsonObject, type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';
import type { Reference, SectionCriteria, SectionEntry, TargetNode } from '@policy-machinery/topology';
import { firstFew } from '../fields/first-few.ts';
import {
  gatewayKind,
  isSameKind,
  isService,
  isServiceParent,
  labelKind,
  mayBeBackend,
  serviceKind,
} from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { isUnset, targetOf } from '../fields/object-reference.ts';
import type { GatewayApiOptions } from './options.ts';

/**
 * Returns the references of a rule to its backends, including backends of request mirrors: to the port of a Service if one is named,
 * otherwise to the backend as a whole; for other kinds, to the section with this port if it exists. A backend in another namespace needs a
 * ReferenceGrant, unless the route is only for a mesh, where it exposes nothing that clients cannot reach (GEP-1294).
 */
export function backendReferences({
  parents = [],
  mesh = false,
  delegation = false,
  coreGroupSpellings,
}: GatewayApiOptions): (rule: SectionEntry, route: KubernetesObject) => Iterable<Reference> {
  const referenceTo = (backendRef: JsonObject, pointer: string, needsGrant: boolean): Reference | undefined => {
    const to = targetOf(backendRef, serviceKind);
    if (to === undefined || !mayBeBackend(to, parents) || (delegation && isSameKind(to, labelKind))) return undefined;
    if (isUnset(backendRef.port)) return { direction: 'down', to, needsGrant, pointer };
    const toSections: SectionCriteria = { field: ['port', backendRef.port ?? null] };
    return { direction: 'down', to, needsGrant, pointer, toSections, orWhole: !isService(to) };
  };
  return (rule, route) => {
    const needsGrant = !(mesh && isForMeshOnly(route, coreGroupSpellings));
    const references: Reference[] = [];
    for (const { backendRef, pointer } of eachOnce(backendsOf(rule))) {
      const reference = referenceTo(backendRef, pointer, needsGrant);
      if (reference !== undefined) references.push(reference);
    }
    return references;
  };
}

/** The limit of Gateway API for backends of a rule, and for its mirrors. With more, some may be repeated. */
const fewBackends = 32;

/** Returns backends without repetitions. */
export function eachOnce(backends: readonly Backend[]): readonly Backend[] {
  if (backends.length <= fewBackends) return backends;
  const said = new Set<string>();
  return backends.filter(({ backendRef: { group, kind, namespace, name, port } }) => {
    const key = JSON.stringify([group, kind, namespace, name, port]);
    return said.size < said.add(key).size;
  });
}

/** Returns whether all parents of a route are Services. */
function isForMeshOnly(route: KubernetesObject, spellings: readonly string[] | undefined): boolean {
  const parents = itemsOf(specOf(route).parentRefs).map((parentRef) => targetOf(parentRef, gatewayKind));
  return parents.length > 0 && parents.every((parent) => parent !== undefined && isServiceParent(parent, spellings));
}

/** A backend, and the JSON Pointer to it. */
export interface Backend {
  readonly backendRef: JsonObject;
  readonly pointer: string;
  /** Whether it receives no requests: a backend of the weight 0, or a mirror of its requests. */
  readonly isIdle: boolean;
}

const pointersIn = firstFew((rule) => ({
  rule: `/spec/rules/${rule}`,
  backendRef: firstFew((place) => `/spec/rules/${rule}/backendRefs/${place}`),
}));

/** Returns the backends of a rule, each followed by the backends of its request mirrors; backends of the rule's mirrors come last. */
export function backendsOf({ index, value: rule }: SectionEntry): readonly Backend[] {
  const pointers = pointersIn(index);
  const backends: Backend[] = [];
  let place = 0;
  for (const backendRef of itemsOf(rule.backendRefs)) {
    const pointer = pointers.backendRef(place);
    const isIdle = backendRef.weight === 0;
    backends.push({ backendRef, pointer, isIdle });
    if (!isUnset(backendRef.filters))
      for (const mirror of mirrorsOf(backendRef, pointer, isIdle)) backends.push(mirror);
    place += 1;
  }
  if (!isUnset(rule.filters)) for (const mirror of mirrorsOf(rule, pointers.rule, false)) backends.push(mirror);
  return backends;
}

/**
 * Returns a test for the targets of a rule that receive no requests, because each of its references to them has the weight 0.
 *
 * @param rule The rule of a route.
 */
export function idleTest({ section, ref }: TargetNode): (target: TargetNode) => boolean {
  const backends = section === undefined ? [] : backendsOf({ index: 0, value: section.value });
  if (!backends.some(({ isIdle }) => isIdle)) return () => false;
  return (target) => {
    const own = backends.filter(({ backendRef }) => isTo(backendRef, target, ref.namespace));
    return own.length > 0 && own.every(({ isIdle }) => isIdle);
  };
}

/** Returns whether a reference in a namespace is to a target, or to one of its ports. */
function isTo(backendRef: JsonObject, { ref, section }: TargetNode, namespace: string | undefined): boolean {
  const to = targetOf(backendRef, serviceKind);
  if (to === undefined || !isSameKind(to, ref) || to.name !== ref.name) return false;
  if ((to.namespace ?? namespace) !== ref.namespace) return false;
  return section === undefined || isUnset(backendRef.port) || section.value.port === backendRef.port;
}

/** Returns the backends of the request mirrors among the filters of a rule or backend. */
function mirrorsOf({ filters }: JsonObject, pointer: string, isIdle: boolean): readonly Backend[] {
  return itemsOf(filters).flatMap(({ type, requestMirror }, index) => {
    if (type !== 'RequestMirror' || !isJsonObject(requestMirror)) return [];
    const { backendRef } = requestMirror;
    return isJsonObject(backendRef)
      ? [{ backendRef, pointer: `${pointer}/filters/${index}/requestMirror/backendRef`, isIdle }]
      : [];
  });
}
