import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { PlanStatusOptions } from '@policy-machinery/policy-status';
import { groupKindKey, printable } from '@policy-machinery/resource';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';

type ConditionSubject = Parameters<NonNullable<PlanStatusOptions['unprogrammed']>>[0];

/** A target that the data plane has not taken, as the status of a policy describes it. */
interface Failure {
  readonly message: string;
  /** The ancestors of the policy that the target is below. If there are none, the failure is about the whole policy. */
  readonly ancestors: readonly TargetNode[];
}

/** What the data plane says about targets, by the policies that set something there: their statuses have it. */
export class Feedback {
  /** The policies of each failed target. */
  readonly #policies = new Map<string, readonly string[]>();
  /** The failures of each policy, by target. */
  readonly #failures = new Map<string, Map<string, Failure>>();

  /**
   * Takes what the data plane says about targets of a kind.
   *
   * @param feedback A message for each target that it has not taken; nothing for the others.
   * @returns The locators of the policies whose statuses may differ.
   */
  take(view: EffectivePolicies<unknown>, feedback: ReadonlyMap<string, string | undefined>): readonly string[] {
    const changed = new Set<string>();
    for (const [target, message] of feedback) {
      const key = `${groupKindKey(view.kind)} ${target}`;
      for (const policy of this.#policies.get(key) ?? []) {
        this.#failures.get(policy)?.delete(target);
        changed.add(policy);
      }
      this.#policies.delete(key);
      if (message === undefined) continue;
      const failures = failuresAt(view, target, message);
      for (const [policy, failure] of failures) {
        this.#failures.set(policy, (this.#failures.get(policy) ?? new Map()).set(target, failure));
        changed.add(policy);
      }
      this.#policies.set(key, [...failures.keys()]);
    }
    for (const policy of changed) if (this.#failures.get(policy)?.size === 0) this.#failures.delete(policy);
    return [...changed];
  }

  /** Returns why the data plane has not taken a policy; `undefined` if it has. */
  readonly unprogrammed = ({ policy, ancestor }: ConditionSubject): string | undefined => {
    const failures = [...(this.#failures.get(policy.locator)?.values() ?? [])].filter(
      ({ ancestors }) =>
        ancestor === undefined || ancestors.length === 0 || ancestors.some((it) => isNamed(it, ancestor)),
    );
    const messages = [...new Set(failures.map(({ message }) => message))].sort();
    if (messages.length === 0) return undefined;
    const more = messages.length > mostMessages ? ` And ${messages.length - mostMessages} more.` : '';
    return `The data plane has not taken it. ${messages.slice(0, mostMessages).join(' ')}${more}`;
  };
}

/** How many targets a message names. */
const mostMessages = 5;

function failuresAt(view: EffectivePolicies<unknown>, target: string, message: string): ReadonlyMap<string, Failure> {
  const failures = new Map<string, Failure>();
  for (const context of view.of(target)) {
    const text = printable(`${formatTarget(context.target)}: ${message.replace(/\.$/, '')}.`);
    for (const { policy, contributes } of context.shares) {
      if (!contributes) continue;
      const { ancestors = [] } = failures.get(policy.locator) ?? {};
      failures.set(policy.locator, { message: text, ancestors: [...ancestors, ...context.ancestors] });
    }
  }
  return failures;
}

function isNamed({ ref }: TargetNode, { ancestorRef }: NonNullable<ConditionSubject['ancestor']>): boolean {
  const { group, kind, namespace = ref.namespace, name } = ancestorRef;
  return groupKindKey(ref) === groupKindKey({ group, kind }) && ref.namespace === namespace && ref.name === name;
}
