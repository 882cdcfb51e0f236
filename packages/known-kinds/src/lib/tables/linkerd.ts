import { HTTPRoute, Namespace } from '@policy-machinery/gateway-api';
import { none } from '@policy-machinery/merge';
import { bareSpec } from '@policy-machinery/policy-kind';
import { kindsOf } from './row.ts';
import { LinkerdServer } from './targets.ts';

/** The policy kinds of Linkerd. */
export const linkerdKinds = kindsOf(
  {
    system: 'Linkerd',
    group: 'policy.linkerd.io',
    versions: ['v1alpha1'],
    source: 'https://linkerd.io/docs/reference/authorization-policy/',
  },
  [
    {
      kind: 'AuthorizationPolicy',
      policyClass: 'Inherited',
      targets: [Namespace, LinkerdServer, HTTPRoute],
      status: 'other',
      notes: ['Each policy that a request meets allows what it says: policies add to each other.'],
    },
    {
      kind: 'HTTPLocalRateLimitPolicy',
      policyClass: 'Direct',
      targets: [LinkerdServer],
      status: 'conditions',
      profile: { stanzas: bareSpec({ strategies: { none }, strategyField: false }) },
    },
  ],
);
