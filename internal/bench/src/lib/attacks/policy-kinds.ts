import { Gateway, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { definePolicyKind, envoyGateway, gep713, kgateway } from '@policy-machinery/policy-kind';
import { z } from 'zod';

/** The group of the policies of attacks. */
export const policyGroup = 'attacks.example.com';

const ofGroup = { group: policyGroup, version: 'v1' };
const spec = z.record(z.string(), z.unknown());
const ingress = [Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule];

/** Policies by name alone, with defaults and overrides. */
export const TimeoutPolicy = definePolicyKind({
  ...gep713(),
  ...ofGroup,
  kind: 'TimeoutPolicy',
  targets: ingress,
  effectiveTargets: [HTTPRoute.sections.rule],
  spec,
});

/** Policies with selectors; of those of one level the oldest stays alone. */
export const TrafficPolicy = definePolicyKind({
  ...envoyGateway(),
  ...ofGroup,
  kind: 'TrafficPolicy',
  targets: [Gateway, HTTPRoute, Service],
  effectiveTargets: [HTTPRoute, Service],
  crossNamespace: 'granted',
  targetSelectors: true,
  spec,
});

/** Policies with selectors, which rules can name, too; all of one level are merged. */
export const AccessPolicy = definePolicyKind({
  ...kgateway(),
  ...ofGroup,
  kind: 'AccessPolicy',
  targets: ingress,
  effectiveTargets: [HTTPRoute.sections.rule],
  crossNamespace: 'granted',
  targetSelectors: true,
  extensionRefs: true,
  spec,
});
