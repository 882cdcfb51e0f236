import { envoyGatewayVocabulary } from '@policy-machinery/conditions';
import { Gateway, GatewayClass } from '@policy-machinery/gateway-api';
import { envoyGateway } from '@policy-machinery/policy-kind';
import { replaced, routeCors } from '../readers/route-cors.ts';
import { ruleTraffic } from '../readers/rule-traffic.ts';
import { EnvoyProxy, mergedElsewhere } from '../refusals/merged-gateways.ts';
import { onePolicyForPort } from '../refusals/shared-ports.ts';
import { kindsOf } from './row.ts';
import { allListeners, allRoutes, allRules, httpRoutes, httpRules, listeners, tcpRoutes, tcpRules } from './targets.ts';

/** Policies may have any number of targets, are in conflict with themselves where they name one twice, and select targets in other namespaces with a ReferenceGrant. */
const attached = {
  targetFields: {
    targetRef: ['sectionName'],
    targetRefs: ['sectionName'],
    targetSelectors: ['matchExpressions', 'namespaces'],
  },
  targetSelectors: true,
  crossNamespace: 'granted',
  maxTargets: Number.POSITIVE_INFINITY,
  repeatedTargets: 'report',
} as const;

const of = 'HTTPRoute rule';
const source = 'https://github.com/envoyproxy/gateway/tree/main/internal/gatewayapi';
const ofRule = { of, counts: 'own', source } as const;

export const envoyGatewayKinds = kindsOf(
  {
    system: 'Envoy Gateway',
    controllers: ['gateway.envoyproxy.io'],
    vocabulary: envoyGatewayVocabulary,
    group: 'gateway.envoyproxy.io',
    versions: ['v1alpha1'],
    source: 'https://gateway.envoyproxy.io/docs/concepts/gateway_api_extensions/',
  },
  [
    {
      kind: 'BackendTrafficPolicy',
      policyClass: 'Inherited',
      targets: [...listeners, ...allRoutes],
      effectiveTargets: allRules,
      ...attached,
      profile: {
        ...envoyGateway({
          mergeKeys: {
            '/compression': { keys: ['type'] },
            '/compressor': { keys: ['type'] },
            '/httpUpgrade': { keys: ['type'] },
          },
        }),
        ownValueStrategy: replaced('/retry'),
      },
      ownFields: [
        { ...ofRule, field: 'timeouts', policyField: '/timeout', read: (rule) => ruleTraffic(rule)?.timeout },
        { ...ofRule, field: 'retry', policyField: '/retry', read: (rule) => ruleTraffic(rule)?.retry },
        // Sessions choose among the hosts first, and the load balancer among the rest.
        ...[of, 'GRPCRoute rule'].map((rule) => ({
          of: rule,
          field: 'sessionPersistence',
          policyField: '/loadBalancer',
          counts: 'both' as const,
          source: `${source}/route.go`,
        })),
      ],
    },
    {
      kind: 'SecurityPolicy',
      policyClass: 'Inherited',
      targets: [...listeners, ...httpRoutes, ...tcpRoutes],
      effectiveTargets: [...httpRules, ...tcpRules],
      ...attached,
      profile: {
        ...envoyGateway({ mergeKeys: { '/extAuth/contextExtensions': { keys: ['name'] } } }),
        ownValueStrategy: replaced('/cors'),
      },
      ownFields: [
        { ...ofRule, field: 'filters: CORS', policyField: '/cors', read: routeCors },
        // The filter is not supported: the rule answers 500.
        {
          of,
          field: 'filters: ExternalAuth',
          policyField: '/extAuth',
          counts: 'policies',
          source: `${source}/filters.go`,
        },
      ],
    },
    {
      kind: 'EnvoyExtensionPolicy',
      policyClass: 'Inherited',
      targets: [...listeners, ...allRoutes],
      effectiveTargets: allRules,
      ...attached,
      profile: envoyGateway(),
    },
    {
      kind: 'ClientTrafficPolicy',
      policyClass: 'Inherited',
      targets: listeners,
      effectiveTargets: allListeners,
      ...attached,
      sources: [EnvoyProxy],
      refuses: onePolicyForPort,
      profile: envoyGateway(),
      notes: [
        'A policy on one of several HTTP listeners of a port is refused, because it would affect the others, too. If these are of merged Gateways, or the target has other listeners, this is undecided.',
      ],
    },
    {
      kind: 'EnvoyPatchPolicy',
      policyClass: 'Inherited',
      targets: [Gateway, GatewayClass],
      targetFields: { targetRef: [] },
      clusterScopedTargets: 'allow',
      sources: [EnvoyProxy],
      refuses: mergedElsewhere,
      notes: [
        'All patches on a target apply, in the order of their priority.',
        'Whether Gateways are merged is read from the EnvoyProxy of their GatewayClass. The default for all classes, in the configuration of the controller, is not read, and taken to be that they are not.',
      ],
    },
  ],
);
