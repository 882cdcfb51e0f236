import { HTTPRoute, Namespace } from '@policy-machinery/gateway-api';
import { none } from '@policy-machinery/merge';
import { additiveSpec, bareSpec, type TargetReader } from '@policy-machinery/policy-kind';
import { isJsonObject, specOf } from '@policy-machinery/resource';
import { readTargetRefs } from '@policy-machinery/target-ref';
import { kindsOf } from './row.ts';
import { LinkerdServer } from './targets.ts';

/** Reads a target whose group may be left out, for the core group. */
const readTargets: TargetReader = (policy) => {
  const spec = specOf(policy);
  const { targetRef } = spec;
  const filled = isJsonObject(targetRef) ? { ...spec, targetRef: { group: '', ...targetRef } } : spec;
  return readTargetRefs({ ...policy, spec: filled }, { coreGroupSpellings: ['core'] });
};

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
      readTargets,
      status: 'other',
      profile: { stanzas: additiveSpec({ groups: ['policies'] }) },
      notes: ['Every policy that a request meets counts: a request is allowed if one of them allows it.'],
    },
    {
      kind: 'HTTPLocalRateLimitPolicy',
      policyClass: 'Direct',
      targets: [LinkerdServer],
      readTargets,
      status: 'conditions',
      profile: { stanzas: bareSpec({ strategies: { none }, strategyField: false }) },
    },
  ],
);
