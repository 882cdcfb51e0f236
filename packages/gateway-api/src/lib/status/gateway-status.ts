import type { ResourceRef } from '@policy-machinery/resource';
import type { StatusCondition, TargetNode, Topology } from '@policy-machinery/topology';
import { gatewayKind, isSameKind, ownsListeners } from '../fields/hierarchy.ts';
import { factsOf } from '../kinds/listener-section.ts';
import { gatewayOf, type ListenerFamily, listenerFamily } from '../listeners/listener-family.ts';
import { conditionOf, isFalse, isTrue, isUnknown, sentence } from './condition.ts';
import { configurationConditions, configurationFault } from './gateway-configuration-status.ts';
import { type ListenerStatus, listenerStatus } from './listener-status.ts';
import { isFault } from './reference-fault.ts';

/** The status of a Gateway or ListenerSet, as far as it follows from the resources of the topology. */
export interface GatewayStatus {
  /**
   * `Accepted` and `Programmed`; for a Gateway with a certificate for backends also `ResolvedRefs`, and for one that
   * accepts clients with invalid certificates `InsecureFrontendValidationMode`.
   */
  readonly conditions: readonly StatusCondition[];
  readonly listeners: readonly ListenerStatus[];
  /** The number of accepted ListenerSets of a Gateway; absent on ListenerSets. */
  readonly attachedListenerSets?: number;
}

/**
 * Returns the statuses of the listeners of a Gateway or ListenerSet, with Gateway API's conditions and reasons.
 *
 * Conditions that the topology cannot decide have the status `Unknown`: whether certificates exist, unless `Secret` is among its kinds; whether a
 * vendor's protocol is supported; and whether a valid listener is programmed.
 *
 * @param topology A topology with the kinds of `gatewayApi`.
 * @param owner The Gateway or ListenerSet, as a node, reference or locator.
 * @returns One status for each listener, in the order of the resource; none if the resource does not exist.
 * O(listeners of the Gateway and of its ListenerSets).
 * @example
 * ```ts
 * listenerStatuses(topology, 'gateway.gateway.networking.k8s.io:infra/public')[0]?.attachedRoutes; // 2
 * ```
 */
export function listenerStatuses(
  topology: Topology,
  owner: TargetNode | ResourceRef | string,
): readonly ListenerStatus[] {
  const node = topology.get(owner)?.object;
  return node === undefined || !ownsListeners(node.ref)
    ? []
    : statusesIn(topology, node, familyOf(gatewayOf(node) ?? node));
}

/**
 * Returns the status of a Gateway or ListenerSet: its listeners, whether it is accepted, and how many ListenerSets a Gateway has.
 *
 * A Gateway is not accepted if none of its listeners is. A ListenerSet is accepted if its Gateway is and lets it in, and one of its
 * listeners is accepted and has its certificates.
 *
 * @param topology A topology with the kinds of `gatewayApi`.
 * @param owner The Gateway or ListenerSet, as a node, reference or locator.
 * @returns The status; `undefined` if the resource does not exist. O(listeners of the Gateway and of its ListenerSets).
 */
export function gatewayStatus(topology: Topology, owner: TargetNode | ResourceRef | string): GatewayStatus | undefined {
  const node = topology.get(owner)?.object;
  return node === undefined || !ownsListeners(node.ref) ? undefined : ownerStatus(topology, node, headFacts);
}

/** The facts that the statuses of a Gateway and of its ListenerSets depend on. */
export interface HeadFacts {
  readonly family: ListenerFamily;
  readonly accepted: StatusCondition;
}

function familyOf(head: TargetNode): ListenerFamily {
  return listenerFamily(head, factsOf(head));
}

/** Returns the facts about a Gateway, or about a ListenerSet that is not let in anywhere. O(listeners of the family). */
export function headFacts(topology: Topology, head: TargetNode): HeadFacts {
  const family = familyOf(head);
  return { family, accepted: gatewayAccepted(topology, head, statusesIn(topology, head, family)) };
}

/** Like {@link gatewayStatus}. For many statuses, pass a `factsOf` that remembers its results. */
export function ownerStatus(topology: Topology, owner: TargetNode, factsOf: typeof headFacts): GatewayStatus {
  const facts = factsOf(topology, gatewayOf(owner) ?? owner);
  const { family, accepted } = facts;
  const listeners = statusesIn(topology, owner, family);
  if (!isSameKind(owner.ref, gatewayKind)) {
    return { conditions: withProgrammed(setAccepted(topology, owner, listeners, facts)), listeners };
  }
  const isAttached = (set: TargetNode) =>
    setAccepted(topology, set, statusesIn(topology, set, family), facts).status === 'True';
  const attachedListenerSets = family.owners.slice(1).filter(isAttached).length;
  const conditions = [...withProgrammed(accepted), ...configurationConditions(topology, owner, listeners)];
  return { conditions, listeners, attachedListenerSets };
}

function statusesIn(topology: Topology, owner: TargetNode, family: ListenerFamily): readonly ListenerStatus[] {
  const open = family.openConflicts(topology);
  const statuses = owner.sections.map((listener, index) => listenerStatus(topology, listener, index, family, open));
  const isAlone = !isSameKind(owner.ref, gatewayKind) && gatewayOf(owner) === undefined;
  const attached = isAlone ? notAttached(topology, owner) : undefined;
  return attached?.status === 'Unknown'
    ? statuses.map((status) => asFarAsAttached(status, attached.message))
    : statuses;
}

/** Returns the status of a listener of a ListenerSet as far as it does not depend on the Gateway, which is not known. */
function asFarAsAttached(status: ListenerStatus, message: string): ListenerStatus {
  const conditions = status.conditions.map((condition) =>
    condition.type === (condition.status === 'True' ? 'Accepted' : 'Conflicted')
      ? isUnknown(condition.type, message)
      : condition,
  );
  return { ...status, conditions };
}

function gatewayAccepted(
  topology: Topology,
  gateway: TargetNode,
  listeners: readonly ListenerStatus[],
): StatusCondition {
  const isValid = ({ conditions }: ListenerStatus) => conditionOf(conditions, 'Accepted')?.status !== 'False';
  const byListeners = acceptedBy('Gateway', listeners, isValid);
  const finding = configurationFault(topology, gateway);
  if (isFault(finding)) return isFalse('Accepted', finding.reason, finding.message);
  if (byListeners.status === 'False' || finding === undefined) return byListeners;
  return isUnknown('Accepted', sentence(finding.unknown));
}

/** Returns whether a ListenerSet is accepted, by its Gateway and its listeners. */
function setAccepted(
  topology: Topology,
  set: TargetNode,
  listeners: readonly ListenerStatus[],
  { accepted }: HeadFacts,
): StatusCondition {
  if (gatewayOf(set) === undefined) return notAttached(topology, set);
  if (accepted.status === 'False') return isFalse('Accepted', 'ParentNotAccepted', 'Its Gateway is not accepted.');
  return acceptedBy('ListenerSet', listeners, isUsable);
}

function notAttached(topology: Topology, set: TargetNode): StatusCondition {
  const [parent] = topology.referencesOf(set);
  const [refusal] = parent?.refusals ?? [];
  if (parent?.isUndecided === true) {
    return isUnknown(
      'Accepted',
      refusal === undefined ? 'Its Gateway is not in this input.' : sentence(refusal.message),
    );
  }
  if (refusal === undefined) return isFalse('Accepted', 'ParentNotAccepted', 'Its Gateway does not exist.');
  if (refusal.reason === 'Pending') return isUnknown('Accepted', refusal.message);
  return isFalse('Accepted', refusal.reason, refusal.message);
}

function isUsable({ conditions }: ListenerStatus): boolean {
  const programmed = conditionOf(conditions, 'Programmed');
  return programmed?.status !== 'False';
}

function acceptedBy(
  kind: string,
  listeners: readonly ListenerStatus[],
  isValid: (listener: ListenerStatus) => boolean,
): StatusCondition {
  const invalid = listeners.filter((listener) => !isValid(listener)).map(({ name }) => name);
  const isKnown = ({ conditions }: ListenerStatus) => conditionOf(conditions, 'Accepted')?.status !== 'Unknown';
  const open = listeners.filter((listener) => isValid(listener) && !isKnown(listener));
  if (open.length > 0 && open.length + invalid.length === listeners.length) {
    return isUnknown('Accepted', conditionOf(open[0]?.conditions ?? [], 'Accepted')?.message ?? '');
  }
  if (invalid.length === 0) return isTrue('Accepted', 'Accepted', `The ${kind} is valid.`);
  const told = invalid.length > maxTold ? [...invalid.slice(0, maxTold), `${invalid.length - maxTold} more`] : invalid;
  const message = `Invalid listeners: ${told.join(', ')}.`;
  return invalid.length < listeners.length
    ? isTrue('Accepted', 'ListenersNotValid', message)
    : isFalse('Accepted', 'ListenersNotValid', message);
}

/** The number of listeners that a message names. */
const maxTold = 8;

function withProgrammed(accepted: StatusCondition): readonly StatusCondition[] {
  const programmed =
    accepted.status === 'False'
      ? isFalse('Programmed', accepted.reason, accepted.message)
      : isUnknown('Programmed', 'Only the data plane knows whether it is programmed.');
  return [accepted, programmed];
}
