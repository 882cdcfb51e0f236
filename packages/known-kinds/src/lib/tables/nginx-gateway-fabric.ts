import { nginxGatewayFabricVocabulary } from '@policy-machinery/conditions';
import { Gateway, GRPCRoute, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { append, atomic, fieldWise, shallow } from '@policy-machinery/merge';
import { additiveSpec, bareSpec, nginxGatewayFabric } from '@policy-machinery/policy-kind';
import { onePolicyForPath } from '../refusals/shared-paths.ts';
import { kindsOf } from './row.ts';

const routes = [HTTPRoute, GRPCRoute];
const graph = 'https://github.com/nginx/nginx-gateway-fabric/blob/main/internal/controller/state/graph';

/** The refusals of NGINX Gateway Fabric with the reason TargetConflict: checkForRouteOverlap in policies.go of the graph. */
const refusing = {
  refuses: onePolicyForPath,
  notes: [
    'A policy on a route is refused if another route has the same host, port and path. This is undecided if releases differ, or if the Gateway may not admit the other route.',
  ],
};
const coreGroupSpellings = ['core'];

/** Of the firewall: https://github.com/nginx/nginx-gateway-fabric/blob/main/docs/proposals/nap-waf.md. */
const replacing = {
  stanzas: bareSpec({
    strategies: { atomic },
    strategyField: false,
    because: "a route's policy replaces its Gateway's",
  }),
  sameLevel: 'reject-newer',
} as const;

export const nginxGatewayFabricKinds = kindsOf(
  {
    system: 'NGINX Gateway Fabric',
    controllers: ['gateway.nginx.org'],
    vocabulary: nginxGatewayFabricVocabulary,
    group: 'gateway.nginx.org',
    versions: ['v1alpha1'],
    source: 'https://github.com/nginx/nginx-gateway-fabric/tree/main/internal/controller/nginx/config/policies',
  },
  [
    {
      kind: 'ClientSettingsPolicy',
      targetFields: { targetRef: [] },
      policyClass: 'Inherited',
      targets: [Gateway, ...routes],
      effectiveTargets: routes,
      ...refusing,
      profile: nginxGatewayFabric({ strategy: fieldWise({ at: { '/keepAlive/timeout': 'replace' } }) }),
    },
    {
      kind: 'ProxySettingsPolicy',
      targetFields: { targetRefs: [] },
      policyClass: 'Inherited',
      targets: [Gateway, ...routes],
      effectiveTargets: routes,
      ...refusing,
      profile: nginxGatewayFabric({ strategy: fieldWise({ at: { '/buffering/buffers': 'replace' } }) }),
      // Timeouts of rules are not supported.
      ownFields: [
        {
          of: 'HTTPRoute rule',
          field: 'timeouts',
          policyField: '/timeout',
          counts: 'policies',
          source: `${graph}/httproute.go`,
        },
      ],
    },
    {
      kind: 'ObservabilityPolicy',
      targetFields: { targetRefs: [] },
      policyClass: 'Direct',
      versions: ['v1alpha2', 'v1alpha1'],
      targets: routes,
      ...refusing,
      profile: nginxGatewayFabric({ strategy: shallow, called: 'top-level field by field' }),
    },
    {
      kind: 'UpstreamSettingsPolicy',
      targetFields: { targetRefs: [] },
      policyClass: 'Direct',
      targets: [Service],
      profile: nginxGatewayFabric(),
      // An upstream has a method, and sessions beside it.
      ownFields: ['HTTPRoute rule', 'GRPCRoute rule'].map((of) => ({
        of,
        field: 'sessionPersistence',
        policyField: '/loadBalancingMethod',
        counts: 'both',
        source: 'https://github.com/nginx/nginx-gateway-fabric/blob/main/internal/controller/nginx/config/upstreams.go',
      })),
    },
    {
      kind: 'RateLimitPolicy',
      targetFields: { targetRefs: [] },
      policyClass: 'Inherited',
      targets: [Gateway, ...routes],
      effectiveTargets: routes,
      ...refusing,
      profile: {
        ...nginxGatewayFabric({ strategy: fieldWise() }),
        // The limits of several policies on one target all apply, and a route's replace its Gateway's.
        withinObject: { strategy: fieldWise({ at: { '/rateLimit/local/rules': append } }), stanza: 'defaults' },
        sharedFields: ['/rateLimit/local/rules'],
      },
    },
    {
      kind: 'WAFPolicy',
      targetFields: { targetRefs: [] },
      policyClass: 'Inherited',
      targets: [Gateway, ...routes],
      effectiveTargets: routes,
      coreGroupSpellings,
      refuses: onePolicyForPath,
      profile: { ...replacing, conflictReason: 'nginx accepts one firewall policy at a place' },
    },
    {
      kind: 'PayloadProcessor',
      targetFields: { targetRef: [] },
      policyClass: 'Inherited',
      targets: [Gateway, HTTPRoute],
      effectiveTargets: [HTTPRoute],
      coreGroupSpellings,
      ...refusing,
      profile: { ...replacing, conflictReason: 'only one PayloadProcessor attaches to a target' },
    },
    {
      kind: 'SnippetsPolicy',
      targetFields: { targetRefs: [] },
      policyClass: 'Direct',
      targets: [Gateway],
      coreGroupSpellings,
      profile: { stanzas: additiveSpec({ groups: ['policies'] }) },
      notes: ['The snippets of all policies on a Gateway apply, in the order of the names of the policies.'],
    },
    {
      kind: 'ExternalLoadBalancer',
      targetFields: { targetRefs: [] },
      policyClass: 'Direct',
      targets: [Gateway],
      maxTargets: 1,
      status: 'other',
    },
  ],
);
