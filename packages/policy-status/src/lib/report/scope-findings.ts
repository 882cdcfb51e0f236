import { describeUndecidedLink, type EffectivePolicies, type ScopeGroup } from '@policy-machinery/effective-policy';
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
  const byDetails = new Map<Finding['details'], Found>();
  for (const { share, ancestors, undecidedLink } of scopes) {
    const details = undecidedLink === undefined ? share : `${describeUndecidedLink(undecidedLink)}.`;
    const outcome = undecidedLink === undefined ? share.outcome : 'undecided';
    const found: Found = byDetails.get(details) ?? { outcome, places: new Set() };
    byDetails.set(details, found);
    if (ancestors.length === 0) found.places.add(undefined);
    for (const ancestor of ancestors) found.places.add(entryOf(ancestor));
  }
  const others = scopes.some(({ ancestors }) => ancestors.length > 0) ? [] : [target.ref];
  return [...byDetails].flatMap(([details, { outcome, places }]): readonly Finding[] => {
    const hasOthers = places.delete(undefined);
    const ours = [...places].flatMap((it) => (it !== undefined && effective.manages(it.object) ? it.ref : []));
    const about: Omit<Finding, 'ancestors'> = { outcome, isReached: true, details, on: target.ref };
    return ours.length === 0 && hasOthers ? [{ ancestors: others, ...about }] : findingAt(ours, about);
  });
}

/** What is found about the scopes with one share: their outcome, and where it is reported; `undefined` stands for scopes without ancestors. */
interface Found {
  readonly outcome: Finding['outcome'];
  readonly places: Set<TargetNode | undefined>;
}

/** Returns a function that names an ancestor in entries: one that the policy itself targets is named as the policy names it. */
function entryFrom(target: TargetNode, { kind }: EffectivePolicies<unknown>): (ancestor: TargetNode) => TargetNode {
  const { naming, reach } = kind.ancestorEntries;
  if ((naming === 'objects' && reach === 'all') || !ancestorTest({ kind })(target.object))
    return (ancestor) => ancestor;
  const own = naming === 'sections' ? target : target.object;
  return (ancestor) => (reach === 'nearest' || ancestor.object === own.object ? own : ancestor);
}
