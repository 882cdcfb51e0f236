import { HTTPRoute, TCPRoute, TLSRoute, UDPRoute } from '@policy-machinery/gateway-api';
import { kindsOf, wholeAndSections } from './row.ts';
import { services } from './targets.ts';

const several = { targetFields: { targetRefs: ['sectionName'] }, repeatedTargets: 'allow' } as const;

/** The policy kinds of Apache APISIX. */
export const apisixKinds = kindsOf(
  {
    system: 'Apache APISIX',
    controllers: ['apisix.apache.org'],
    group: 'apisix.apache.org',
    versions: ['v1alpha1'],
    source: 'https://github.com/apache/apisix-ingress-controller/tree/master/config/crd/bases',
  },
  [
    { kind: 'BackendTrafficPolicy', policyClass: 'Direct', targets: services, ...several },
    { kind: 'HTTPRoutePolicy', policyClass: 'Direct', targets: wholeAndSections(HTTPRoute), ...several },
    {
      kind: 'L4RoutePolicy',
      policyClass: 'Direct',
      targets: [TCPRoute, UDPRoute, TLSRoute].flatMap(wholeAndSections),
      ...several,
    },
  ],
);
