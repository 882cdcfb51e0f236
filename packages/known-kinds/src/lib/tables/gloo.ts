import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { gloo } from '@policy-machinery/policy-kind';
import { glooOwnFields } from './gloo-own-fields.ts';
import { kindsOf } from './row.ts';
import { gateways } from './targets.ts';

/**
 * Definitions are generated from Protocol Buffers, which limit neither the number of targets nor repetitions. The kinds of Gloo Edge can name options,
 * too.
 */
const attached = {
  targetFields: { targetRefs: ['namespace', 'sectionName'] },
  maxTargets: Number.POSITIVE_INFINITY,
  repeatedTargets: 'allow',
  unreadAttachment: 'a VirtualService, RouteTable or Gateway of Gloo Edge',
} as const;

/** The policy kinds of Gloo Gateway. */
export const glooKinds = kindsOf(
  {
    system: 'Gloo Gateway',
    controllers: ['solo.io'],
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
      profile: { ...gloo(), ownValuePrecedence: 'highest' },
      ownFields: glooOwnFields,
      linking: { delegation: true },
      ...attached,
      targetFields: { targetRefs: ['namespace'] },
      status: 'other',
      notes: [
        'Filters of a rule that change headers or mirror requests prevail over options if the route has the annotation delegation.gateway.solo.io/enable-policy-overrides.',
      ],
    },
    {
      kind: 'VirtualHostOption',
      policyClass: 'Inherited',
      targets: gateways,
      effectiveTargets: [Gateway.sections.listener],
      profile: { stanzas: gloo().stanzas, sameLevel: 'oldest-wins' },
      ...attached,
      status: 'other',
    },
    { kind: 'ListenerOption', policyClass: 'Inherited', targets: gateways, ...attached, status: 'other' },
    {
      kind: 'HttpListenerOption',
      policyClass: 'Inherited',
      targets: [Gateway, Gateway.sections.listener],
      ...attached,
      status: 'other',
    },
  ],
);
