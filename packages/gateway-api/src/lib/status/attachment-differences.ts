import { formatGroupKind, groupKindOf, type JsonObject, namespaceOf, specOf } from '@policy-machinery/resource';
import type { AdmissionLookup, NamedSection, Refusal, TargetNode, Topology } from '@policy-machinery/topology';
import { type ReportedDecision, reportedByParents } from '../attachment/acceptance.ts';
import { controllerOf } from '../attachment/owning-controller.ts';
import { admissionBySpec } from '../attachment/parent-references.ts';
import { gatewayKind, isSameKind, ownsListeners } from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { targetOf } from '../fields/object-reference.ts';
import { factsOf } from '../kinds/listener-section.ts';
import { gatewayOf, listenerFamily } from '../listeners/listener-family.ts';
import { routeKinds } from './supported-kinds.ts';

/** A decision of a controller in a status that the specs do not lead to. */
export interface AttachmentDifference {
  /** JSON Pointer to the parentRef of the route, or to the listener, from the root of the resource. */
  readonly pointer: string;
  /** The decision and the answer of the specs, as a sentence without its subject. */
  readonly message: string;
}

/**
 * Returns the decisions in the current status of a route, Gateway or ListenerSet that differ from what the specs lead to. The decisions count, unless only
 * specs do.
 *
 * @param topology A topology with the kinds of `gatewayApi`.
 * @param object The route, Gateway or ListenerSet.
 * @returns One difference for each parentRef or listener; none for other objects, and where the specs do not decide. O(parents × listeners).
 * @example
 * ```ts
 * const [difference] = attachmentDifferences(topology, route);
 * difference?.message; // 'its controller accepts it at Gateway infra/public, although the listener takes routes from namespace "infra" only'
 * ```
 */
export function attachmentDifferences(topology: Topology, object: TargetNode): readonly AttachmentDifference[] {
  if (ownsListeners(object.ref)) return differencesOfListeners(object);
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
    const message = messageOf(
      decision,
      answers,
      `${formatGroupKind(groupKindOf(parent.resource)).split('.')[0]} ${parent.ref.namespace}/${parent.ref.name}`,
    );
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

function differencesOfListeners(owner: TargetNode): readonly AttachmentDifference[] {
  const head = gatewayOf(owner) ?? owner;
  if (!factsOf(head).statusCounts) return [];
  const [reported, computed] = [true, false].map((statusCounts) => listenerFamily(head, statusCounts).conflicts);
  return owner.sections.flatMap(({ section }, index): readonly AttachmentDifference[] => {
    const [is, was] = [reported?.get(section), computed?.get(section)];
    if (is === was || is === 'not accepted') return [];
    const pointer = `/spec/listeners/${index}`;
    const [reports, leads] = [is, was].map((conflict) => (conflict === undefined ? 'no conflict' : `a ${conflict}`));
    return [
      {
        pointer,
        message: `its controller reports ${reports} of listener ${section?.name}, although its specs lead to ${leads}`,
      },
    ];
  });
}
