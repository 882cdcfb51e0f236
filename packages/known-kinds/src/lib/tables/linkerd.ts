import { GRPCRoute, HTTPRoute, Namespace } from '@policy-machinery/gateway-api';
import { none } from '@policy-machinery/merge';
import { additiveSpec, bareSpec } from '@policy-machinery/policy-kind';
import { kindsOf } from './row.ts';
import { LinkerdHTTPRoute, LinkerdServer } from './targets.ts';

/** A target's group may be left out, for the core group. */
const attached = { targetFields: { targetRef: [] }, defaultGroup: '', coreGroupSpellings: ['core'] };

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
      targets: [Namespace, LinkerdServer, LinkerdHTTPRoute, HTTPRoute, GRPCRoute],
      ...attached,
      // Routes are below a Server, or below a Service as in a mesh.
      linking: { parents: [LinkerdServer], mesh: true, coreGroupSpellings: ['core'], provedNamespaces: true },
      status: 'other',
      profile: { stanzas: additiveSpec({ groups: ['policies'] }) },
      notes: ['Every policy that a request meets counts: a request is allowed if one of them allows it.'],
    },
    {
      kind: 'HTTPLocalRateLimitPolicy',
      policyClass: 'Direct',
      targets: [LinkerdServer],
      ...attached,
      status: 'conditions',
      profile: {
        stanzas: bareSpec({ strategies: { none }, strategyField: false, because: 'a Server has one rate limit only' }),
      },
    },
  ],
);
