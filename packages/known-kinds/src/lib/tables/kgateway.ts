import { kgatewayVocabulary } from '@policy-machinery/conditions';
import { Gateway, Service } from '@policy-machinery/gateway-api';
import { append, fieldWise } from '@policy-machinery/merge';
import { bareSpec, kgateway } from '@policy-machinery/policy-kind';
import { isJsonObject } from '@policy-machinery/resource';
import { joinedAcl } from './kgateway-acl.ts';
import { kindsOf } from './row.ts';
import {
  experimentalListeners,
  httpRoutes,
  httpRules,
  IstioHostname,
  IstioServiceEntry,
  KgatewayBackend,
  listeners,
} from './targets.ts';

const globalPolicies =
  'No namespace is taken to be the global one (KGW_GLOBAL_POLICY_NAMESPACE), whose policies select targets in all namespaces.';

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
        ...kgateway({
          deep: {
            '/acl': joinedAcl,
            '/transformation/*/set': append,
            '/transformation/*/add': append,
            '/transformation/*/remove': append,
          },
          joined: { '/acl': joinedAcl },
        }),
        // The timeout of Gateway API in a rule prevails over all policies.
        ownValue: ({ section }) => {
          const timeouts = section?.value.timeouts;
          return isJsonObject(timeouts) && typeof timeouts.request === 'string'
            ? { timeouts: { request: timeouts.request } }
            : undefined;
        },
      },
      notes: [
        'Deep merges join ACLs and transformations. Others that they join, extAuth and extProc by provider, are replaced instead.',
        'Of the fields of a rule, only its timeout is known to prevail.',
        globalPolicies,
      ],
    },
    {
      kind: 'HTTPListenerPolicy',
      policyClass: 'Direct',
      targets: [Gateway],
      targetSelectors: true,
      notes: [globalPolicies],
    },
    {
      kind: 'ListenerPolicy',
      policyClass: 'Direct',
      targets: [...listeners, ...experimentalListeners],
      targetSelectors: true,
      notes: [globalPolicies],
    },
    {
      kind: 'BackendConfigPolicy',
      policyClass: 'Direct',
      targets: [Service, KgatewayBackend, IstioHostname],
      sources: [IstioServiceEntry],
      targetSelectors: true,
      // The fields of several policies on a backend are merged, each in one piece; DNS fields one by one.
      profile: {
        stanzas: bareSpec({
          strategies: { byField: fieldWise({ depth: 1, at: { '/dns': 'merge' } }) },
          strategyField: false,
          called: 'field by field',
        }),
        sameLevel: 'oldest-wins',
        ancestors: [Service, KgatewayBackend, IstioHostname],
      },
      notes: [globalPolicies],
    },
  ],
);
