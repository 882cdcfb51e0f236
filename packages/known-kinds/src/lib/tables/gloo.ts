import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { gloo } from '@policy-machinery/policy-kind';
import { kindsOf } from './row.ts';
import { gateways } from './targets.ts';

/** The policy kinds of Gloo Gateway. */
export const glooKinds = kindsOf(
  {
    system: 'Gloo Gateway',
    group: 'gateway.solo.io',
    versions: ['v1'],
    source: 'https://github.com/solo-io/gloo/tree/main/projects/gateway2/translator/plugins',
  },
  [
    {
      kind: 'RouteOption',
      policyClass: 'Inherited',
      targets: [HTTPRoute, HTTPRoute.sections.rule],
      effectiveTargets: [HTTPRoute.sections.rule],
      extensionRefs: true,
      profile: gloo(),
      linking: { delegation: true },
      status: 'other',
    },
    { kind: 'VirtualHostOption', policyClass: 'Inherited', targets: gateways, status: 'other' },
    { kind: 'ListenerOption', policyClass: 'Inherited', targets: gateways, status: 'other' },
    {
      kind: 'HttpListenerOption',
      policyClass: 'Inherited',
      targets: [Gateway, Gateway.sections.listener],
      status: 'other',
    },
  ],
);
