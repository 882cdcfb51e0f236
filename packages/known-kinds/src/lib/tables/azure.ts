import { HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { withSectionNames } from '../readers/target-readers.ts';
import { kindsOf, wholeAndSections } from './row.ts';
import { gateways } from './targets.ts';

const routes = wholeAndSections(HTTPRoute);
const direct = {
  policyClass: 'Direct',
  readTargets: withSectionNames,
  targetFields: { targetRef: ['namespace', 'sectionName'] },
  status: 'other',
  notes: ['From the documentation: the definitions are not public.'],
} as const;

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
    { kind: 'BackendTLSPolicy', ...direct, targets: [Service] },
    { kind: 'BackendLoadBalancingPolicy', ...direct, targets: [Service] },
    { kind: 'HealthCheckPolicy', ...direct, targets: [Service] },
    { kind: 'FrontendTLSPolicy', ...direct, targets: gateways },
    { kind: 'RoutePolicy', ...direct, targets: routes },
    { kind: 'WebApplicationFirewallPolicy', ...direct, policyClass: 'Inherited', targets: [...gateways, ...routes] },
  ],
);
