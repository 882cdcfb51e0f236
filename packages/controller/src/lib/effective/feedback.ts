import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import type { PlanStatusOptions } from '@policy-machinery/policy-status';
import { groupKindKey, printable } from '@policy-machinery/resource';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import type { Answer } from './data-plane-answers.ts';
import type { TargetFailure } from './target-failure.ts';

type ConditionSubject = Parameters<NonNullable<PlanStatusOptions['unprogrammed']>>[0];

/** A target that the data plane has not taken, as the status of a policy describes it. */
interface Failure {
  readonly message: string;
  /** The ancestors of the policy that the target is below. If there are none, the failure is about the whole policy. */
  readonly ancestors: readonly TargetNode[];
}

/** The answers of the data plane about targets, by the policies that set something there: their statuses contain them. */
export class Feedback {
  /** The policies of each failed target. */
  readonly #policies = new Map<string, readonly string[]>();
  /** The failures of each policy, by target. */
  readonly #failures = new Map<string, Map<string, readonly Failure[]>>();

  /**
   * Takes the answers of the data plane about targets of a kind.
   *
   * @param feedback The fault of each target that it has not accepted; nothing for the others.
   * @returns The locators of the policies with statuses that may differ.
   */
  take(view: EffectivePolicies<unknown>, feedback: ReadonlyMap<string, Answer | undefined>): readonly string[] {
    const changed = new Set<string>();
    for (const [target, answer] of feedback) {
      const key = `${groupKindKey(view.kind)} ${target}`;
      for (const policy of this.#policies.get(key) ?? []) {
        this.#failures.get(policy)?.delete(target);
        changed.add(policy);
      }
      this.#policies.delete(key);
      if (answer === undefined) continue;
      const failures = failuresAt(view, target, typeof answer === 'string' ? [{ message: answer }] : answer);
      for (const [policy, ofIt] of failures) {
        this.#failures.set(policy, (this.#failures.get(policy) ?? new Map()).set(target, ofIt));
        changed.add(policy);
      }
      this.#policies.set(key, [...failures.keys()]);
    }
    for (const policy of changed) if (this.#failures.get(policy)?.size === 0) this.#failures.delete(policy);
    return [...changed];
  }

  /** Returns why the data plane has not taken a policy; `undefined` if it has. */
  readonly unprogrammed = ({ policy, ancestor }: ConditionSubject): string | undefined => {
    const failures = [...(this.#failures.get(policy.locator)?.values() ?? [])]
      .flat()
      .filter(
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

function failuresAt(
  view: EffectivePolicies<unknown>,
  target: string,
  failed: readonly Omit<TargetFailure, 'target'>[],
): ReadonlyMap<string, readonly Failure[]> {
  const failures = new Map<string, Failure[]>();
  for (const context of view.of(target)) {
    const places = context.ancestors.length > 0 ? context.ancestors : context.dataPlanes;
    const failuresHere = failed.filter(({ dataPlane }) => isBelow(context, dataPlane));
    for (const { policy, contributes } of failuresHere.length === 0 ? [] : context.shares) {
      if (!contributes) continue;
      const ofPolicy = failuresHere.map(({ message, dataPlane }) => ({
        message: printable(`${formatTarget(context.target)}: ${message.replace(/\.$/, '')}.`),
        ancestors: places.filter((it) => isPartOf(it, dataPlane, view)),
      }));
      failures.set(policy.locator, [...(failures.get(policy.locator) ?? []), ...ofPolicy]);
    }
  }
  return failures;
}

function isBelow({ dataPlanes }: EffectivePolicy<unknown>, dataPlane: string | undefined): boolean {
  return dataPlane === undefined || dataPlanes.some(({ locator }) => locator === dataPlane);
}

/** Returns whether an ancestor is a data plane, or belongs to it: a ListenerSet of the Gateway. */
function isPartOf(
  { object }: TargetNode,
  dataPlane: string | undefined,
  { topology }: EffectivePolicies<unknown>,
): boolean {
  if (dataPlane === undefined || object.locator === dataPlane) return true;
  return topology.ancestors(object).some(({ locator }) => locator === dataPlane);
}

function isNamed({ ref }: TargetNode, { ancestorRef }: NonNullable<ConditionSubject['ancestor']>): boolean {
  const { group, kind, namespace = ref.namespace, name } = ancestorRef;
  return groupKindKey(ref) === groupKindKey({ group, kind }) && ref.namespace === namespace && ref.name === name;
}
