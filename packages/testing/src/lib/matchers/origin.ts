import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import { formatTarget } from '@policy-machinery/topology';
import { explainPolicies } from './explain.ts';
import { type NamedPolicy, policyName } from './names.ts';
import { type MatcherContext, type MatcherResult, result } from './result.ts';

/** Compares which policy has set a field, in one effective policy or in several. */
export function toHaveOrigin(
  this: MatcherContext,
  received: EffectivePolicy<unknown> | readonly EffectivePolicy<unknown>[],
  pointer: string,
  policy: NamedPolicy,
): MatcherResult {
  const policies = isList(received) ? received : [received];
  const name = policyName(policy);
  const origins = policies.map((each) => [...new Set(each.originsOf(pointer).map((layer) => layer.policy.name))]);
  const pass = origins.length > 0 && origins.every((names) => names.length === 1 && names[0] === name);
  const [first] = policies;
  const field = pointer === '' ? 'the whole spec' : pointer;
  return result(
    pass,
    {
      subject: `${field} of ${first === undefined ? 'no effective policy' : formatTarget(first.target)}`,
      expectation: `to be set by ${name}`,
      explanation: () => (first === undefined ? 'The effective policy does not exist.' : explainPolicies(policies)),
    },
    { actual: origins.map((names) => names.join(' and ')).join(', '), expected: name },
  );
}

const isList = (
  received: EffectivePolicy<unknown> | readonly EffectivePolicy<unknown>[],
): received is readonly EffectivePolicy<unknown>[] => Array.isArray(received);
