import type { EffectivePolicies, PolicyShare, ScopeGroup } from '@policy-machinery/effective-policy';
import type { TargetNode } from '@policy-machinery/topology';
import { ancestorTest } from './ancestor-finder.ts';
import { type Finding, findingAt } from './finding.ts';

/** The scopes of a policy by one of its targets, each with its outcome. */
export type Scopes = readonly ScopeGroup<unknown>[];

/**
 * Returns the findings about the scopes of a policy by one of its targets, one for each share: thousands of scopes have few. If some scopes have
 * ancestors, the others only count for the policy as a whole; if none has, they are reported at the target.
 */
export function scopeFindings(
  target: TargetNode,
  scopes: Scopes,
  effective: EffectivePolicies<unknown>,
): readonly Finding[] {
  const entryOf = entryFrom(target, effective);
  const byShare = new Map<PolicyShare<unknown>, Set<TargetNode | undefined>>();
  for (const { share, ancestors } of scopes) {
    const places = byShare.get(share) ?? new Set();
    if (places.size === 0) byShare.set(share, places);
    if (ancestors.length === 0) places.add(undefined);
    for (const ancestor of ancestors) places.add(entryOf(ancestor));
  }
  const others = scopes.some(({ ancestors }) => ancestors.length > 0) ? [] : [target.ref];
  return [...byShare].flatMap(([share, places]): readonly Finding[] => {
    const hasOthers = places.delete(undefined);
    const ours = [...places].flatMap((it) => (it !== undefined && effective.manages(it.object) ? it.ref : []));
    const about: Omit<Finding, 'ancestors'> = {
      outcome: share.outcome,
      isReached: true,
      details: share,
      on: target.ref,
    };
    return ours.length === 0 && hasOthers ? [{ ancestors: others, ...about }] : findingAt(ours, about);
  });
}

/** Returns a function that names an ancestor in entries: one that the policy itself targets is named as the policy names it. */
function entryFrom(target: TargetNode, { kind }: EffectivePolicies<unknown>): (ancestor: TargetNode) => TargetNode {
  const { naming, reach } = kind.ancestorEntries;
  if ((naming === 'objects' && reach === 'all') || !ancestorTest({ kind })(target.object))
    return (ancestor) => ancestor;
  const own = naming === 'sections' ? target : target.object;
  return (ancestor) => (reach === 'nearest' || ancestor.object === own.object ? own : ancestor);
}
