// kinds/: the target kinds. Each is a value that defines which sections its resources have, which references link them, and which of their fields
// cannot be read.

import { formatPointer, type GroupKind, isJsonObject } from '@policy-machinery/resource';
import { pluralOf } from '@policy-machinery/resource/inner';
import {
  defineTargetKind,
  type PolicyReference,
  type SectionDefinition,
  type SectionEntry,
  type TargetKind,
} from '@policy-machinery/topology';
import { backendReferences } from '../attachment/backend-references.ts';
import { childReferences } from '../attachment/child-references.ts';
import type { GatewayApiOptions } from '../attachment/options.ts';
import { parentReferences } from '../attachment/parent-references.ts';
import { firstFew } from '../fields/first-few.ts';
import { gatewayGroup } from '../fields/group.ts';
import { httpRouteKind, isSameKind, mayBeBackend, mayBeParent } from '../fields/hierarchy.ts';
import { itemsOf, rulesOf, sectionsOf } from '../fields/items.ts';
import { targetOf } from '../fields/object-reference.ts';
import { faultsOfRoutes } from '../fields/shapes.ts';
import { ServiceFrontend } from './service-frontend.ts';

/**
 * Returns a kind of route. All five are alike, except that only HTTPRoutes delegate: they are below the listeners that accept them, and each rule,
 * named or not (`rule-1`, `rule-2` …), links to its backends.
 *
 * @param kind Its name.
 * @param options How routes are linked.
 */
export function routeKind<const Kind extends string>(kind: Kind, options: GatewayApiOptions = {}) {
  const hasDefaultRule = isSameKind({ group: gatewayGroup, kind }, httpRouteKind);
  return defineTargetKind({
    group: gatewayGroup,
    kind,
    plural: pluralOf(kind),
    versions: versions[kind] ?? ['v1'],
    sections: {
      rule: {
        list: (route) => sectionsOf(rulesOf(route, hasDefaultRule)),
        nameOf: firstFew((index) => `rule-${index + 1}`),
        references: downwardReferences(kind, options),
        policyRefs: extensionReferences,
      },
    },
    faults: faultsOfRoutes(kind),
    references: parentReferences({ group: gatewayGroup, kind }, options),
    mayReferTo: routeMayReferTo({ group: gatewayGroup, kind }, options),
    needsParent: options.needsParent ?? true,
  });
}

/** The versions of each kind, of all releases of Gateway API that a cluster may have. */
const versions: Readonly<Record<string, readonly string[]>> = {
  HTTPRoute: ['v1', 'v1beta1'],
  GRPCRoute: ['v1', 'v1alpha2'],
  TCPRoute: ['v1', 'v1alpha2'],
  TLSRoute: ['v1', 'v1alpha3', 'v1alpha2'],
  UDPRoute: ['v1', 'v1alpha2'],
};

/** Returns a test of the kinds above and below a route. */
function routeMayReferTo(
  route: GroupKind,
  { parents = [], delegation = false, mesh = false }: GatewayApiOptions,
): NonNullable<TargetKind['mayReferTo']> {
  return (kind, direction) => {
    if (direction === 'up') return mayBeParent(kind, parents) || (mesh && isSameKind(kind, ServiceFrontend));
    const isChild = delegation && isSameKind(route, httpRouteKind) && isSameKind(kind, httpRouteKind);
    return mayBeBackend(kind, parents) || isChild;
  };
}

/** Returns the backends of a rule, and its children if it may have any. */
function downwardReferences(kind: string, options: GatewayApiOptions): NonNullable<SectionDefinition['references']> {
  const backends = backendReferences(options);
  if (options.delegation !== true || kind !== httpRouteKind.kind) return backends;
  return function* (rule, route) {
    yield* backends(rule, route);
    yield* childReferences(rule, route);
  };
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

/** Returns the policies that one rule names in its ExtensionRef filters. */
function* extensionReferences({ index: ruleIndex, value: rule }: SectionEntry): Iterable<PolicyReference> {
  for (const [index, filter] of itemsOf(rule.filters).entries()) {
    const { extensionRef } = filter;
    const to = isJsonObject(extensionRef) ? targetOf(extensionRef, { group: '', kind: '' }) : undefined;
    if (filter.type !== 'ExtensionRef' || to === undefined) continue;
    const { group, kind, name } = to;
    yield { group, kind, name, pointer: formatPointer(['spec', 'rules', ruleIndex, 'filters', index, 'extensionRef']) };
  }
}
