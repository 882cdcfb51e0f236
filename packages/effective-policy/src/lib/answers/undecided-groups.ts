import type { Policy } from '@policy-machinery/policy-kind';
import type { ContextAt } from '../contexts/contexts.ts';
import { type ScopeGroup, targetsOf } from './scopes.ts';
import type { ViewState } from './view-state.ts';

/**
 * Returns the scopes of a policy in a topology with undecided links, one group for each context. O(links above the contexts).
 *
 * @param contextsOfPolicy The contexts with the policy.
 */
export function undecidedGroups<Spec>(
  state: ViewState<Spec>,
  policy: Policy<Spec>,
  contextsOfPolicy: readonly ContextAt[],
): readonly ScopeGroup<Spec>[] {
  const { contexts, hierarchies } = state;
  return contextsOfPolicy.flatMap((context): ScopeGroup<Spec> | readonly never[] => {
    const hierarchy = hierarchies.of(state.merged(context));
    const share = hierarchy.shareOf(policy);
    if (share === undefined) return [];
    const ancestors = contexts.ancestorsOf(context);
    const undecidedLink = contexts.undecidedLink(context);
    return { share, targets: targetsOf(policy, hierarchy), ancestors, ...(undecidedLink && { undecidedLink }) };
  });
}
