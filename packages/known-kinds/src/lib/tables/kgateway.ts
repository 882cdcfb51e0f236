import { kgatewayVocabulary } from '@policy-machinery/conditions';
import { Gateway, Service, XListenerSet } from '@policy-machinery/gateway-api';
import { append, type Combination, fieldWise } from '@policy-machinery/merge';
import { bareSpec, kgateway } from '@policy-machinery/policy-kind';
import { replaced } from '../readers/route-cors.ts';
import { joinedAcl } from './kgateway-acl.ts';
import { kgatewayOwnFields } from './kgateway-own-fields.ts';
import { kindsOf } from './row.ts';
import {
  allListeners,
  experimentalListeners,
  gateways,
  httpRoutes,
  httpRules,
  IstioHostname,
  IstioServiceEntry,
  KgatewayBackend,
  listeners,
} from './targets.ts';

const globalPolicies =
  'The global namespace (KGW_GLOBAL_POLICY_NAMESPACE), with policies that select targets in all namespaces, is not known.';

/** Joins the steps of two transformations. The prevailing ones come last, because the last step that sets a header decides. */
const steps: Combination = { combine: (prevailing, yielding) => append.combine(yielding, prevailing) };

/** Policies select targets with any number of selectors. */
const attached = { targetSelectors: true, maxSelectors: Number.POSITIVE_INFINITY } as const;

const whole = { targetRefs: [], targetSelectors: [] };
const withSections = { targetRefs: ['sectionName'], targetSelectors: ['sectionName'] };

const accepted = kgatewayVocabulary.outcomes.enforced.filter(([type]) => type === 'Accepted');

/**
 * kgateway merges the policies on listeners, hosts and routes apart, and `Attached` is false if any place of one has nothing of a policy. So outcomes
 * do not decide the condition of a policy that loses fields.
 */
const vocabulary = {
  ...kgatewayVocabulary,
  outcomes: { ...kgatewayVocabulary.outcomes, overridden: accepted, 'partly-enforced': accepted },
};

export const kgatewayKinds = kindsOf(
  {
    system: 'kgateway',
    controllers: ['kgateway.dev', 'agentgateway.dev', 'solo.io'],
    vocabulary,
    group: 'gateway.kgateway.dev',
    versions: ['v1alpha1'],
    source: 'https://github.com/kgateway-dev/kgateway/tree/main/api/v1alpha1',
  },
  [
    {
      kind: 'TrafficPolicy',
      policyClass: 'Inherited',
      targets: [...listeners, ...experimentalListeners, ...httpRoutes],
      targetFields: withSections,
      effectiveTargets: httpRules,
      ...attached,
      extensionRefs: true,
      linking: { delegation: true },
      profile: {
        ...kgateway({
          deep: {
            '/acl': joinedAcl,
            '/transformation/*/set': steps,
            '/transformation/*/add': steps,
            '/transformation/*/remove': steps,
          },
          joined: { '/acl': joinedAcl },
          // The two kinds of rate limits, and the two directions of compression, are separate fields.
          parts: ['/rateLimit', '/compression'],
        }),
        ownValueStrategy: replaced('/retry', '/cors', '/urlRewrite/pathRegex'),
        yieldingOwnFields: ['/retry'],
      },
      ownFields: kgatewayOwnFields,
      notes: [
        'Deep merges join ACLs and transformations. Others that they join, extAuth and extProc by provider, are replaced instead: a spec has room for one provider.',
        'A controller with the setting policyMerge joins more among policies on one object. A buffer and an httpUpgrade, which exclude each other, both stay.',
        globalPolicies,
      ],
    },
    {
      kind: 'HTTPListenerPolicy',
      policyClass: 'Direct',
      targets: [Gateway],
      targetFields: whole,
      ...attached,
      notes: [globalPolicies],
    },
    {
      kind: 'ListenerPolicy',
      policyClass: 'Inherited',
      targets: gateways,
      targetFields: withSections,
      effectiveTargets: [...allListeners, XListenerSet.sections.listener],
      ...attached,
      notes: [globalPolicies],
    },
    {
      kind: 'BackendConfigPolicy',
      policyClass: 'Direct',
      targets: [Service, KgatewayBackend, IstioHostname],
      targetFields: whole,
      sources: [IstioServiceEntry],
      ...attached,
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
