import { kgatewayVocabulary } from '@policy-machinery/conditions';
import { Gateway, Service } from '@policy-machinery/gateway-api';
import { kgateway } from '@policy-machinery/policy-kind';
import { isJsonObject } from '@policy-machinery/resource';
import { kindsOf } from './row.ts';
import { experimentalListeners, httpRoutes, httpRules, IstioHostname, KgatewayBackend, listeners } from './targets.ts';

/** The policy kinds of kgateway. */
export const kgatewayKinds = kindsOf(
  {
    system: 'kgateway',
    vocabulary: kgatewayVocabulary,
    group: 'gateway.kgateway.dev',
    versions: ['v1alpha1'],
    source: 'https://github.com/kgateway-dev/kgateway/tree/main/api/v1alpha1',
  },
  [
    {
      kind: 'TrafficPolicy',
      policyClass: 'Direct',
      targets: [...listeners, ...experimentalListeners, ...httpRoutes],
      effectiveTargets: httpRules,
      targetSelectors: true,
      extensionRefs: true,
      linking: { delegation: true },
      profile: {
        ...kgateway(),
        // The timeout of Gateway API in a rule prevails over all policies.
        ownValue: ({ section }) => {
          const timeouts = section?.value.timeouts;
          return isJsonObject(timeouts) && typeof timeouts.request === 'string'
            ? { timeouts: { request: timeouts.request } }
            : undefined;
        },
      },
      notes: [
        'Fields that deep merges join are replaced instead. Of the fields of a rule, only its timeout is known to prevail.',
      ],
    },
    { kind: 'HTTPListenerPolicy', policyClass: 'Direct', targets: [Gateway], targetSelectors: true },
    {
      kind: 'ListenerPolicy',
      policyClass: 'Direct',
      targets: [...listeners, ...experimentalListeners],
      targetSelectors: true,
    },
    {
      kind: 'BackendConfigPolicy',
      policyClass: 'Direct',
      targets: [Service, KgatewayBackend, IstioHostname],
      targetSelectors: true,
    },
  ],
);
