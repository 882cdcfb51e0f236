import { formatGroupKind, type GroupKind, type JsonObject, namespaceOf } from '@policy-machinery/resource';
import type { NamedSection, NamedTarget, ResolvedReference, TargetNode, Topology } from '@policy-machinery/topology';
import { type Backend, backendsOf, eachOnce } from '../attachment/backend-references.ts';
import { isSameKind, serviceKind } from '../fields/hierarchy.ts';
import { targetOf } from '../fields/object-reference.ts';
import type { Fault } from './condition.ts';

/**
 * Returns the first fault of the backends of a route, in the order of its rules.
 *
 * @returns `RefNotPermitted` without a ReferenceGrant, `InvalidKind` for a kind that is not a backend or that the topology does not know,
 * `BackendNotFound` for a missing backend; `undefined` if all backends are resolved. O(backends).
 */
export function backendFault(topology: Topology, route: TargetNode): Fault | undefined {
  const known = [...topology.targetKinds];
  const isKnown = (kind: GroupKind) => known.some((it) => isSameKind(it, kind));
  for (const [index, rule] of route.sections.entries()) {
    const backends = eachOnce(backendsOf({ index, value: ruleOf(rule) }));
    if (backends.length === 0) continue;
    const resolutions = new Map(topology.referencesOf(rule).map((it) => [it.reference.pointer, it]));
    for (const backend of backends) {
      const fault = faultOf(backend, resolutions.get(backend.pointer), route, isKnown);
      if (fault !== undefined) return { reason: fault.reason, message: `${backend.pointer}: ${fault.message}` };
    }
  }
  return undefined;
}

function ruleOf({ section }: TargetNode): JsonObject {
  return (section as NamedSection).value;
}

function faultOf(
  { backendRef }: Backend,
  resolution: ResolvedReference | undefined,
  route: TargetNode,
  isKnown: (kind: GroupKind) => boolean,
): Fault | undefined {
  const to = targetOf(backendRef, serviceKind);
  if (to === undefined) return { reason: 'InvalidKind', message: 'it does not name a backend' };
  if (resolution === undefined) {
    return { reason: 'InvalidKind', message: `${formatGroupKind(to)} cannot be a backend; refer to a Service` };
  }
  const [refusal] = resolution.refusals;
  if (resolution.ends.length > 0) return undefined;
  if (refusal !== undefined) return refusal;
  if (!('name' in resolution.reference.to)) return undefined; // A selector of routes may find none.
  if (!isKnown(to)) {
    return { reason: 'InvalidKind', message: `backends of kind ${formatGroupKind(to)} are not supported` };
  }
  const isThere = resolution.missing?.endsWith('#?') === true;
  const missing = isThere ? `has no port ${backendRef.port}` : 'does not exist';
  return { reason: 'BackendNotFound', message: `${formatGroupKind(to)} ${nameOf(to, route)} ${missing}` };
}

function nameOf({ namespace, name }: NamedTarget, { resource }: TargetNode): string {
  return `${namespace ?? namespaceOf(resource)}/${name}`;
}
