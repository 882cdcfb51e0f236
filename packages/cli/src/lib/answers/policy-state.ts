import type { PolicyOutcome } from '@policy-machinery/conditions';
import { reportPolicies } from '@policy-machinery/policy-status';
import { type ResourceRef, refOf } from '@policy-machinery/resource';
import { type Attachment, formatRef, type PolicyNode } from '@policy-machinery/topology';
import type { PolicyView } from '../input/hierarchies.ts';
import type { World } from '../input/world.ts';

/** What became of a policy; `not-merged` if it is attached, but how its kind is merged is not known. */
export type StateOutcome = PolicyOutcome | 'not-merged';

/** A policy, and what became of it. */
export interface PolicyState {
  readonly policy: PolicyNode;
  readonly ref: ResourceRef;
  readonly view: PolicyView;
  readonly outcome: StateOutcome;
  /** Why, in sentences. */
  readonly message: string;
}

/** Outcomes that say who prevailed. */
const merged: ReadonlySet<PolicyOutcome> = new Set(['enforced', 'partly-enforced', 'overridden', 'conflicted']);

/**
 * Returns what became of the policies of a world.
 *
 * @param world The world.
 * @param views The kinds of the policies. Default: all.
 * @param only Locators of the policies. Default: all.
 * @returns The policies, by kind and locator.
 */
export function policyStates(
  world: World,
  views: readonly PolicyView[] = world.views,
  only?: ReadonlySet<string>,
): readonly PolicyState[] {
  return views.flatMap((view) =>
    reportPolicies(view.effective, only).map(({ policy, outcome, message }): PolicyState => {
      const ref = refOf(policy.resource, policy.kind.scope);
      const state = stateOutcome(outcome, view.found.merging);
      return { policy, ref, view, outcome: state, message: state === outcome ? message : notMerged(view) };
    }),
  );
}

/**
 * Returns what became of a policy, as far as that is known.
 *
 * @param outcome The outcome, as if policies were merged.
 * @param merging Whether it is known how policies of the kind are merged.
 * @returns The outcome; `not-merged` for those that would say who prevailed.
 */
export function stateOutcome(outcome: PolicyOutcome, merging: 'known' | 'unknown'): StateOutcome {
  return merging === 'unknown' && merged.has(outcome) ? 'not-merged' : outcome;
}

/** Says why policies are shown at their levels and not merged, and what to do. */
export function notMerged({ found: { kind } }: PolicyView): string {
  return `How ${kind.kind} is merged is not known; declare it with --dialect ${kind.group}/${kind.kind}=PROFILE.`;
}

/**
 * Returns what a policy declares as its targets, as people write it.
 *
 * @param policy The policy.
 * @returns One text for each target that the policy names, and for each selector: `HTTPRoute cart#pay`, `HTTPRoute team=shop`.
 */
export function declaredTargets({ attachments }: PolicyNode): readonly string[] {
  const texts = attachments.flatMap(({ declared, target, via }: Attachment): readonly string[] => {
    if (via === 'policyRef' && target !== undefined) return [`${target.ref.kind} ${target.ref.name} names it`];
    if ('name' in declared) return [formatRef({ ...declared, section: declared.sectionName })];
    return 'kind' in declared ? [`${declared.kind} by labels`] : [];
  });
  return [...new Set(texts)];
}
