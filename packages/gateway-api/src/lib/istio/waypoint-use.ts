import { type GroupKind, isJsonObject, type KubernetesObject, namespaceOf, specOf } from '@policy-machinery/resource';
import type { AdmissionLookup, NamedTarget, Reference, Refusal, SelectedTargets } from '@policy-machinery/topology';
import { gatewayKind } from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { decideByNamespace } from '../listeners/allowed-namespaces.ts';
import { isWaypoint } from './names.ts';

type Labels = Readonly<Record<string, string>> | null | undefined;

const useLabel = 'istio.io/use-waypoint';
const namespaceLabel = 'istio.io/use-waypoint-namespace';
const trafficLabel = 'istio.io/waypoint-for';

/** Returns the waypoint that labels name; `null` if they name none on purpose, and `undefined` if they say nothing. */
function waypointIn(labels: Labels, namespace: string): Pick<NamedTarget, 'name' | 'namespace'> | null | undefined {
  const name = labels?.[useLabel];
  if (name === undefined) return undefined;
  return name === 'none' ? null : { name, namespace: labels?.[namespaceLabel] ?? namespace };
}

/** Returns the reference of a Service or ServiceEntry to the waypoint that its own labels name. */
export function* waypointReferences(service: KubernetesObject): Iterable<Reference> {
  const waypoint = waypointIn(service.metadata.labels, namespaceOf(service));
  if (waypoint === undefined || waypoint === null) return;
  yield {
    direction: 'up',
    to: { ...gatewayKind, ...waypoint },
    pointer: '/metadata/labels',
    admits: ({ resource: gateway }, lookup) => refusedByWaypoint(gateway, service, lookup),
  };
}

/**
 * Returns the references of a waypoint to the resources of a kind that use it because the labels of their Namespace say so. Resources of other
 * namespaces are looked for only if a listener allows any, because that costs as much as there are in the cluster.
 */
export function* referencesOfWaypoint(waypoint: KubernetesObject, { group, kind }: GroupKind): Iterable<Reference> {
  const { name } = waypoint.metadata;
  const own = namespaceOf(waypoint);
  const where = ({ metadata }: KubernetesObject) => metadata.labels?.[useLabel] === undefined;
  const reference = (namespaces: SelectedTargets['namespaces']): Reference => ({
    direction: 'down',
    to: { group, kind, namespaces, where },
    pointer: '/metadata/name',
    admits: ({ resource: service }, lookup) => {
      const namespace = namespaceOf(service);
      const used = waypointIn(lookup.namespaceLabels(namespace), namespace);
      if (used?.name !== name || used.namespace !== own) return 'absent';
      return refusedByWaypoint(waypoint, service, lookup);
    },
  });
  yield reference({ from: 'Same' });
  if (!isForOthers(waypoint)) return;
  yield reference({ from: 'Selector', selector: { matchLabels: { [useLabel]: name, [namespaceLabel]: own } } });
}

/** Returns whether a listener of a waypoint takes traffic from other namespaces. */
function isForOthers(waypoint: KubernetesObject): boolean {
  return itemsOf(specOf(waypoint).listeners).some(({ allowedRoutes }) => {
    const namespaces = isJsonObject(allowedRoutes) ? allowedRoutes.namespaces : undefined;
    return isJsonObject(namespaces) && (namespaces.from === 'All' || namespaces.from === 'Selector');
  });
}

const faultOfNamespaces = decideByNamespace({ byDefault: 'Same', owner: 'the waypoint', guests: 'traffic' });

/** Returns why a waypoint does not serve a Service; `undefined` if it does. */
function refusedByWaypoint(
  gateway: KubernetesObject,
  service: KubernetesObject,
  { namespaceLabels }: AdmissionLookup,
): Refusal | undefined {
  if (!isWaypoint(gateway)) return { reason: 'NoWaypoint', message: `the Gateway is not a waypoint` };
  const traffic = gateway.metadata.labels?.[trafficLabel] ?? 'service';
  if (traffic !== 'service' && traffic !== 'all') {
    return { reason: 'OtherTraffic', message: `the waypoint is for ${traffic}, and not for services` };
  }
  const faults = itemsOf(specOf(gateway).listeners).map(({ allowedRoutes }) => {
    const namespaces = isJsonObject(allowedRoutes) ? allowedRoutes.namespaces : undefined;
    return faultOfNamespaces(namespaces, namespaceOf(gateway), namespaceOf(service), namespaceLabels);
  });
  const [fault] = faults;
  if (fault === undefined || faults.includes(undefined)) {
    const isNear = faults.length > 0 || namespaceOf(gateway) === namespaceOf(service);
    return isNear ? undefined : { reason: 'NotAllowed', message: 'the waypoint takes traffic from its namespace only' };
  }
  return { reason: 'NotAllowed', message: fault.message };
}
