import { Gateway, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { withSectionNames } from '../readers/target-readers.ts';
import { kindsOf, wholeAndSections } from './row.ts';
import { gateways } from './targets.ts';

const attached = {
  readTargets: withSectionNames,
  targetFields: { targetRef: ['namespace', 'sectionName'] },
} as const;
const notes = ['From the documentation: the definitions are not public.'];

/** The policy kinds of Azure Application Gateway for Containers. */
export const azureKinds = kindsOf(
  {
    system: 'Azure Application Gateway for Containers',
    controllers: ['alb.networking.azure.io'],
    group: 'alb.networking.azure.io',
    versions: ['v1'],
    source: 'https://learn.microsoft.com/azure/application-gateway/for-containers/api-specification-kubernetes',
  },
  [
    { kind: 'BackendTLSPolicy', policyClass: 'Direct', targets: [Service], ...attached, status: 'other', notes },
    {
      kind: 'BackendLoadBalancingPolicy',
      policyClass: 'Direct',
      targets: [Service],
      ...attached,
      status: 'other',
      notes,
    },
    { kind: 'HealthCheckPolicy', policyClass: 'Direct', targets: [Service], ...attached, status: 'other', notes },
    { kind: 'FrontendTLSPolicy', policyClass: 'Direct', targets: gateways, ...attached, status: 'other', notes },
    {
      kind: 'RoutePolicy',
      policyClass: 'Direct',
      targets: wholeAndSections(HTTPRoute),
      ...attached,
      status: 'other',
      notes,
    },
    {
      kind: 'WebApplicationFirewallPolicy',
      policyClass: 'Inherited',
      targets: [...wholeAndSections(Gateway), ...wholeAndSections(HTTPRoute)],
      ...attached,
      status: 'other',
      notes,
    },
  ],
);
