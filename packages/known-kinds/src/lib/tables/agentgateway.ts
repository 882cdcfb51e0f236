import { InferencePool, Service } from '@policy-machinery/gateway-api';
import { agentgateway } from '@policy-machinery/policy-kind';
import { agentgatewayOwnFields } from './agentgateway-own-fields.ts';
import { agentgatewayFaults } from './agentgateway-rules.ts';
import { kindsOf, wholeAndSections } from './row.ts';
import { AgentgatewayBackend, allListeners, httpRoutes, httpRules, listeners, services } from './targets.ts';

const others = [InferencePool, ...wholeAndSections(AgentgatewayBackend)];

/** Policies on these yield to those on routes; policies on parts of an AgentgatewayBackend do not. */
const yielding = [...services, InferencePool, AgentgatewayBackend];

export const agentgatewayKinds = kindsOf(
  {
    system: 'agentgateway',
    controllers: ['agentgateway.dev', 'kgateway.dev', 'solo.io'],
    group: 'agentgateway.dev',
    versions: ['v1alpha1'],
    source: 'https://github.com/agentgateway/agentgateway/tree/main/controller/api/v1alpha1/agentgateway',
  },
  [
    {
      kind: 'AgentgatewayPolicy',
      policyClass: 'Inherited',
      targets: [...listeners, ...httpRoutes, ...services, ...others],
      effectiveTargets: [...allListeners, ...httpRules, Service.sections.port, ...others],
      ownFields: agentgatewayOwnFields,
      targetSelectors: true,
      linking: { delegation: true },
      referrers: [AgentgatewayBackend],
      targetFields: { targetRefs: ['port', 'sectionName'], targetSelectors: ['port', 'sectionName'] },
      repeatedTargets: 'allow',
      targetPorts: true,
      profile: {
        ...agentgateway(),
        ownValueTargets: [AgentgatewayBackend],
        fieldsAt: [
          { targets: allListeners, fields: ['frontend', 'preRouting'] },
          { targets: httpRules, fields: ['frontend', 'preRouting', 'traffic'], leadingTo: [...services, ...others] },
          { targets: [...services, ...others], fields: ['backend'], yielding: { targets: yielding, to: httpRoutes } },
        ],
        faults: agentgatewayFaults,
      },
      notes: [
        'In effective specs, settings of the phase PreRouting are in preRouting, and settings of PostRouting in traffic; authorization rules are by the names of their policies.',
        'Which of two policies on one target prevails in a field is not known, because the proxy keeps them in a set without order. The oldest one is taken.',
        'Settings of backend in policies on ListenerSets are ignored by the proxy. Here they count.',
        'Policies on backends without routes are shown in force. Their statuses also have the Gateways of objects that refer to the backend: of the targets of policies, and of other backends. These paths are for calls of the proxy, for example for authorization, and not for requests. References to other namespaces are not followed.',
        'Conditional rate limits are taken to limit both locally and globally.',
      ],
    },
  ],
);
