import { effectivePolicies } from '@policy-machinery/effective-policy';
import {
  gatewayApi,
  gatewayListeners,
  listenerStatuses,
  type RequestTrace,
  routeStatuses,
  traceRequest,
} from '@policy-machinery/gateway-api';
import { type FoundKinds, findPolicyKinds } from '@policy-machinery/known-kinds';
import { planStatus, reportPolicies } from '@policy-machinery/policy-status';
import {
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  locatorOf,
  objectsIn,
  specOf,
} from '@policy-machinery/resource';
import { createTopology, formatTarget, type TargetNode, type Topology } from '@policy-machinery/topology';
import { findingsIn } from '../answers/issues.ts';
import { createWorld } from '../input/world.ts';
import { dataPlane } from './random-world.fixture.ts';

/** The answers of one part of the library, as texts in order. */
type Answers = readonly string[];

/** The answers of all parts about one cluster: those with the same format have to be the same. */
export interface ClusterAnswers {
  /** `Gateway a/g#l > HTTPRoute a/r` for each listener and each route that it accepts. */
  readonly accepted: Readonly<Record<'topology' | 'gatewayListeners' | 'traceRequest', Answers>>;
  /** `Gateway a/g#l 2` for each listener, with the number of its routes. */
  readonly counts: Readonly<Record<'listenerStatuses' | 'planStatus', Answers>>;
  /** `HTTPRoute a/r {"name":"g"} True` for each parent of each route. */
  readonly parents: Readonly<Record<'routeStatuses' | 'planStatus', Answers>>;
  /** `Gateway a/g#l HostnameConflict` for each listener in conflict; for requests, `Gateway a/g#l` for each listener that takes one. */
  readonly conflicts: Readonly<Record<'listenerStatuses' | 'gatewayListeners' | 'traceRequest', Answers>>;
  /** `HTTPRoute a/r` for each route with a policy in force. */
  readonly inForce: Answers;
  /** `HTTPRoute a/r /spec/parentRefs/0` for each finding about a parent. */
  readonly findings: Answers;
}

/**
 * Asks all parts of the library about a cluster.
 *
 * @param objects The objects of the cluster.
 * @param earlier What the cluster had before, if the answers follow its changes, which come one by one.
 */
export function answersAbout(
  objects: readonly KubernetesObject[],
  earlier: readonly KubernetesObject[] = [],
): ClusterAnswers {
  const linking = { delegation: true, dataPlane };
  const found = findPolicyKinds({ resources: objects, linking });
  const policyKinds = found.kinds.map(({ kind }) => kind);
  const topology = createTopology({ targetKinds: gatewayApi({ ...linking, statuses: true }), policyKinds });
  topology.apply({ upsert: earlier });
  const views = policyKinds.map((kind) => effectivePolicies(topology, kind));
  for (const view of earlier.length === 0 ? [] : views) reportPolicies(view);
  const locators = new Set(objects.map((it) => locatorOf(it)));
  for (const object of earlier) if (!locators.has(locatorOf(object))) topology.apply({ remove: [object] });
  for (const object of objects) topology.apply({ upsert: [object] });
  const plan = { controllerName: controllerIn(objects), now: new Date(0), affected: 'off' } as const;
  const planned = views.flatMap((view) => planStatus(view, plan).writes.map(({ result }) => result));
  const traces = hosts.flatMap((host) => traceRequest(topology, { host, path: '/a.B/c' }));
  return {
    accepted: {
      topology: sorted(listenersIn(topology).flatMap((node) => node.linksTo.map((route) => pair(node, route)))),
      gatewayListeners: sorted(
        gatewaysIn(topology).flatMap((gateway) =>
          gatewayListeners(gateway).flatMap(({ node, routes, placeOf }) =>
            routes.flatMap((route) => pair(node, placeOf.get(route)?.node as TargetNode)),
          ),
        ),
      ),
      traceRequest: sorted(traces.flatMap((trace) => acceptedIn(trace, topology))),
    },
    counts: {
      listenerStatuses: sorted(
        ownersIn(topology).flatMap((owner) =>
          listenerStatuses(topology, owner).map((it) => `${formatTarget(owner)}#${it.name} ${it.attachedRoutes}`),
        ),
      ),
      planStatus: sorted(planned.flatMap(countsIn)),
    },
    parents: {
      routeStatuses: sorted(
        routesIn(topology).flatMap((route) =>
          routeStatuses(topology, route).map((status) => `${formatTarget(route)} ${parentIn(status)}`),
        ),
      ),
      planStatus: sorted(planned.flatMap(parentsIn)),
    },
    conflicts: {
      listenerStatuses: sorted(
        ownersIn(topology).flatMap((owner) =>
          listenerStatuses(topology, owner).flatMap(({ name, conditions }) => {
            const conflict = conditions.find(({ type, status }) => type === 'Conflicted' && status === 'True');
            const isRefused = owner.ref.kind === 'ListenerSet' && owner.linksFrom.length === 0;
            return conflict === undefined || isRefused ? [] : [`${formatTarget(owner)}#${name} ${conflict.reason}`];
          }),
        ),
      ),
      gatewayListeners: sorted(
        gatewaysIn(topology).flatMap((gateway) =>
          gatewayListeners(gateway).flatMap(({ node, lostBy }) =>
            lostBy === undefined ? [] : [`${formatTarget(node)} ${conflictReasons[lostBy]}`],
          ),
        ),
      ),
      traceRequest: sorted(
        traces.flatMap(({ winner }) => (winner === undefined ? [] : [formatTarget(winner.listener)])),
      ),
    },
    inForce: sorted(
      views.flatMap((view) =>
        reportPolicies(view).flatMap(({ policy, outcome }) =>
          outcome === 'not-in-any-path'
            ? []
            : policy.attachments.map(({ target }) => formatTarget(target as TargetNode)),
        ),
      ),
    ),
    findings: findingsAbout(objects, found),
  };
}

/** Returns the controller of the GatewayClass. */
function controllerIn(objects: readonly KubernetesObject[]): string {
  const gatewayClass = objects.find(({ kind }) => kind === 'GatewayClass');
  return String(gatewayClass && specOf(gatewayClass).controllerName);
}

/** Hosts: each hostname of a random world takes at least one. */
const hosts = ['a.example', 'b.example', 'x.a.example', 'y.a.example', 'c.example', 'other.test', 'none.test'];

function pair(listener: TargetNode, route: TargetNode): string {
  return `${formatTarget(listener)} > ${formatTarget(route)}`;
}

function sorted(texts: readonly string[]): Answers {
  return [...new Set(texts)].sort();
}

function wholeIn(topology: Topology, kinds: RegExp): readonly TargetNode[] {
  return [...topology.targets].filter(({ section, ref }) => section === undefined && kinds.test(ref.kind));
}

const gatewaysIn = (topology: Topology) => wholeIn(topology, /^Gateway$/);
const ownersIn = (topology: Topology) => wholeIn(topology, /^(Gateway|ListenerSet)$/);
const routesIn = (topology: Topology) => wholeIn(topology, /Route$/);
const listenersIn = (topology: Topology) => ownersIn(topology).flatMap(({ sections }) => sections);

/**
 * The routes that a request finds at listeners, without those that their listener does not keep. A route that delegates stands for its children;
 * without children, it takes no request.
 */
function acceptedIn({ winner, lost, undecided, unmatched }: RequestTrace, topology: Topology): readonly string[] {
  const isRefused = (listener: TargetNode, route: TargetNode) => [...topology.refusedRivals(listener)].includes(route);
  const kept = lost.filter(
    ({ lostBy, listener, route, via }) =>
      lostBy !== 'older route of another kind' && !(losses.has(lostBy) && isRefused(listener, via[0] ?? route)),
  );
  const childless = unmatched.filter(
    ({ reason, listener, route }) => reason === 'no-children' && !isRefused(listener, route),
  );
  const found = [...(winner === undefined ? [] : [winner]), ...kept, ...undecided, ...childless];
  return found.map(({ listener, route, via }) => pair(listener, via[0] ?? route));
}

/** Why a route takes no request whether or not its listener keeps the route: the listener takes none. */
const losses: ReadonlySet<string> = new Set(['hostname conflict', 'protocol conflict', 'another listener']);

const conflictReasons: Readonly<Record<string, string>> = {
  'hostname conflict': 'HostnameConflict',
  'protocol conflict': 'ProtocolConflict',
};

function countsIn({ kind, metadata, status }: KubernetesObject): Answers {
  if (kind !== 'Gateway' && kind !== 'ListenerSet') return [];
  return objectsIn(isJsonObject(status) ? status.listeners : []).map(
    ({ name, attachedRoutes }) => `${kind} ${metadata.namespace}/${metadata.name}#${name} ${attachedRoutes}`,
  );
}

function parentsIn({ kind, metadata, status }: KubernetesObject): Answers {
  if (!kind.endsWith('Route')) return [];
  return objectsIn(isJsonObject(status) ? status.parents : []).map(
    (entry) => `${kind} ${metadata.namespace}/${metadata.name} ${parentIn(entry)}`,
  );
}

function parentIn({ parentRef, conditions }: { readonly parentRef?: unknown; readonly conditions?: unknown }): string {
  const accepted = objectsIn(conditions).find(({ type }) => type === 'Accepted');
  return `${JSON.stringify(Object.entries(parentRef as JsonObject).sort())} ${accepted?.status}`;
}

/** What `gwpolicy lint` finds about parents. */
function findingsAbout(objects: readonly KubernetesObject[], found: FoundKinds): Answers {
  const world = createWorld({ objects, found, scope: { namespace: undefined } });
  const findings = findingsIn(world).filter(({ pointer = '' }) => pointer.startsWith('/spec/parentRefs/'));
  return sorted(
    findings.map(
      ({ resource, pointer }) => `${formatTarget(world.topology.get(resource ?? '') as TargetNode)} ${pointer}`,
    ),
  );
}
