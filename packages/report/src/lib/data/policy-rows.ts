import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { reportPolicies } from '@policy-machinery/policy-status';
import { refOf } from '@policy-machinery/resource';
import type { PolicyNode, Topology } from '@policy-machinery/topology';
import type { Names } from './names.ts';
import type { PolicyRow } from './report-data.ts';
import { Rows } from './rows.ts';

/** The policies of a topology with their outcomes, by their numbers; `null` for those that are gone. */
export class PolicyRows {
  readonly rows = new Rows<PolicyRow | null>(null);
  readonly #topology: Topology;
  readonly #views: readonly EffectivePolicies<unknown>[];
  readonly #names: Names;

  constructor(topology: Topology, views: readonly EffectivePolicies<unknown>[], names: Names) {
    this.#topology = topology;
    this.#views = views;
    this.#names = names;
  }

  /** Collects some policies. Those that are gone are removed. */
  set(locators: ReadonlySet<string>): void {
    const reports = new Map(
      this.#views
        .flatMap((view) => reportPolicies(view, { policies: locators }))
        .map(({ policy, ...report }) => [policy.locator, report]),
    );
    for (const locator of locators) {
      const id = this.#names.policyId(locator);
      const policy = this.#topology.policy(locator);
      this.rows.set(id, policy === undefined ? null : this.#rowOf(policy, reports.get(locator) ?? withoutView(policy)));
    }
  }

  #rowOf(policy: PolicyNode, { outcome, message }: { readonly outcome: string; readonly message: string }): PolicyRow {
    const names = this.#names;
    const targets = policy.attachments.flatMap(({ target }) => (target === undefined ? [] : names.node(target)));
    const name = names.rowOf(refOf(policy.resource, policy.kind.scope));
    return [...name, names.text(outcome), names.text(message), [...new Set(targets)]];
  }
}

/** Returns the outcome and message of a policy of a kind with unknown merging. */
function withoutView({ attachments }: PolicyNode): { readonly outcome: string; readonly message: string } {
  const faults = attachments.flatMap(({ message = [] }) => message);
  return {
    outcome: attachments.some(({ target }) => target !== undefined) ? 'not-merged' : 'target-not-found',
    message: [`How policies of this kind are merged is not known.`, ...faults].join(' '),
  };
}
