import {
  formatPointer,
  type GroupKind,
  groupKindOf,
  type KubernetesObject,
  namespaceOf,
  specOf,
} from '@policy-machinery/resource';
import type { AdmissionLookup, LinkEnd, Reference, Refusal } from '@policy-machinery/topology';
import { refusedInParents, type WantedParent } from './accepted.ts';
import { allowsRoute } from './allowed-routes.ts';
import { gatewayKind, isService, mayBeParent, ownsListeners } from './hierarchy.ts';
import { itemsOf } from './items.ts';
import { hostnamesOnListener } from './listener-protocol.ts';
import { isUnset, targetOf } from './object-reference.ts';
import type { GatewayApiOptions } from './options.ts';
import { frontendOf } from './service-frontend.ts';

type Admits = NonNullable<Reference['admits']>;

/**
 * The listeners that a route asks to hang beneath: by section, by port, by both, or all of a Gateway or ListenerSet. Each of
 * them decides by its protocol, `allowedRoutes` and hostname (H-09). A parent of another kind is meant as a whole, unless the
 * route names a section or port of it. In a mesh, a Service is meant by its frontend; a consumer's, which the route gives rise
 * to itself, counts as absent without the Service.
 */
export function parentReferences(
  groupKind: GroupKind,
  options: GatewayApiOptions,
): (route: KubernetesObject) => Iterable<Reference> {
  return function* (route) {
    for (const [index, parentRef] of itemsOf(specOf(route).parentRefs).entries()) {
      const to = targetOf(parentRef, gatewayKind);
      if (to === undefined) continue;
      const { sectionName, port } = parentRef;
      const frontend = options.mesh === true && isService(to) ? frontendOf(to, parentRef, route) : undefined;
      if (frontend === undefined && !mayBeParent(to, options.parents ?? [])) continue;
      const hasListeners = ownsListeners(to);
      const isWhole = !hasListeners && ((isUnset(sectionName) && isUnset(port)) || frontend?.isConsumer === true);
      const toSections: Reference['toSections'] = ({ name, value }) =>
        (isUnset(sectionName) || name === sectionName) && (isUnset(port) || value.port === port);
      yield {
        direction: 'up',
        to: frontend?.to ?? to,
        pointer: formatPointer(['spec', 'parentRefs', index]),
        ...(isWhole ? {} : { toSections }),
        admits: unlessRefused(
          frontend?.isConsumer === true ? (_, lookup) => (lookup.has(to) ? undefined : 'absent') : undefined,
          byStatus(route, options, () => ({ to, sectionName, port })),
          hasListeners ? byListener(groupKind, route) : undefined,
        ),
      };
    }
    if (options.defaultGateways !== true || specOf(route).useDefaultGateways !== 'All') return;
    yield {
      direction: 'up',
      to: { ...gatewayKind, namespaces: { from: 'All' }, where: (gateway) => specOf(gateway).defaultScope === 'All' },
      toSections: () => true,
      pointer: '/spec/useDefaultGateways',
      admits: unlessRefused(byStatus(route, options, wantedAs), byListener(groupKind, route)),
    };
  };
}

/** Admits what nobody refuses. */
function unlessRefused(...judges: readonly (Admits | undefined)[]): Admits {
  return (end, lookup) => {
    for (const judge of judges) {
      const refusal = judge?.(end, lookup);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  };
}

function byListener(groupKind: GroupKind, route: KubernetesObject): Admits {
  const namespace = namespaceOf(route);
  const { hostnames } = specOf(route);
  return ({ resource, section }: LinkEnd, lookup: AdmissionLookup): Refusal | undefined => {
    const listener = section?.value ?? {};
    const candidate = { groupKind, namespace, namespaceLabels: lookup.namespaceLabels(namespace) };
    const admission = allowsRoute({ namespace: namespaceOf(resource) }, listener, candidate);
    if (!admission.allowed) return { reason: admission.reason, message: admission.message };
    if (hostnamesOnListener(listener, { groupKind, hostnames }).length > 0) return undefined;
    return { reason: 'NoMatchingListenerHostname', message: 'the listener and the route have no hostname in common' };
  };
}

function byStatus(
  route: KubernetesObject,
  { attachment, controllerName }: GatewayApiOptions,
  wantedFrom: (end: LinkEnd) => WantedParent,
): Admits | undefined {
  if (attachment !== 'status') return undefined;
  return (end) => refusedInParents(route, wantedFrom(end), controllerName);
}

/** A Gateway as the status of a route names it that has not named it itself. */
function wantedAs({ resource }: LinkEnd): WantedParent {
  return { to: { ...groupKindOf(resource), namespace: namespaceOf(resource), name: resource.metadata.name } };
}
