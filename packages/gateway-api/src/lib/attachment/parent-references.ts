// attachment/: the references of routes. Takes a route and returns its references: to parents and their listeners, to backends, and to the child
// routes that a rule delegates to; each reference decides which policies it admits.

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
  NamedSection,
  NamedTarget,
  Reference,
  Refusal,
  SectionCriteria,
} from '@policy-machinery/topology';
import { firstFew } from '../fields/first-few.ts';
import { gatewayKind, isSameKind, isServiceParent, mayBeParent, ownsListeners } from '../fields/hierarchy.ts';
import { itemsOf, sectionsOf } from '../fields/items.ts';
import { isUnset, targetOf } from '../fields/object-reference.ts';
import { unnamedOf } from '../listeners/allowed-namespaces.ts';
import { allowsRoute } from '../listeners/allowed-routes.ts';
import { listenerHostnameTest } from '../listeners/listener-protocol.ts';
import { parentKey, reportedByParents, type WantedParent } from './acceptance.ts';
import { frontendOf } from './frontend-names.ts';
import { refusedWithSet } from './listener-set-admission.ts';
import { attachmentOf, type GatewayApiOptions } from './options.ts';
import { controllerOf } from './owning-controller.ts';

type Admits = NonNullable<Reference['admits']>;

/**
 * Returns the references of a route to its parents: to listeners by section, by port, by both, or to all of a Gateway or ListenerSet. Each
 * listener decides by its protocol, `allowedRoutes` and hostname. A parent of another kind is referred to as a whole, unless the
 * route names a section or port. In a mesh, a Service stands for its frontend; a consumer's frontend, which is derived from the route,
 * counts as absent without the Service.
 */
export function parentReferences(
  groupKind: GroupKind,
  options: GatewayApiOptions,
): (route: KubernetesObject) => Iterable<Reference> {
  return (route) => {
    const bySpec = admissionBySpec(groupKind, route, options);
    const parentRefs = itemsOf(specOf(route).parentRefs);
    const reported = attachmentOf(options) === 'status' ? reportedByParents(route) : undefined;
    const holder = { route, options, bySpec, reported };
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
      admits: asReported(wantedAs, anySection, holder),
    };
    return [...references, toDefaults];
  };
}

/** A route, with the properties that decide about its parents. */
interface Holder {
  readonly route: KubernetesObject;
  readonly options: GatewayApiOptions;
  /** The decision of a listener by the specs of both ends. */
  readonly bySpec: Admits;
  /** The decisions in the status of the route; `undefined` if statuses do not count. */
  readonly reported: ReturnType<typeof reportedByParents> | undefined;
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
  { route, options, bySpec, reported }: Holder,
): Reference | undefined {
  const frontend =
    options.mesh === true && isServiceParent(to, options.coreGroupSpellings)
      ? frontendOf(to, parentRef, route)
      : undefined;
  if (frontend === undefined && !mayBeParent(to, options.parents ?? none)) return undefined;
  const { sectionName, port } = parentRef;
  const hasListeners = ownsListeners(to);
  const isWhole = !hasListeners && ((isUnset(sectionName) && isUnset(port)) || frontend?.isConsumer === true);
  const toSections = sectionsMeant(sectionName, port);
  const wanted = { to, sectionName, port };
  let admits = asReported(() => wanted, toSections, { options, bySpec: hasListeners ? bySpec : admitsAll, reported });
  if (frontend?.isConsumer === true) admits = unlessRefused(unlessAbsent(to), admits);
  const pointer = pointerTo(index);
  const meant = frontend?.to ?? to;
  if (isWhole) return { direction: 'up', to: meant, pointer, admits };
  return { direction: 'up', to: meant, pointer, admits, toSections };
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

/**
 * Returns an admission that a reported decision of the parent's controller precedes. If the controller accepts the route, its listeners are those that
 * the specs select, or all that the reference means if the specs select none.
 *
 * @param wantedAt Returns the parent as the status names it.
 * @param meant The listeners that the reference means.
 */
function asReported(
  wantedAt: (end: LinkEnd) => WantedParent,
  meant: NonNullable<Reference['toSections']>,
  { options, bySpec, reported }: Omit<Holder, 'route'>,
): Admits {
  if (reported === undefined) return bySpec;
  const selects = once((resource, lookup) =>
    listenersMeant(resource, meant).some((section) => bySpec({ resource, section }, lookup) === undefined),
  );
  return (end, lookup) => {
    const { resource } = end;
    const decision = reported(wantedAt(end), () => controllerOf(resource, lookup) ?? options.controllerName);
    if (decision !== undefined && decision !== 'accepted') return decision;
    const refusal = bySpec(end, lookup);
    return refusal !== undefined && decision === 'accepted' && !selects(resource, lookup) ? undefined : refusal;
  };
}

function listenersMeant(
  resource: KubernetesObject,
  meant: NonNullable<Reference['toSections']>,
): readonly NamedSection[] {
  const listeners = sectionsOf(specOf(resource).listeners).map(({ name = '', value }) => ({ name, value }));
  if (typeof meant === 'function') return listeners.filter(meant);
  const { name, field } = meant;
  const isMeant = (it: NamedSection) => field === undefined || it.value[field[0]] === field[1];
  return listeners.filter((it) => (name === undefined || it.name === name) && isMeant(it));
}

/** Returns a function that keeps its answer about the last resource. */
function once<Answer>(
  ask: (resource: KubernetesObject, lookup: AdmissionLookup) => Answer,
): (resource: KubernetesObject, lookup: AdmissionLookup) => Answer {
  let last: { readonly resource: KubernetesObject; readonly answer: Answer } | undefined;
  return (resource, lookup) => {
    if (last?.resource !== resource) last = { resource, answer: ask(resource, lookup) };
    return last.answer;
  };
}

/** Returns an admission that refuses if one of two refuses. */
function unlessRefused(first: Admits, second: Admits): Admits {
  return (end, lookup) => first(end, lookup) ?? second(end, lookup);
}

function unlessAbsent(to: NamedTarget): Admits {
  return (_, lookup) => (lookup.has(to) ? undefined : 'absent');
}

/** Returns the decisions of listeners about a route by the specs of both, and of ListenerSets about their Gateways. */
export function admissionBySpec(groupKind: GroupKind, route: KubernetesObject, options: GatewayApiOptions): Admits {
  const candidate = { groupKind, namespace: namespaceOf(route) };
  const isForListener = listenerHostnameTest({ groupKind, hostnames: specOf(route).hostnames });
  const needsGateway = options.needsParent !== false;
  return ({ resource, section }: LinkEnd, lookup: AdmissionLookup): Refusal | undefined => {
    const listener = section?.value ?? {};
    const isOfSet = needsGateway && !isSameKind(groupKindOf(resource), gatewayKind);
    const withSet = isOfSet ? refusedWithSet(resource, lookup, options) : undefined;
    if (withSet !== undefined) return withSet;
    const of = { ...candidate, unnamed: unnamedOf(resource, route) };
    const admission = allowsRoute(namespaceOf(resource), listener, of, lookup.namespaceLabels);
    if (!admission.allowed) return refusalOf(admission);
    if (isForListener(listener)) return undefined;
    return {
      reason: 'NoMatchingListenerHostname',
      message: 'the hostnames of the listener and the route do not overlap',
    };
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
