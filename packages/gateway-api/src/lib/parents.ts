import {
  type GroupKind,
  groupKindOf,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  namespaceOf,
  specOf,
} from '@policy-machinery/resource';
import type { AdmissionLookup, LinkEnd, NamedTarget, Reference, Refusal } from '@policy-machinery/topology';
import { refusedInParents, type WantedParent } from './accepted.ts';
import { allowsRoute } from './allowed-routes.ts';
import { firstFew } from './first-few.ts';
import { gatewayKind, isService, mayBeParent, ownsListeners } from './hierarchy.ts';
import { itemsOf } from './items.ts';
import { hasHostnameInCommon, hostnamesSought } from './listener-protocol.ts';
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
  return (route) => {
    const byItsListener = byListener(groupKind, route);
    const parentRefs = itemsOf(specOf(route).parentRefs);
    const references = parentRefs
      .map((parentRef, index) => referenceTo(parentRef, index, route, options, byItsListener))
      .filter((reference) => reference !== undefined);
    if (options.defaultGateways !== true || specOf(route).useDefaultGateways !== 'All') return references;
    const toDefaults: Reference = {
      direction: 'up',
      to: { ...gatewayKind, namespaces: { from: 'All' }, where: (gateway) => specOf(gateway).defaultScope === 'All' },
      toSections: anySection,
      pointer: '/spec/useDefaultGateways',
      admits: options.attachment === 'status' ? unlessRefused(byStatus(route, options), byItsListener) : byItsListener,
    };
    return [...references, toDefaults];
  };
}

function referenceTo(
  parentRef: JsonObject,
  index: number,
  route: KubernetesObject,
  options: GatewayApiOptions,
  byItsListener: Admits,
): Reference | undefined {
  const to = targetOf(parentRef, gatewayKind);
  if (to === undefined) return undefined;
  const frontend = options.mesh === true && isService(to) ? frontendOf(to, parentRef, route) : undefined;
  if (frontend === undefined && !mayBeParent(to, options.parents ?? none)) return undefined;
  const { sectionName, port } = parentRef;
  const hasListeners = ownsListeners(to);
  const isWhole = !hasListeners && ((isUnset(sectionName) && isUnset(port)) || frontend?.isConsumer === true);
  let admits = hasListeners ? byItsListener : admitsAll;
  if (options.attachment === 'status') {
    admits = unlessRefused(byStatus(route, options, { to, sectionName, port }), admits);
  }
  if (frontend?.isConsumer === true) admits = unlessRefused(unlessAbsent(to), admits);
  const pointer = pointerTo(index);
  const meant = frontend?.to ?? to;
  if (isWhole) return { direction: 'up', to: meant, pointer, admits };
  return { direction: 'up', to: meant, pointer, admits, toSections: sectionsMeant(sectionName, port) };
}

function sectionsMeant(
  sectionName: JsonValue | undefined,
  port: JsonValue | undefined,
): NonNullable<Reference['toSections']> {
  const isAnyName = isUnset(sectionName);
  const isAnyPort = isUnset(port);
  if (isAnyName && isAnyPort) return anySection;
  return ({ name, value }) => (isAnyName || name === sectionName) && (isAnyPort || value.port === port);
}

const none: readonly never[] = [];

const pointerTo = firstFew((place) => `/spec/parentRefs/${place}`);

const anySection = (): boolean => true;

const admitsAll: Admits = () => undefined;

/** Admits what neither of two refuses. */
function unlessRefused(first: Admits, second: Admits): Admits {
  return (end, lookup) => first(end, lookup) ?? second(end, lookup);
}

function unlessAbsent(to: NamedTarget): Admits {
  return (_, lookup) => (lookup.has(to) ? undefined : 'absent');
}

function byListener(groupKind: GroupKind, route: KubernetesObject): Admits {
  const candidate = { groupKind, namespace: namespaceOf(route) };
  const sought = hostnamesSought({ groupKind, hostnames: specOf(route).hostnames });
  return ({ resource, section }: LinkEnd, { namespaceLabels }: AdmissionLookup): Refusal | undefined => {
    const listener = section?.value ?? {};
    const admission = allowsRoute(namespaceOf(resource), listener, candidate, namespaceLabels);
    if (!admission.allowed) return { reason: admission.reason, message: admission.message };
    if (hasHostnameInCommon(listener, sought)) return undefined;
    return { reason: 'NoMatchingListenerHostname', message: 'the listener and the route have no hostname in common' };
  };
}

/** @param wanted The parent that the route names. Default: the end itself. */
function byStatus(route: KubernetesObject, { controllerName }: GatewayApiOptions, wanted?: WantedParent): Admits {
  return (end) => refusedInParents(route, wanted ?? wantedAs(end), controllerName);
}

/** A Gateway as the status of a route names it that has not named it itself. */
function wantedAs({ resource }: LinkEnd): WantedParent {
  return { to: { ...groupKindOf(resource), namespace: namespaceOf(resource), name: resource.metadata.name } };
}
