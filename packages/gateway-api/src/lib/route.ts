import {
  formatPointer,
  type JsonObject,
  type KubernetesObject,
  objectsIn,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import { defineTargetKind, type Reference, type SectionPlace } from '@policy-machinery/topology';
import { gatewayGroup } from './group.ts';
import { namedBy } from './service.ts';

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
        list: (route) => objectsIn(specOf(route).rules).map((value) => namedBy(stringIn(value.name), value)),
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

/** The listeners that a route asks to hang beneath: by section, by port, by both, or all of a Gateway. */
function* parentReferences(route: KubernetesObject): Iterable<Reference> {
  for (const [index, parentRef] of objectsIn(specOf(route).parentRefs).entries()) {
    const to = targetOf(parentRef, { group: gatewayGroup, kind: 'Gateway' });
    if (to === undefined) continue;
    const { sectionName, port } = parentRef;
    yield {
      direction: 'up',
      to,
      pointer: formatPointer(['spec', 'parentRefs', index]),
      toSections: ({ name, value }) =>
        (sectionName === undefined || name === sectionName) && (port === undefined || value.port === port),
    };
  }
}

/** The backends of one rule: a port of a Service where one is named, else the backend as a whole. */
function* backendReferences({ index: ruleIndex, value: rule }: SectionPlace): Iterable<Reference> {
  for (const [index, backendRef] of objectsIn(rule.backendRefs).entries()) {
    const to = targetOf(backendRef, { group: '', kind: 'Service' });
    if (to === undefined) continue;
    const pointer = formatPointer(['spec', 'rules', ruleIndex, 'backendRefs', index]);
    const { port } = backendRef;
    const toPort: Pick<Reference, 'toSections'> =
      to.group === '' && to.kind === 'Service' && port !== undefined
        ? { toSections: (section) => section.value.port === port }
        : {};
    yield { direction: 'down', to, pointer, ...toPort };
  }
}

function targetOf(
  { group, kind, namespace, name }: JsonObject,
  defaults: { readonly group: string; readonly kind: string },
): Reference['to'] | undefined {
  if (typeof name !== 'string') return undefined;
  const to = { group: stringIn(group) ?? defaults.group, kind: stringIn(kind) ?? defaults.kind, name };
  return typeof namespace === 'string' ? { ...to, namespace } : to;
}
