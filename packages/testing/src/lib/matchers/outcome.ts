import type { PolicyOutcome } from '@policy-machinery/conditions';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { type PolicyReport, reportPolicies } from '@policy-machinery/policy-status';
import { explainTarget } from './explain.ts';
import { type NamedPolicy, policyName } from './names.ts';
import { indented, type MatcherContext, type MatcherResult, result } from './result.ts';

/** Compares the outcome of a policy over all its scopes. */
export function toHaveOutcome(
  this: MatcherContext,
  effective: EffectivePolicies<unknown>,
  policy: NamedPolicy,
  outcome: PolicyOutcome,
): MatcherResult {
  const name = policyName(policy);
  const reports = reportPolicies(effective);
  const report = reports.find(({ policy: { locator } }) => policyName(locator) === name);
  if (report === undefined) {
    const existingNames = reports.map(({ policy: { locator } }) => policyName(locator)).join(', ') || 'none';
    throw new TypeError(`${effective.kind.kind} ${name} does not exist; existing: ${existingNames}`);
  }
  return result(
    report.outcome === outcome,
    {
      subject: `the outcome of ${effective.kind.kind} ${name}`,
      expectation: `to be ${outcome}`,
      explanation: () => explain(effective, report),
    },
    { actual: report.outcome, expected: outcome },
  );
}

function explain(effective: EffectivePolicies<unknown>, { policy, outcome, message, ancestors }: PolicyReport): string {
  const { locator, attachments } = policy;
  const targets = new Set(attachments.flatMap(({ target }) => target ?? []));
  return [
    `${policyName(locator)} is ${outcome}: ${message}`,
    ...ancestors.map(({ ancestorRef: { kind, name }, outcome: ancestorOutcome, message: said }) =>
      indented(`for ${kind} ${name}: ${ancestorOutcome}: ${said}`),
    ),
    ...[...targets].map((target) => explainTarget(effective, target)),
  ].join('\n');
}
