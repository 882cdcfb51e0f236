import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { reportPolicies } from '@policy-machinery/policy-status';
import { refOf } from '@policy-machinery/resource';
import type { PolicyNode } from '@policy-machinery/topology';
import type { Names } from './names.ts';
import type { PolicyRow } from './report-data.ts';

/** Returns all policies of a topology in their order, with their outcomes. */
export function policyRows(views: readonly EffectivePolicies<unknown>[], names: Names): readonly PolicyRow[] {
  const reports = new Map(
    views.flatMap((view) => reportPolicies(view)).map(({ policy, ...report }) => [policy.locator, report]),
  );
  return names.policies.map((policy): PolicyRow => {
    const { outcome, message } = reports.get(policy.locator) ?? withoutView(policy);
    const targets = policy.attachments.flatMap(({ target }) => (target === undefined ? [] : names.node(target)));
    const name = names.rowOf(refOf(policy.resource, policy.kind.scope));
    return [...name, names.text(outcome), names.text(message), [...new Set(targets)]];
  });
}

/** Returns the outcome and message of a policy of a kind whose merging is not known. */
function withoutView({ attachments }: PolicyNode): { readonly outcome: string; readonly message: string } {
  const faults = attachments.flatMap(({ message = [] }) => message);
  return {
    outcome: attachments.some(({ target }) => target !== undefined) ? 'not-merged' : 'target-not-found',
    message: [`How policies of this kind are merged is not known.`, ...faults].join(' '),
  };
}
