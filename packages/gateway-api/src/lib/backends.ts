import { isJsonObject, type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';
import type { Reference, SectionPlace } from '@policy-machinery/topology';
import { gatewayKind, isService, mayBeBackend } from './hierarchy.ts';
import { itemsOf, present } from './items.ts';
import { isUnset, targetOf } from './object-reference.ts';
import type { GatewayApiOptions } from './options.ts';
import { Service } from './service.ts';

/**
 * The backends of one rule, those of its request mirrors included: the port of a Service where one is named, else the
 * backend as a whole; of another kind, the section that has this port if there is one. In another namespace a ReferenceGrant
 * must permit it (T-24), unless the route is for a mesh only: there it exposes nothing that clients could not reach (GEP-1294).
 */
export function backendReferences({
  parents = [],
  mesh = false,
}: GatewayApiOptions): (rule: SectionPlace, route: KubernetesObject) => Iterable<Reference> {
  const referenceTo = (backendRef: JsonObject, pointer: string, needsGrant: boolean): Reference | undefined => {
    const { port } = backendRef;
    const to = targetOf(backendRef, Service);
    if (to === undefined || !mayBeBackend(to, parents)) return undefined;
    if (isUnset(port)) return { direction: 'down', to, needsGrant, pointer };
    const toSections: Reference['toSections'] = ({ value }) => value.port === port;
    return { direction: 'down', to, needsGrant, pointer, toSections, orWhole: !isService(to) };
  };
  return ({ index, value: rule }, route) => {
    const needsGrant = !(mesh && isForMeshOnly(route));
    const references = backendsOf(rule, `/spec/rules/${index}`, (it, pointer) => referenceTo(it, pointer, needsGrant));
    return present(references);
  };
}

/** Whether all parents of a route are Services. */
function isForMeshOnly(route: KubernetesObject): boolean {
  const parents = itemsOf(specOf(route).parentRefs).map((parentRef) => targetOf(parentRef, gatewayKind));
  return parents.length > 0 && parents.every((parent) => parent !== undefined && isService(parent));
}

/** What is made of a backend, and of the pointer to it. */
type Read<Item> = (backendRef: JsonObject, pointer: string) => Item;

const none: readonly never[] = [];

function backendsOf<Item>(rule: JsonObject, pointer: string, read: Read<Item>): readonly Item[] {
  const backendRefs = itemsOf(rule.backendRefs);
  const pointerTo = (index: number): string => `${pointer}/backendRefs/${index}`;
  const backends = backendRefs.map((backendRef, index) => read(backendRef, pointerTo(index)));
  if (isUnset(rule.filters) && backendRefs.every(({ filters }) => isUnset(filters))) return backends;
  const withMirrors = backends.flatMap((backend, index) => [
    backend,
    ...mirrorsOf(backendRefs[index] ?? {}, pointerTo(index), read),
  ]);
  return [...withMirrors, ...mirrorsOf(rule, pointer, read)];
}

/** The backends of the request mirrors among the filters of a rule or of a backend. */
function mirrorsOf<Item>({ filters }: JsonObject, pointer: string, read: Read<Item>): readonly Item[] {
  if (isUnset(filters)) return none;
  return itemsOf(filters).flatMap(({ type, requestMirror }, index) => {
    if (type !== 'RequestMirror' || !isJsonObject(requestMirror)) return [];
    const { backendRef } = requestMirror;
    return isJsonObject(backendRef) ? [read(backendRef, `${pointer}/filters/${index}/requestMirror/backendRef`)] : [];
  });
}
