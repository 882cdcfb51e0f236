import type { Policy } from '@policy-machinery/policy-kind';
import type { ContextAt } from '../contexts/contexts.ts';
import { inOrder } from '../support/target-sets.ts';
import { type ScopeGroup, targetsOf } from './scopes.ts';
import type { ViewState } from './view-state.ts';

/**
 * Returns the scopes of a policy in a topology with undecided links, those of each context as a group. O(links above the contexts).
 *
 * @param all The contexts with the policy.
 */
export function undecidedGroups<Spec>(
  state: ViewState<Spec>,
  policy: Policy<Spec>,
  all: readonly ContextAt<Spec>[],
): readonly ScopeGroup<Spec>[] {
  const { contexts, hierarchies } = state;
  return all.flatMap((context): ScopeGroup<Spec> | readonly never[] => {
    const { target, stack } = context;
    const hierarchy = hierarchies.of(state.merged(context));
    const share = hierarchy.shareOf(policy);
    if (share === undefined) return [];
    const ancestors = inOrder(contexts.ancestors(target, stack));
    const undecidedLink = contexts.undecidedLink(target, stack);
    return { share, targets: targetsOf(policy, hierarchy), ancestors, ...(undecidedLink && { undecidedLink }) };
  });
}
