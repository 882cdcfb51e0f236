import type { EffectivePolicies, ScopeGroup } from '@policy-machinery/effective-policy';
import { describeUndecidedLink } from '@policy-machinery/effective-policy/inner';
import type { TargetNode } from '@policy-machinery/topology';
import { ancestorTest, isPartOf } from './ancestor-finder.ts';
import { type Finding, findingAt } from './finding.ts';

/** The scopes of a policy by one of its targets, each with its outcome. */
export type Scopes = readonly ScopeGroup<unknown>[];

/**
 * Returns the findings about the scopes of a policy by one of its targets, one for each share: thousands of scopes have few shares. Scopes with
 * paths that begin in the target are reported at the target, if they have their own share.
 */
export function scopeFindings(
  target: TargetNode,
  scopes: Scopes,
  effective: EffectivePolicies<unknown>,
): readonly Finding[] {
  const isAncestor = ancestorTest(effective);
  const haveAncestors = scopes.some(({ ancestors }) => ancestors.some(isAncestor));
  const entryOf = entryFrom(target, effective, isAncestor);
  const placeOf = (ancestor: TargetNode): TargetNode | undefined =>
    isAncestor(ancestor) ? entryOf(ancestor) : haveAncestors && !isPartOf(ancestor, target) ? ancestor : undefined;
  const byDetails = new Map<Finding['details'], Found>();
  for (const { share, ancestors, undecidedLink } of scopes) {
    const details = undecidedLink === undefined ? share : `${describeUndecidedLink(undecidedLink)}.`;
    const outcome = undecidedLink === undefined ? share.outcome : 'undecided';
    const group: Found = byDetails.get(details) ?? { outcome, places: new Set() };
    byDetails.set(details, group);
    for (const ancestor of ancestors) group.places.add(placeOf(ancestor));
  }
  return [...byDetails].flatMap(([details, { outcome, places }]) => {
    const isAtTarget = places.delete(undefined);
    const ours = [...places].flatMap((it) => (it !== undefined && effective.manages(it.object) ? it.ref : []));
    const ancestors = ours.length === 0 && isAtTarget ? [target.ref] : ours;
    return findingAt(ancestors, { outcome, isReached: true, details, on: target.ref });
  });
}

/** The finding about the scopes with one share: their outcome, and where it is reported; `undefined` stands for the target. */
interface Found {
  readonly outcome: Finding['outcome'];
  readonly places: Set<TargetNode | undefined>;
}

/** Returns a function that names an ancestor in entries: one that the policy itself targets is named as the policy names it. */
function entryFrom(
  target: TargetNode,
  { kind }: EffectivePolicies<unknown>,
  isAncestor: (target: TargetNode) => boolean,
): (ancestor: TargetNode) => TargetNode {
  const { naming, reach } = kind.ancestorEntries;
  if ((naming === 'objects' && reach === 'all') || !isAncestor(target)) return (ancestor) => ancestor;
  const reference = naming === 'sections' ? target : target.object;
  return (ancestor) => (reach === 'nearest' || ancestor.object === reference.object ? reference : ancestor);
}
