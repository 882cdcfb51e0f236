import { envoyGatewayVocabulary } from '@policy-machinery/conditions';
import { Gateway, GatewayClass } from '@policy-machinery/gateway-api';
import { envoyGateway } from '@policy-machinery/policy-kind';
import { objectIn } from '@policy-machinery/resource';
import { EnvoyProxy, mergedElsewhere } from './merged-gateways.ts';
import { replaced, routeCors } from './route-cors.ts';
import { kindsOf } from './row.ts';
import { ruleTraffic } from './rule-traffic.ts';
import { allListeners, allRoutes, allRules, httpRoutes, httpRules, listeners, tcpRoutes, tcpRules } from './targets.ts';

/** Policies may have any number of targets, name a target twice, and select targets in other namespaces with a ReferenceGrant. */
const attached = {
  targetFields: {
    targetRef: ['sectionName'],
    targetRefs: ['sectionName'],
    targetSelectors: ['matchExpressions', 'namespaces'],
  },
  targetSelectors: true,
  crossNamespace: 'granted',
  maxTargets: Number.POSITIVE_INFINITY,
  repeatedTargets: 'allow',
} as const;

/** The policy kinds of Envoy Gateway. */
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
        // The timeouts and retries of Gateway API in a rule prevail over all policies.
        ownValue: ({ section }) => ruleTraffic(objectIn(section?.value)),
        ownValueStrategy: replaced('/retry'),
      },
    },
    {
      kind: 'SecurityPolicy',
      policyClass: 'Inherited',
      targets: [...listeners, ...httpRoutes, ...tcpRoutes],
      effectiveTargets: [...httpRules, ...tcpRules],
      ...attached,
      profile: {
        ...envoyGateway({ mergeKeys: { '/extAuth/contextExtensions': { keys: ['name'] } } }),
        ownValue: ({ section }) => routeCors(objectIn(section?.value)),
        ownValueStrategy: replaced('/cors'),
      },
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
      profile: envoyGateway(),
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
