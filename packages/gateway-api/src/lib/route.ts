import {
  formatPointer,
  type GroupKind,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import { defineTargetKind, type Reference, type SectionPlace } from '@policy-machinery/topology';
import { gatewayGroup } from './group.ts';
import { itemsOf, sectionsOf } from './items.ts';
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
 * The listeners that a route asks to hang beneath: by section, by port, by both, or all of a Gateway. A Service as parent
 * makes no link: in a mesh it is mostly a backend of the same route, and cannot stand both above and beneath it.
 */
function* parentReferences(route: KubernetesObject): Iterable<Reference> {
  for (const [index, parentRef] of itemsOf(specOf(route).parentRefs).entries()) {
    const to = targetOf(parentRef, { group: gatewayGroup, kind: 'Gateway' });
    if (to === undefined || isService(to)) continue;
    const { sectionName, port } = parentRef;
    yield {
      direction: 'up',
      to,
      pointer: formatPointer(['spec', 'parentRefs', index]),
      toSections: ({ name, value }) =>
        (isUnset(sectionName) || name === sectionName) && (isUnset(port) || value.port === port),
    };
  }
}

/** The backends of one rule: a port of a Service where one is named, else the backend as a whole. */
function* backendReferences({ index: ruleIndex, value: rule }: SectionPlace): Iterable<Reference> {
  for (const [index, { port, ...backendRef }] of itemsOf(rule.backendRefs).entries()) {
    const to = targetOf(backendRef, { group: '', kind: 'Service' });
    if (to === undefined) continue;
    yield {
      direction: 'down',
      to,
      pointer: formatPointer(['spec', 'rules', ruleIndex, 'backendRefs', index]),
      ...(isService(to) && !isUnset(port) ? { toSections: ({ value }) => value.port === port } : {}),
    };
  }
}

function isService({ group, kind }: GroupKind): boolean {
  return group === Service.group && kind === Service.kind;
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
