import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { gloo } from '@policy-machinery/policy-kind';
import type { OwnField } from '../model/own-fields.ts';
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

/** The fields of rules that RouteOptions may also set, with the options. */
const openFields = Object.entries({
  timeouts: ['timeout'],
  retry: ['retries'],
  'filters: CORS': ['cors'],
  'filters: ExternalAuth': ['extauth'],
  'filters: RequestHeaderModifier': ['headerManipulation'],
  'filters: ResponseHeaderModifier': ['headerManipulation'],
  'filters: RequestMirror': ['shadowing'],
  'filters: URLRewrite': ['hostRewrite', 'prefixRewrite', 'regexRewrite'],
}).flatMap(([field, options]) =>
  options.map((option): OwnField => {
    return { of: 'HTTPRoute rule', field, policyField: `/options/${option}`, counts: 'not known' };
  }),
);

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
      ownFields: openFields,
      linking: { delegation: true },
      ...attached,
      targetFields: { targetRefs: ['namespace'] },
      status: 'other',
    },
    { kind: 'VirtualHostOption', policyClass: 'Inherited', targets: gateways, ...attached, status: 'other' },
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
