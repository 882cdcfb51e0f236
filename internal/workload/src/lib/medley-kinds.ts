import {
  Gateway,
  GatewayClass,
  HTTPRoute,
  ListenerSet,
  Namespace,
  Service,
  ServiceFrontend,
} from '@policy-machinery/gateway-api';
import { append, none } from '@policy-machinery/merge';
import { additiveSpec, bareSpec, definePolicyKind, envoyGateway, kgateway } from '@policy-machinery/policy-kind';
import { objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind, type TargetNode } from '@policy-machinery/topology';
import { z } from 'zod';

const group = 'workload.example.com';
const version = 'v1';
const spec = z.strictObject({ mode: z.string(), level: z.int(), tags: z.array(z.string()) }).partial();

/** A container: objects of all namespaces are its members by a label, which edits change. */
export const Tier = defineTargetKind({
  group,
  kind: 'Tier',
  scope: 'Cluster',
  memberOf: ({ metadata }) => metadata.labels?.tier,
});

/**
 * Policies that find their targets in every way: by name, by label, across namespaces where a grant permits it, and named by
 * rules. Annotations of targets say how they are merged, and rules have values of their own.
 */
export const AccessPolicy = definePolicyKind({
  ...kgateway({ deep: { '/tags': append } }),
  group,
  version,
  kind: 'AccessPolicy',
  targets: [
    ...[Gateway, Gateway.sections.listener, ListenerSet, ListenerSet.sections.listener],
    ...[HTTPRoute, HTTPRoute.sections.rule],
  ],
  effectiveTargets: [HTTPRoute.sections.rule],
  crossNamespace: 'granted',
  targetSelectors: true,
  extensionRefs: true,
  whileDeleting: 'is-gone',
  ownValue: ruleValue,
  spec,
});

/** Policies for the traffic of their own namespace, of which the most specific one stays alone. */
export const ClientPolicy = definePolicyKind({
  group,
  version,
  kind: 'ClientPolicy',
  targets: [ServiceFrontend, HTTPRoute, Service, Service.sections.port],
  effectiveTargets: [Service, Service.sections.port],
  ancestors: [HTTPRoute, ServiceFrontend],
  crossNamespace: 'consumer',
  stanzas: bareSpec({ strategies: { none }, strategyField: false }),
  spec,
});

/**
 * Cluster-scoped policies, of which the two most specific ones count, below the GatewayClass that is managed. The values of rules prevail on the
 * Services that the rules lead to.
 */
export const HousePolicy = definePolicyKind({
  ...envoyGateway(),
  group,
  version,
  kind: 'HousePolicy',
  scope: 'Cluster',
  targets: [GatewayClass, Tier, Namespace, Gateway, HTTPRoute, Service],
  effectiveTargets: [HTTPRoute, Service],
  namespaceLevels: [Gateway, HTTPRoute],
  crossNamespace: 'allow',
  manages: (target) => !isBelow(target, unmanagedClass),
  ownValueTargets: [HTTPRoute.sections.rule],
  ownValue: ruleValue,
  spec,
});

/** Policies that all stay, by what they say of their mode. */
export const GuardPolicy = definePolicyKind({
  group,
  version,
  kind: 'GuardPolicy',
  targets: [
    ...[GatewayClass, Tier, Namespace, Gateway, Gateway.sections.listener],
    ...[HTTPRoute, HTTPRoute.sections.rule, Service],
  ],
  effectiveTargets: [HTTPRoute.sections.rule, Service, Service.sections.port],
  crossNamespace: 'allow',
  targetSelectors: true,
  stanzas: additiveSpec({ by: 'mode', groups: ['strict', 'lax'], otherwise: 'lax' }),
  spec: spec.omit({ mode: true }),
});

/** Policies that affect only what they target, on what lies above and below each other. */
export const LogPolicy = definePolicyKind({
  group,
  version,
  kind: 'LogPolicy',
  policyClass: 'Direct',
  targets: [Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule, Service],
  crossNamespace: 'granted',
  targetSelectors: true,
  spec,
});

/** The GatewayClass of another controller. */
export const unmanagedClass = 'foreign';

/** Returns the values of a rule: its name, and how many backends it has. */
function ruleValue({ section }: TargetNode): { readonly mode?: string; readonly level?: number } {
  const mode = stringIn(section?.value.name);
  const level = objectsIn(section?.value.backendRefs).length;
  return { ...(mode === undefined ? {} : { mode }), ...(level === 0 ? {} : { level }) };
}

function isBelow(target: TargetNode, gatewayClass: string): boolean {
  if (target.object.ref.kind === Gateway.kind) return specOf(target.resource).gatewayClassName === gatewayClass;
  const above = target.section === undefined ? target.linksFrom : [...target.linksFrom, target.object];
  return above.some((it) => isBelow(it, gatewayClass));
}
