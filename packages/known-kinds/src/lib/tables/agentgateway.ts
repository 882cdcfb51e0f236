import { kindsOf } from './row.ts';
import { AgentgatewayBackend, httpRoutes, InferencePool, listeners, services } from './targets.ts';

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
      targetSelectors: true,
    },
  ],
);
