import { kuadrantVocabulary } from '@policy-machinery/conditions';
import { Gateway, GRPCRoute, HTTPRoute } from '@policy-machinery/gateway-api';
import { atomic } from '@policy-machinery/merge';
import { bareSpec, kuadrant } from '@policy-machinery/policy-kind';
import { kindsOf, type Row, wholeAndSections } from './row.ts';
import { gateways, httpRoutes, httpRules } from './targets.ts';

/** The named rules of an AuthPolicy. Its answers to refused requests are rules, too, without their own names. */
const authRules = [
  '/rules/authentication',
  '/rules/metadata',
  '/rules/authorization',
  '/rules/response',
  '/rules/response/success/headers',
  '/rules/response/success/filters',
  '/rules/callbacks',
];

/** Istio, also as part of OpenShift, and Envoy Gateway. Policies for DNS and certificates count at all Gateways. */
const controllers = ['istio.io', 'openshift.io', 'gateway.envoyproxy.io'];

const targetFields = { targetRef: ['sectionName'] };

const toRules = { targets: [...gateways, ...httpRoutes], effectiveTargets: httpRules };
const toHttpRules = {
  targets: [...gateways, ...wholeAndSections(HTTPRoute)],
  effectiveTargets: [HTTPRoute.sections.rule],
};

/** A policy on a listener replaces the policy of its Gateway, and only one policy may name a target. */
const ofListeners: Pick<Row, 'policyClass' | 'targets' | 'effectiveTargets' | 'profile'> = {
  policyClass: 'Direct',
  targets: gateways,
  effectiveTargets: [Gateway.sections.listener],
  profile: {
    stanzas: bareSpec({
      strategies: { atomic },
      strategyField: false,
      because: "a listener's policy replaces its Gateway's",
    }),
    sameLevel: 'reject-newer',
    conflictReason: 'only one policy may reference a target',
  },
};

export const kuadrantKinds = [
  ...kindsOf(
    {
      system: 'Kuadrant',
      vocabulary: kuadrantVocabulary,
      group: 'kuadrant.io',
      versions: ['v1'],
      source: 'https://docs.kuadrant.io/latest/architecture/rfcs/0009-defaults-and-overrides/',
    },
    [
      {
        kind: 'AuthPolicy',
        controllers,
        policyClass: 'Inherited',
        ...toRules,
        targetFields,
        status: 'conditions',
        profile: kuadrant({ rules: authRules, definitions: ['/patterns'] }),
      },
      {
        kind: 'RateLimitPolicy',
        controllers,
        policyClass: 'Inherited',
        ...toRules,
        targetFields,
        status: 'conditions',
        profile: kuadrant({ rules: ['/limits'] }),
      },
      {
        kind: 'TokenRateLimitPolicy',
        controllers,
        versions: ['v1alpha1'],
        policyClass: 'Inherited',
        ...toHttpRules,
        targetFields,
        status: 'conditions',
        profile: kuadrant({ rules: ['/limits'] }),
      },
      { kind: 'DNSPolicy', ...ofListeners, targetFields, status: 'conditions' },
      { kind: 'TLSPolicy', ...ofListeners, targetFields, status: 'conditions' },
    ],
  ),
  ...kindsOf(
    {
      system: 'Kuadrant extensions',
      vocabulary: kuadrantVocabulary,
      group: 'extensions.kuadrant.io',
      versions: ['v1alpha1'],
      source: 'https://github.com/Kuadrant/kuadrant-operator/tree/main/cmd/extensions',
    },
    [
      {
        kind: 'OIDCPolicy',
        policyClass: 'Inherited',
        targets: [...gateways, ...wholeAndSections(HTTPRoute)],
        targetFields,
        status: 'conditions',
      },
      {
        kind: 'PlanPolicy',
        policyClass: 'Inherited',
        targets: [...gateways, ...wholeAndSections(HTTPRoute), ...wholeAndSections(GRPCRoute)],
        targetFields,
        status: 'conditions',
      },
      { kind: 'TelemetryPolicy', policyClass: 'Direct', targets: gateways, targetFields, status: 'conditions' },
      {
        kind: 'ThreatPolicy',
        policyClass: 'Inherited',
        targets: [...gateways, ...wholeAndSections(HTTPRoute)],
        targetFields,
        status: 'conditions',
      },
    ],
  ),
];
