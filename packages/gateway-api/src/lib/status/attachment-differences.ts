import { groupKindOf, type JsonObject, namespaceOf, specOf } from '@policy-machinery/resource';
import type { AdmissionLookup, NamedSection, Refusal, TargetNode, Topology } from '@policy-machinery/topology';
import { type ReportedDecision, reportedByParents, reportedDecision } from '../attachment/acceptance.ts';
import { gatewayMeant, refusedByGateway } from '../attachment/listener-set-admission.ts';
import { controllerOf } from '../attachment/owning-controller.ts';
import { admissionBySpec } from '../attachment/parent-references.ts';
import { gatewayKind, isSameKind, ownsListeners } from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { targetOf } from '../fields/object-reference.ts';
import { factsOf } from '../kinds/listener-section.ts';
import type { ListenerConflict } from '../listeners/listener-conflict.ts';
import { gatewayOf, listenerFamily } from '../listeners/listener-family.ts';
import { routeKinds } from './supported-kinds.ts';

/** A decision of a controller in a status that the specs do not lead to. */
export interface AttachmentDifference {
  /** JSON Pointer to the parentRef of the route or ListenerSet, to the listener, or to the whole spec, from the root of the resource. */
  readonly pointer: string;
  /** The decision and the answer of the specs, as a sentence without its subject. */
  readonly message: string;
}

/**
 * Returns the decisions in the current status of a route, Gateway or ListenerSet that differ from the decisions by the specs. The reported decisions
 * count, unless only specs do. The rule on hostnames that HTTPRoutes and GRPCRoutes share is not compared.
 *
 * @param topology A topology with the kinds of `gatewayApi`.
 * @param object The route, Gateway or ListenerSet.
 * @returns One difference for each parentRef or listener; none for other objects, and where the specs do not decide. O(parents × listeners).
 * @example
 * ```ts
 * const route = topology.get('httproute.gateway.networking.k8s.io:shop/cart');
 * const [difference] = route === undefined ? [] : attachmentDifferences(topology, route);
 * difference?.message; // 'its controller accepts it at Gateway infra/public, although the listener takes routes from namespace "infra" only'
 * ```
 */
export function attachmentDifferences(topology: Topology, object: TargetNode): readonly AttachmentDifference[] {
  if (ownsListeners(object.ref)) return [...differencesOfSet(topology, object), ...differencesOfListeners(object)];
  return routeKinds.some((kind) => isSameKind(kind, object.ref)) ? differencesOfRoute(topology, object) : [];
}

function differencesOfRoute(topology: Topology, route: TargetNode): readonly AttachmentDifference[] {
  const { resource } = route;
  const lookup = lookupIn(topology);
  const reported = reportedByParents(resource);
  const admits = admissionBySpec(groupKindOf(resource), resource, { attachment: 'spec' });
  return itemsOf(specOf(resource).parentRefs).flatMap((parentRef, index): readonly AttachmentDifference[] => {
    const to = targetOf(parentRef, gatewayKind);
    const parent =
      to && ownsListeners(to) ? topology.get({ ...to, namespace: to.namespace ?? namespaceOf(resource) }) : undefined;
    if (to === undefined || parent === undefined || !factsOf(gatewayOf(parent) ?? parent).statusCounts) return [];
    const { sectionName, port } = parentRef;
    const decision = reported({ to, sectionName, port }, () => controllerOf(parent.resource, lookup));
    if (decision === undefined) return [];
    const answers = listenersOf(parent, parentRef).map((section) =>
      admits({ resource: parent.resource, section }, lookup),
    );
    const message = messageOf(decision, answers, nameOf(parent));
    return message === undefined ? [] : [{ pointer: `/spec/parentRefs/${index}`, message }];
  });
}

type Answer = Refusal | 'absent' | undefined;

/** Returns the difference between a decision and the answers of the listeners by the specs. */
function messageOf(decision: ReportedDecision, answers: readonly Answer[], parent: string): string | undefined {
  const isAccepted = answers.includes(undefined);
  if (decision !== 'accepted') {
    return isAccepted
      ? `its controller does not accept it at ${parent} (${decision.reason}), although the specs allow it`
      : undefined;
  }
  const [refusal] = answers;
  const isKnown = answers.every((answer) => typeof answer === 'object' && answer.lacks === undefined);
  return isAccepted || !isKnown || typeof refusal !== 'object'
    ? undefined
    : `its controller accepts it at ${parent}, although ${refusal.message}`;
}

function listenersOf(parent: TargetNode, { sectionName, port }: JsonObject): readonly NamedSection[] {
  return parent.sections
    .flatMap(({ section }) => section ?? [])
    .filter(({ name, value }) => (sectionName ?? name) === name && (port ?? value.port) === value.port);
}

function lookupIn(topology: Topology): AdmissionLookup {
  const resource: AdmissionLookup['resource'] = (target) => topology.get(target)?.resource;
  return {
    resource,
    has: (target) => resource(target) !== undefined,
    namespaceLabels: (name) => {
      const namespace = resource({ group: '', kind: 'Namespace', name });
      return namespace && (namespace.metadata.labels ?? {});
    },
  };
}

function differencesOfSet(topology: Topology, set: TargetNode): readonly AttachmentDifference[] {
  const to = isSameKind(set.ref, gatewayKind) ? undefined : gatewayMeant(set.resource);
  const gateway = to && topology.get({ ...to, namespace: to.namespace ?? namespaceOf(set.resource) });
  const decision = reportedDecision(set.resource);
  if (gateway === undefined || decision === undefined || !factsOf(gateway).statusCounts) return [];
  const answer = refusedByGateway(set.resource, gateway.resource, lookupIn(topology), { attachment: 'spec' });
  const message = messageOf(decision, [answer], nameOf(gateway));
  return message === undefined ? [] : [{ pointer: '/spec/parentRef', message }];
}

function nameOf({ ref: { kind, namespace, name } }: TargetNode): string {
  return `${kind} ${namespace}/${name}`;
}

function differencesOfListeners(owner: TargetNode): readonly AttachmentDifference[] {
  const head = gatewayOf(owner) ?? owner;
  const facts = factsOf(head);
  if (!facts.statusCounts) return [];
  const decision = reportedDecision(owner.resource);
  if (typeof decision === 'object') {
    const message = `its controller does not accept it (${decision.reason}), so its listeners take no requests`;
    return isSameKind(owner.ref, gatewayKind) ? [{ pointer: '/spec', message }] : [];
  }
  const [reported, computed] = [true, false].map(
    (statusCounts) => listenerFamily(head, { ...facts, statusCounts }).conflicts,
  );
  return owner.sections.flatMap(({ section }, index): readonly AttachmentDifference[] => {
    const [is, was] = [reported?.get(section), computed?.get(section)];
    if (is === was || (is === 'not accepted' && was !== undefined)) return [];
    const [reports, leads] = [is, was].map((conflict) => findings[conflict ?? 'none']);
    const message = `its controller reports ${reports} of listener ${section?.name}, although its specs lead to ${leads}`;
    return [{ pointer: `/spec/listeners/${index}`, message }];
  });
}

/** The findings about listeners, for messages. */
const findings: Readonly<Record<ListenerConflict | 'none', string>> = {
  none: 'no conflict',
  'hostname conflict': 'a hostname conflict',
  'protocol conflict': 'a protocol conflict',
  'not accepted': 'Accepted=False',
  'no tls': 'Accepted=False',
};
