import {
  formatPointer,
  type GroupKind,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import { defineTargetKind, type PolicyReference, type Reference, type SectionPlace } from '@policy-machinery/topology';
import { gatewayGroup } from './group.ts';
import { itemsOf, sectionsOf } from './items.ts';
import { Namespace } from './namespace.ts';
import { Service } from './service.ts';

/**
 * A kind of route. All five are alike: they hang beneath the listeners that their `parentRefs` name, and each rule, named
 * or not (`rule-1`, `rule-2` …), leads to the backends that it names (H-09).
 */
function routeKind<const Kind extends string>(kind: Kind) {
  return defineTargetKind({
    group: gatewayGroup,
    kind,
    sections: {
      rule: {
        list: (route) => sectionsOf(specOf(route).rules),
        nameOf: (index) => `rule-${index + 1}`,
        references: backendReferences,
        policyRefs: extensionReferences,
      },
    },
    references: parentReferences,
  });
}

/** A route for HTTP. */
export const HTTPRoute = routeKind('HTTPRoute');
/** A route for gRPC. */
export const GRPCRoute = routeKind('GRPCRoute');
/** A route for TCP connections. */
export const TCPRoute = routeKind('TCPRoute');
/** A route for TLS connections, by their server name. */
export const TLSRoute = routeKind('TLSRoute');
/** A route for UDP. */
export const UDPRoute = routeKind('UDPRoute');

/**
 * The listeners that a route asks to hang beneath: by section, by port, by both, or all of a Gateway; a parent of another
 * kind as a whole, unless the route names a section or port of it. A Service as parent makes no link: in a mesh it is mostly
 * a backend of the same route, and cannot stand both above and beneath it. Nor does Namespace or any kind of Gateway
 * API's but Gateway: no route may lead back to itself, since one tenant's loop would be everyone's.
 */
function* parentReferences(route: KubernetesObject): Iterable<Reference> {
  for (const [index, parentRef] of itemsOf(specOf(route).parentRefs).entries()) {
    const to = targetOf(parentRef, { group: gatewayGroup, kind: 'Gateway' });
    if (to === undefined || isService(to) || (isBuiltIn(to) && !isGateway(to))) continue;
    const { sectionName, port } = parentRef;
    const isWhole = !isGateway(to) && isUnset(sectionName) && isUnset(port);
    const toSections: Reference['toSections'] = ({ name, value }) =>
      (isUnset(sectionName) || name === sectionName) && (isUnset(port) || value.port === port);
    yield {
      direction: 'up',
      to,
      pointer: formatPointer(['spec', 'parentRefs', index]),
      ...(isWhole ? {} : { toSections }),
    };
  }
}

/**
 * The backends of one rule: a port of a Service where one is named, else the backend as a whole. Gateway API's own kinds and
 * Namespace stand above backends and are none.
 */
function* backendReferences({ index: ruleIndex, value: rule }: SectionPlace): Iterable<Reference> {
  for (const [index, { port, ...backendRef }] of itemsOf(rule.backendRefs).entries()) {
    const to = targetOf(backendRef, { group: '', kind: 'Service' });
    if (to === undefined || isBuiltIn(to)) continue;
    yield {
      direction: 'down',
      to,
      pointer: formatPointer(['spec', 'rules', ruleIndex, 'backendRefs', index]),
      ...(isService(to) && !isUnset(port) ? { toSections: ({ value }) => value.port === port } : {}),
    };
  }
}

/** The policies that one rule names in its ExtensionRef filters (G-03). */
function* extensionReferences({ index: ruleIndex, value: rule }: SectionPlace): Iterable<PolicyReference> {
  for (const [index, filter] of itemsOf(rule.filters).entries()) {
    const { extensionRef } = filter;
    const to = isJsonObject(extensionRef) ? targetOf(extensionRef, { group: '', kind: '' }) : undefined;
    if (filter.type !== 'ExtensionRef' || to === undefined) continue;
    const { group, kind, name } = to;
    yield { group, kind, name, pointer: formatPointer(['spec', 'rules', ruleIndex, 'filters', index, 'extensionRef']) };
  }
}

function isService({ group, kind }: GroupKind): boolean {
  return group === Service.group && kind === Service.kind;
}

function isGateway({ group, kind }: GroupKind): boolean {
  return group === gatewayGroup && kind === 'Gateway';
}

/** Whether a kind is Gateway API's or Namespace, and so has its place in the hierarchy whatever a route says. */
function isBuiltIn({ group, kind }: GroupKind): boolean {
  return group === gatewayGroup || (group === Namespace.group && kind === Namespace.kind);
}

/** To Gateway API, an empty name means none; to the API server, `null` does. */
function isUnset(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}

function targetOf({ group, kind, namespace, name }: JsonObject, defaults: GroupKind): Reference['to'] | undefined {
  if (typeof name !== 'string') return undefined;
  const to = { group: stringIn(group) ?? defaults.group, kind: stringIn(kind) ?? defaults.kind, name };
  return typeof namespace === 'string' ? { ...to, namespace } : to;
}
