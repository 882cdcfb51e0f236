// attachment/: the references of routes. Takes a route and returns its references: to parents and their listeners, to backends, and to the child
// routes to which a rule delegates; each reference decides whom it admits.

import {
  type GroupKind,
  groupKindOf,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  namespaceOf,
  specOf,
} from '@policy-machinery/resource';
import type {
  AdmissionLookup,
  LinkEnd,
  NamedTarget,
  Reference,
  Refusal,
  SectionCriteria,
} from '@policy-machinery/topology';
import { firstFew } from '../fields/first-few.ts';
import { gatewayKind, isSameKind, isServiceParent, mayBeParent, ownsListeners } from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { isUnset, targetOf } from '../fields/object-reference.ts';
import { allowsRoute } from '../listeners/allowed-routes.ts';
import { listenerHostnameTest } from '../listeners/listener-protocol.ts';
import { parentAcceptance, parentKey, type WantedParent } from './acceptance.ts';
import { frontendOf } from './frontend-names.ts';
import { refusedWithSet } from './listener-set-admission.ts';
import type { GatewayApiOptions } from './options.ts';

type Admits = NonNullable<Reference['admits']>;

/**
 * Returns the references of a route to its parents: to listeners by section, by port, by both, or to all of a Gateway or ListenerSet. Each
 * listener decides by its protocol, `allowedRoutes` and hostname (H-09). A parent of another kind is referred to as a whole, unless the
 * route names a section or port. In a mesh, a Service stands for its frontend; a consumer's frontend, which is derived from the route,
 * counts as absent without the Service.
 */
export function parentReferences(
  groupKind: GroupKind,
  options: GatewayApiOptions,
): (route: KubernetesObject) => Iterable<Reference> {
  return (route) => {
    const byItsListener = byListener(groupKind, route, options);
    const parentRefs = itemsOf(specOf(route).parentRefs);
    const acceptance = options.attachment === 'status' ? parentAcceptance(route, options.controllerName) : undefined;
    const holder = { route, options, byItsListener, acceptance };
    const references: Reference[] = [];
    const said = new Set<string>();
    for (let index = 0; index < parentRefs.length; index += 1) {
      const parentRef = parentRefs[index] as JsonObject;
      const to = targetOf(parentRef, gatewayKind);
      if (to === undefined || (parentRefs.length > fewParents && isRepeated(said, to, parentRef, route))) continue;
      const reference = referenceTo(to, parentRef, index, holder);
      if (reference !== undefined) references.push(reference);
    }
    if (options.defaultGateways !== true || specOf(route).useDefaultGateways !== 'All') return references;
    const toDefaults: Reference = {
      direction: 'up',
      to: { ...gatewayKind, namespaces: { from: 'All' }, where: (gateway) => specOf(gateway).defaultScope === 'All' },
      toSections: anySection,
      pointer: '/spec/useDefaultGateways',
      admits:
        acceptance === undefined ? byItsListener : unlessRefused((end) => acceptance(wantedAs(end)), byItsListener),
    };
    return [...references, toDefaults];
  };
}

/** A route, with the properties that decide about its parents. */
interface Holder {
  readonly route: KubernetesObject;
  readonly options: GatewayApiOptions;
  readonly byItsListener: Admits;
  readonly acceptance: ReturnType<typeof parentAcceptance> | undefined;
}

/** The limit of Gateway API for parents of a route. With more, some may be repeated. */
const fewParents = 32;

/** Returns whether a parent is a repetition. */
function isRepeated(said: Set<string>, to: NamedTarget, part: JsonObject, route: KubernetesObject): boolean {
  const key = parentKey({ to, sectionName: part.sectionName, port: part.port }, route);
  return key !== undefined && said.size === said.add(key).size;
}

function referenceTo(
  to: NamedTarget,
  parentRef: JsonObject,
  index: number,
  { route, options, byItsListener, acceptance }: Holder,
): Reference | undefined {
  const frontend =
    options.mesh === true && isServiceParent(to, options.coreGroupSpellings)
      ? frontendOf(to, parentRef, route)
      : undefined;
  if (frontend === undefined && !mayBeParent(to, options.parents ?? none)) return undefined;
  const { sectionName, port } = parentRef;
  const hasListeners = ownsListeners(to);
  const isWhole = !hasListeners && ((isUnset(sectionName) && isUnset(port)) || frontend?.isConsumer === true);
  let admits = hasListeners ? byItsListener : admitsAll;
  if (acceptance !== undefined) {
    const refusal = acceptance({ to, sectionName, port });
    admits = unlessRefused(() => refusal, admits);
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
  if (isUnset(sectionName) && isUnset(port)) return anySection;
  const field = isUnset(port) ? undefined : (['port', port ?? null] as const);
  if (isUnset(sectionName)) return { field };
  return typeof sectionName === 'string' ? { name: sectionName, field } : noSection;
}

const none: readonly never[] = [];

const pointerTo = firstFew((place) => `/spec/parentRefs/${place}`);

const anySection: SectionCriteria = {};

const noSection = (): boolean => false;

const admitsAll: Admits = () => undefined;

/** Returns an admission that refuses if one of two refuses. */
function unlessRefused(first: Admits, second: Admits): Admits {
  return (end, lookup) => first(end, lookup) ?? second(end, lookup);
}

function unlessAbsent(to: NamedTarget): Admits {
  return (_, lookup) => (lookup.has(to) ? undefined : 'absent');
}

function byListener(groupKind: GroupKind, route: KubernetesObject, options: GatewayApiOptions): Admits {
  const candidate = { groupKind, namespace: namespaceOf(route) };
  const isForListener = listenerHostnameTest({ groupKind, hostnames: specOf(route).hostnames });
  const needsGateway = options.needsParent !== false;
  return ({ resource, section }: LinkEnd, lookup: AdmissionLookup): Refusal | undefined => {
    const listener = section?.value ?? {};
    const isOfSet = needsGateway && !isSameKind(groupKindOf(resource), gatewayKind);
    const withSet = isOfSet ? refusedWithSet(resource, lookup, options) : undefined;
    if (withSet !== undefined) return withSet;
    const admission = allowsRoute(namespaceOf(resource), listener, candidate, lookup.namespaceLabels);
    if (!admission.allowed) return refusalOf(admission);
    if (isForListener(listener)) return undefined;
    return { reason: 'NoMatchingListenerHostname', message: 'the listener and the route have no hostname in common' };
  };
}

/** Returns a refusal by a listener, without the place of the field that decided. */
function refusalOf({ reason, message, lacks }: Refusal): Refusal {
  return lacks === undefined ? { reason, message } : { reason, message, lacks };
}

/** Returns a default Gateway of a route, as the status of the route names it. */
function wantedAs({ resource }: LinkEnd): WantedParent {
  return { to: { ...groupKindOf(resource), namespace: namespaceOf(resource), name: resource.metadata.name } };
}
