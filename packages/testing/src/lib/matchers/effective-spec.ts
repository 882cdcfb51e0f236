import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import { explainTarget } from './explain.ts';
import { type NamedTarget, targetIn } from './names.ts';
import { type MatcherContext, type MatcherResult, result } from './result.ts';

/** The contexts of a target to compare. */
export interface EffectiveSpecOptions {
  /** A target that the paths lead through, such as a Gateway or a listener. Default: every context. */
  readonly via?: NamedTarget | undefined;
}

/** Compares the effective spec of a target, in all selected contexts. */
export function toHaveEffectiveSpec(
  this: MatcherContext,
  effective: EffectivePolicies<unknown>,
  named: NamedTarget,
  spec: unknown,
  { via }: EffectiveSpecOptions = {},
): MatcherResult {
  const target = targetIn(effective.topology, named);
  const through = via === undefined ? undefined : targetIn(effective.topology, via);
  const policies = effective.of(target).filter((policy) => through === undefined || leadsThrough(policy, through));
  const specs = policies.map((policy) => policy.spec);
  const pass = specs.length > 0 && specs.every((each) => this.equals(each, spec));
  const where = through === undefined ? '' : ` through ${formatTarget(through)}`;
  return result(
    pass,
    {
      subject: `the effective spec of ${formatTarget(target)}${where}`,
      expectation: `to be ${JSON.stringify(spec)}`,
      explanation: () => explainTarget(effective, target),
    },
    { actual: specs.length === 1 ? specs[0] : specs, expected: spec },
  );
}

function leadsThrough(policy: EffectivePolicy<unknown>, through: TargetNode): boolean {
  for (const path of policy.paths()) if (path.includes(through)) return true;
  return false;
}
