import type { Policy } from '@policy-machinery/policy-kind';
import type { ContextAt } from '../contexts/contexts.ts';
import { contextsWith } from '../contexts/through.ts';
import { none } from '../support/nothing.ts';
import { type ScopeGroup, targetsOf } from './scopes.ts';
import type { ViewState } from './view-state.ts';

/** Returns the scopes of a policy, by its locator, grouped where the policy has the same share; for traffic from one namespace or all. */
export function groupsIn<Spec>(
  state: ViewState<Spec>,
  locator: string,
  trafficFrom: string | undefined,
): readonly ScopeGroup<Spec>[] {
  const declared = state.levels.policy(locator);
  if (declared?.policy === undefined) return none;
  const { contexts, scopes, topology } = state;
  if (!topology.hasUndecidedLinks && trafficFrom === undefined) return scopes.groupsOf(declared.policy);
  const contextsOfPolicy = contextsWith(contexts, declared, trafficFrom);
  if (topology.hasUndecidedLinks) return undecidedGroups(state, declared.policy, contextsOfPolicy);
  return scopes.groupsAt(declared.policy, new Set(contextsOfPolicy.map(({ target }) => target)));
}

/**
 * Returns the scopes of a policy in a topology with undecided links, one group for each context. O(links above the contexts).
 *
 * @param contextsOfPolicy The contexts with the policy.
 */
function undecidedGroups<Spec>(
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
