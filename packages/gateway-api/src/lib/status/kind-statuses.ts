// status/: the statuses that Gateway API asks for. Takes a topology and a Gateway, ListenerSet or route, and returns its conditions, listeners and
// parents. A fault is the reason why a reference does not resolve.

import { isJsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';
import type {
  StatusCondition,
  StatusContext,
  StatusDefinition,
  TargetKind,
  TargetNode,
  Topology,
} from '@policy-machinery/topology';
import { withStatus } from '@policy-machinery/topology/inner';
import { gatewayClassKind, gatewayKind, isSameKind, ownsListeners } from '../fields/hierarchy.ts';
import { gatewayOf } from '../listeners/listener-family.ts';
import { type HeadFacts, headFacts, ownerStatus } from './gateway-status.ts';
import { isManaged } from './ownership.ts';
import { parentStatuses } from './route-statuses.ts';
import { routeKinds } from './supported-kinds.ts';

/** Lets the kinds of Gateway API have their own statuses, where they have any. */
export function withStatuses(kinds: readonly TargetKind[]): readonly TargetKind[] {
  return kinds.map((kind) => {
    const status = statusOf(kind);
    return status === undefined ? kind : withStatus(kind, status);
  });
}

function statusOf(kind: TargetKind): StatusDefinition | undefined {
  if (isSameKind(kind, gatewayClassKind)) return ofGatewayClasses;
  if (ownsListeners(kind)) return ofListenerOwners;
  return routeKinds.some((it) => isSameKind(it, kind)) ? ofRoutes : undefined;
}

const ofGatewayClasses: StatusDefinition = {
  dependents: (gatewayClass, { topology, cause }) =>
    cause === 'resource' ? gatewayClass.linksTo.flatMap((gateway) => withReferrers(gateway, topology)) : [],
};

const ofListenerOwners: StatusDefinition = {
  of(owner, context) {
    const { topology, controllerName } = context;
    if (!isManaged(topology, owner, controllerName)) return undefined;
    const { conditions, listeners, attachedListenerSets } = ownerStatus(topology, owner, factsIn(context));
    return {
      conditions: planned(conditions),
      ...(attachedListenerSets === undefined || !countsListenerSets(owner.resource)
        ? {}
        : { fields: { attachedListenerSets } }),
      sections: listeners.map(({ name, supportedKinds, attachedRoutes, conditions: ofListener }) => ({
        name,
        fields: { supportedKinds: supportedKinds.map(({ group, kind }) => ({ group, kind })), attachedRoutes },
        conditions: planned(ofListener),
      })),
    };
  },
  dependents(owner, { topology, cause }) {
    const isGateway = isSameKind(owner.ref, gatewayKind);
    if (isGateway && cause === 'above') return withReferrers(owner, topology);
    const gateway = isGateway ? owner : gatewayOf(owner);
    const sets = gateway?.linksTo.filter(({ ref }) => ownsListeners(ref)) ?? [];
    const family = gateway === undefined ? [] : [gateway, ...sets];
    return isGateway ? family : [...family, ...topology.referrersOf(owner)];
  },
};

/** The facts about Gateways while statuses are planned: all ListenerSets of one depend on the same. */
const known = new WeakMap<StatusContext, Map<TargetNode, HeadFacts>>();

function factsIn(context: StatusContext): typeof headFacts {
  const facts = known.get(context) ?? new Map<TargetNode, HeadFacts>();
  known.set(context, facts);
  return (topology, head) => {
    const there = facts.get(head) ?? headFacts(topology, head);
    facts.set(head, there);
    return there;
  };
}

const ofRoutes: StatusDefinition = {
  of(route, { topology, controllerName }) {
    const entries = parentStatuses(topology, route)
      .filter(({ parent }) => parent !== undefined && isManaged(topology, parent, controllerName))
      .map(({ parentRef, conditions }) => ({ parentRef, conditions }));
    return { parents: { types: ['Accepted', 'ResolvedRefs'], entries } };
  },
};

/** Returns the conditions but `Programmed`, which is left to the data plane. */
function planned(conditions: readonly StatusCondition[]): readonly StatusCondition[] {
  return conditions.filter(({ type }) => type !== 'Programmed');
}

/** Returns whether the status of a Gateway counts ListenerSets: only if there may be any, because not all versions of the API have the field. */
function countsListenerSets(gateway: KubernetesObject): boolean {
  const { status } = gateway;
  if (isJsonObject(status) && status.attachedListenerSets !== undefined) return true;
  return isJsonObject(specOf(gateway).allowedListeners);
}

/** Returns a Gateway or ListenerSet with the ListenerSets and routes that refer to the owner. The owner's controller also manages these. */
function withReferrers(owner: TargetNode, topology: Topology): readonly TargetNode[] {
  const referrers = [...topology.referrersOf(owner)];
  const sets = referrers.filter(({ ref }) => ownsListeners(ref));
  return [owner, ...referrers, ...sets.flatMap((set) => [...topology.referrersOf(set)])];
}
