import {
  formatGroupKind,
  type JsonObject,
  namespaceOf,
  parseLocator,
  type ResourceRef,
  specOf,
} from '@policy-machinery/resource';
import type { ResolvedReference, StatusCondition, TargetNode, Topology } from '@policy-machinery/topology';
import { parentKey } from '../attachment/acceptance.ts';
import { gatewayKind, isSameKind, ownsListeners } from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { targetOf } from '../fields/object-reference.ts';
import { factsOf } from '../kinds/listener-section.ts';
import { type DataPlane, unknownDataPlane } from '../listeners/data-plane.ts';
import { gatewayOf } from '../listeners/listener-family.ts';
import { backendFault } from './backend-fault.ts';
import { isFalse, isTrue, isUnknown, sentence } from './condition.ts';
import { acceptedByRoute, delegatingParents, mayDelegateTo, type Parent } from './delegating-parents.ts';
import { named } from './ownership.ts';
import { isFault } from './reference-fault.ts';
import { routeKinds } from './supported-kinds.ts';
import { unseenReference } from './unseen-references.ts';

/** The status of a route under one parent, as in `status.parents`, where each controller adds its name. */
export interface RouteParentStatus {
  /** The reference as the route has it. */
  readonly parentRef: JsonObject;
  /** `Accepted` and `ResolvedRefs`. */
  readonly conditions: readonly StatusCondition[];
}

/**
 * Returns the status of a route under each of its parents, with Gateway API's conditions and reasons.
 *
 * - `Accepted`: whether a listener of the parent takes the route; else `NotAllowedByListeners`, `NoMatchingListenerHostname` if only
 *   hostnames differ, or `NoMatchingParent` if the parent does not exist. `Unknown` if the deciding fact is not known, such as whether the data
 * plane takes
 *   HTTPRoutes and GRPCRoutes for one hostname.
 *   An HTTPRoute is accepted by another one that delegates to it; if it names no parents, there is an entry for each such route, as in kgateway.
 * - `ResolvedRefs`: whether all backends exist and the route may refer to them; else `RefNotPermitted`, `InvalidKind` or `BackendNotFound`.
 *   Kinds of backends that the topology does not know count as not supported. `Unknown` if filters refer to other objects (`ExtensionRef`).
 *
 * @param topology A topology with the kinds of `gatewayApi`.
 * @param route The route, as a node, reference or locator.
 * @returns One status for each parent that the route names, in its order, and for each Gateway that it means by
 * `useDefaultGateways`; none if the route does not exist. O(parents + backends).
 * @example
 * ```ts
 * routeStatuses(topology, 'httproute.gateway.networking.k8s.io:shop/cart')[0]?.conditions[0]?.reason; // 'Accepted'
 * ```
 */
export function routeStatuses(
  topology: Topology,
  route: TargetNode | ResourceRef | string,
): readonly RouteParentStatus[] {
  const node = topology.get(route)?.object;
  if (node === undefined || !routeKinds.some((kind) => isSameKind(kind, node.ref))) return [];
  return parentStatuses(topology, node).map(({ parentRef, conditions }) => ({ parentRef, conditions }));
}

/** The status of a route under a parent, with the parent, if it exists. */
interface FoundParentStatus extends RouteParentStatus {
  readonly parent: TargetNode | undefined;
}

/** Like {@link routeStatuses}, with the parents. */
export function parentStatuses(topology: Topology, route: TargetNode): readonly FoundParentStatus[] {
  const parents = parentsOf(topology, route);
  if (parents.length === 0) return [];
  const resolvedRefs = new Map<DataPlane['missingPorts'], StatusCondition>(); // Parents usually have one data plane.
  return parents.map(({ parentRef, parent, accepted }) => {
    const dataPlane = dataPlaneOf(parent);
    const known = resolvedRefs.get(dataPlane.missingPorts) ?? resolvedRefsOf(topology, route, dataPlane);
    resolvedRefs.set(dataPlane.missingPorts, known);
    return { parentRef, parent, conditions: [accepted, known] };
  });
}

function parentsOf(topology: Topology, route: TargetNode): readonly Parent[] {
  const { resource } = route;
  const references = topology.referencesOf(route);
  const byPointer = new Map(references.map((it) => [it.reference.pointer, it]));
  const byKey = new Map<string | undefined, ResolvedReference>(); // If many are named, each is looked up once.
  const parents = itemsOf(specOf(resource).parentRefs).flatMap((parentRef, index): Parent[] => {
    const to = targetOf(parentRef, gatewayKind);
    if (to === undefined) return [];
    const key = parentKey({ to, sectionName: parentRef.sectionName, port: parentRef.port }, resource);
    const resolution = byPointer.get(`/spec/parentRefs/${index}`) ?? byKey.get(key);
    if (resolution !== undefined && key !== undefined) byKey.set(key, resolution);
    if (resolution === undefined && mayDelegateTo(route, to)) {
      const delegating = named(topology, to, route);
      const mayExist = !topology.isComplete(to, to.namespace ?? namespaceOf(resource), to.name);
      return [{ parentRef, parent: delegating, accepted: acceptedByRoute(route, delegating, mayExist) }];
    }
    const notParent = `${formatGroupKind(to)} is not a kind of parent here`;
    const accepted = resolution ? acceptedBy(resolution) : isFalse('Accepted', 'NoMatchingParent', notParent);
    const meant = resolution?.reference.to;
    const parent = meant !== undefined && 'name' in meant ? named(topology, meant, route) : undefined;
    return [{ parentRef, parent, accepted }];
  });
  if (parents.length === 0) parents.push(...delegatingParents(route));
  const byDefault = byPointer.get('/spec/useDefaultGateways');
  return byDefault === undefined ? parents : [...parents, ...defaultParents(topology, byDefault)];
}

/** Returns the data plane of the Gateway that a parent is, or belongs to. */
function dataPlaneOf(parent: TargetNode | undefined): DataPlane {
  const gateway = parent && (gatewayOf(parent) ?? parent);
  return gateway !== undefined && ownsListeners(gateway.ref) ? factsOf(gateway).dataPlane : unknownDataPlane;
}

function resolvedRefsOf(topology: Topology, route: TargetNode, dataPlane: DataPlane): StatusCondition {
  const finding = backendFault(topology, route, dataPlane);
  if (isFault(finding)) return isFalse('ResolvedRefs', finding.reason, finding.message);
  if (finding !== undefined) return isUnknown('ResolvedRefs', sentence(finding.unknown));
  const unseen = unseenReference(route.resource);
  return unseen === undefined
    ? isTrue('ResolvedRefs', 'ResolvedRefs', 'All references are resolved.')
    : isUnknown('ResolvedRefs', `Whether ${unseen} resolves depends on the implementation.`);
}

function acceptedBy({
  ends,
  refusals,
  missing,
  isUndecided,
  possibleRefusals = [],
}: Omit<ResolvedReference, 'reference'>): StatusCondition {
  const possible = ends.map((end) => possibleRefusals.find(({ to }) => to === end.locator));
  if (possible.includes(undefined)) return isTrue('Accepted', 'Accepted', 'The route is accepted.');
  if (possible[0] !== undefined) return isUnknown('Accepted', sentence(possible[0].message));
  if (isUndecided) return isUnknown('Accepted', notKnown(refusals));
  // If only hostnames keep a listener from accepting the route, hostnames are the fault to correct.
  const refusal = ofHostnames.map((it) => refusals.find(({ reason }) => reason === it)).find(Boolean) ?? refusals[0];
  if (refusal === undefined) return isFalse('Accepted', 'NoMatchingParent', missingMessage(missing));
  if (refusal.reason === 'Pending') return isUnknown('Accepted', refusal.message);
  return isFalse('Accepted', refusal.reason, refusal.message);
}

/** The reasons about hostnames. A listener that gives the first one would take the route if another route did not exist. */
const ofHostnames = ['HostnameConflict', 'NoMatchingListenerHostname'];

/** Names the missing object if it is not known whether a parent accepts a route. */
function notKnown(refusals: ResolvedReference['refusals']): string {
  const refusal = refusals.find((it) => it.isUndecided);
  return refusal === undefined ? 'The parent is not in this input.' : sentence(`${refusal.message} in this input`);
}

function missingMessage(missing: string | undefined): string {
  return missing?.endsWith('#?') === true
    ? 'the parent does not have a listener with that sectionName and port'
    : 'the parent does not exist';
}

/** Returns the default Gateways of a route, which it does not name (GEP-3793). */
function defaultParents(
  topology: Topology,
  { ends, refusals, possibleRefusals = [] }: ResolvedReference,
): readonly Parent[] {
  const byGateway = new Map<string, { ends: TargetNode[]; refusals: ResolvedReference['refusals'][number][] }>();
  const of = (locator: string) => {
    const gateway = locator.replace(/#.*/s, '');
    const there = byGateway.get(gateway) ?? { ends: [], refusals: [] };
    byGateway.set(gateway, there);
    return there;
  };
  for (const end of ends) of(end.locator).ends.push(end);
  for (const refusal of refusals) of(refusal.to).refusals.push(refusal);
  return [...byGateway].map(([locator, said]) => {
    const { namespace = '', name } = parseLocator(locator);
    const parentRef = { ...gatewayKind, namespace, name };
    const isUndecided = said.refusals.some((refusal) => refusal.isUndecided);
    const accepted = acceptedBy({ ...said, missing: undefined, isUndecided, possibleRefusals });
    return { parentRef, parent: topology.get(locator), accepted };
  });
}
