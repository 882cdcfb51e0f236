import { formatGroupKind, type GroupKind, type JsonObject, namespaceOf } from '@policy-machinery/resource';
import {
  isSectionKind,
  type NamedSection,
  type NamedTarget,
  type ResolvedReference,
  type TargetNode,
  type Topology,
} from '@policy-machinery/topology';
import { type Backend, backendsOf, eachOnce } from '../attachment/backend-references.ts';
import { isSameKind, isService, serviceKind } from '../fields/hierarchy.ts';
import { targetOf } from '../fields/object-reference.ts';
import type { DataPlane } from '../listeners/data-plane.ts';
import { firstFault, isFault } from './reference-fault.ts';

/**
 * Returns the first fault of the backends of a route, in the order of its rules.
 *
 * @returns `RefNotPermitted` without a ReferenceGrant, `InvalidKind` for a kind that is not a backend or that the topology does not know,
 * `BackendNotFound` for a missing backend, and for a missing port if the data plane refuses it; without a fault, the unknown facts; `undefined` if
 * all backends are resolved. O(backends).
 */
export function backendFault(
  topology: Topology,
  route: TargetNode,
  { missingPorts = 'both' }: DataPlane,
): ReturnType<typeof firstFault> {
  const findings = route.sections.flatMap((rule, index): readonly BackendFinding[] => {
    const backends = eachOnce(backendsOf({ index, value: ruleOf(rule) }));
    if (backends.length === 0) return [];
    const resolutions = new Map(topology.referencesOf(rule).map((it) => [it.reference.pointer, it]));
    return backends.flatMap((backend) => {
      const finding = findingOf(backend, resolutions.get(backend.pointer), { route, topology, missingPorts });
      return finding === undefined ? [] : [placed(finding, backend.pointer)];
    });
  });
  return firstFault(findings);
}

type BackendFinding = Exclude<ReturnType<typeof firstFault>, undefined>;

function placed(finding: BackendFinding, pointer: string): BackendFinding {
  if (isFault(finding)) return { reason: finding.reason, message: `${pointer}: ${finding.message}` };
  return { unknown: `${pointer}: ${finding.unknown}` };
}

function ruleOf({ section }: TargetNode): JsonObject {
  return (section as NamedSection).value;
}

/** A route with the facts that its backends depend on. */
interface Holder {
  readonly route: TargetNode;
  readonly topology: Topology;
  readonly missingPorts: DataPlane['missingPorts'];
}

function findingOf(
  { backendRef }: Backend,
  resolution: ResolvedReference | undefined,
  { route, topology, missingPorts }: Holder,
): BackendFinding | undefined {
  const to = targetOf(backendRef, serviceKind);
  if (to === undefined) return { reason: 'InvalidKind', message: 'it does not name a backend' };
  if (resolution === undefined) {
    return { reason: 'InvalidKind', message: `${formatGroupKind(to)} cannot be a backend; refer to a Service` };
  }
  const { ends, refusals, missing, isUndecided } = resolution;
  const isChoice = to.group === '' && !isService(to);
  if (ends.length > 0) return isChoice || ends.some(isForeign) ? { unknown: supportOf(to) } : undefined;
  const [refusal] = refusals;
  if (refusal !== undefined) return isUndecided ? { unknown: `${refusal.message} in this input` } : refusal;
  if (!('name' in resolution.reference.to)) return undefined; // A selector of routes may find none.
  const name = nameOf(to, route);
  if (isUndecided) return { unknown: `${formatGroupKind(to)} ${name} is not in this input` };
  if (![...topology.targetKinds].some((kind) => isSameKind(kind, to))) {
    return { reason: 'InvalidKind', message: `backends of kind ${formatGroupKind(to)} are not supported` };
  }
  const subject = `${formatGroupKind(to)} ${name}`;
  if (missing?.endsWith('#?') !== true) return { reason: 'BackendNotFound', message: `${subject} does not exist` };
  const portless = `${subject} does not have port ${backendRef.port}`;
  if (missingPorts === 'refused') return { reason: 'BackendNotFound', message: portless };
  return missingPorts === 'accepted'
    ? undefined
    : { unknown: `${portless}; some implementations accept the reference` };
}

/** Returns whether the kind of a target is known by its name only. */
function isForeign({ object: { kind } }: TargetNode): boolean {
  return !isSectionKind(kind) && kind.isForeign === true;
}

function supportOf(kind: GroupKind): string {
  return `whether backends of kind ${formatGroupKind(kind)} are supported depends on the implementation`;
}

function nameOf({ namespace, name }: NamedTarget, { resource }: TargetNode): string {
  return `${namespace ?? namespaceOf(resource)}/${name}`;
}
