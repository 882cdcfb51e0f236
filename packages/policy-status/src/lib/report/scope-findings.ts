import type { EffectivePolicies, PolicyShare, ScopeGroup } from '@policy-machinery/effective-policy';
import type { TargetNode } from '@policy-machinery/topology';
import { ancestorTest } from './ancestor-finder.ts';
import type { Finding } from './finding.ts';

/** The scopes of a policy by one of its targets, each with its outcome. */
export type Scopes = readonly ScopeGroup<unknown>[];

/**
 * Returns the findings about the scopes of a policy by one of its targets: one for each ancestor and outcome. If some scopes have
 * ancestors, the others only count for the policy as a whole; if none has, they are reported at the target.
 */
export function scopeFindings(
  target: TargetNode,
  scopes: Scopes,
  effective: EffectivePolicies<unknown>,
): readonly Finding[] {
  const alone = scopes.some(({ ancestors }) => ancestors.length > 0) ? [undefined] : [target];
  const entriesOf = entriesFrom(target, effective);
  const byAncestor = new Map<TargetNode | undefined, ScopeFinding[]>();
  const on = target.ref;
  for (const { share, ancestors: inAny } of scopes) {
    const { outcome } = share;
    const ancestors = entriesOf(inAny);
    const places = ancestors.length > 0 ? ancestors.filter(({ object }) => effective.manages(object)) : alone;
    for (const ancestor of places) {
      const there = byAncestor.get(ancestor) ?? [];
      const alike = there.find((finding) => finding.outcome === outcome);
      byAncestor.set(ancestor, there);
      if (alike !== undefined) alike.details.add(share);
      else there.push({ ancestor: ancestor?.ref, outcome, isReached: true, details: new Set([share]), on });
    }
  }
  return [...byAncestor.values()].flat();
}

interface ScopeFinding extends Finding {
  readonly details: Set<PolicyShare<unknown>>;
}

/** Returns a function that names the ancestors of a scope in entries: an ancestor that the policy itself targets is named as the policy names it. */
function entriesFrom(
  target: TargetNode,
  { kind }: EffectivePolicies<unknown>,
): (ancestors: readonly TargetNode[]) => readonly TargetNode[] {
  const { naming, reach } = kind.ancestorEntries;
  if ((naming === 'objects' && reach === 'all') || !ancestorTest({ kind })(target.object))
    return (ancestors) => ancestors;
  const own = naming === 'sections' ? target : target.object;
  if (reach === 'nearest') return (ancestors) => (ancestors.length === 0 ? ancestors : [own]);
  return (ancestors) => [...new Set(ancestors.map((it) => (it.object === own.object ? own : it)))];
}
