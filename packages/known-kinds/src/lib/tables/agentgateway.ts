import { InferencePool, Service } from '@policy-machinery/gateway-api';
import { agentgateway } from '@policy-machinery/policy-kind';
import { kindsOf } from './row.ts';
import { AgentgatewayBackend, httpRoutes, httpRules, listeners, services } from './targets.ts';

/** The policy kinds of agentgateway. */
export const agentgatewayKinds = kindsOf(
  {
    system: 'agentgateway',
    group: 'agentgateway.dev',
    versions: ['v1alpha1'],
    source: 'https://github.com/agentgateway/agentgateway/tree/main/controller/api/v1alpha1/agentgateway',
  },
  [
    {
      kind: 'AgentgatewayPolicy',
      policyClass: 'Direct',
      targets: [...listeners, ...httpRoutes, ...services, InferencePool, AgentgatewayBackend],
      effectiveTargets: [...httpRules, Service.sections.port, InferencePool, AgentgatewayBackend],
      targetSelectors: true,
      linking: { delegation: true },
      targetFields: { targetRefs: ['port', 'sectionName'], targetSelectors: ['port', 'sectionName'] },
      repeatedTargets: 'allow',
      targetPorts: true,
      profile: agentgateway(),
    },
  ],
);
