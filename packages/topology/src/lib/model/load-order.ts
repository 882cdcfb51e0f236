import { mayRefer } from './kind-reach.ts';
import type { Kinds } from './kinds.ts';
import type { TargetKind } from './target-kind.ts';

/**
 * Returns the keys of kinds in the best order of loading: Namespaces and ReferenceGrants, then targets, each after those that it may refer to,
 * then policies. In another order, references are resolved twice: before the resources that they refer to have arrived, and after.
 *
 * @param kinds All kinds of a topology.
 * @returns Each key once. O(kinds²).
 */
export function loadOrder({
  background,
  targets,
  policies,
}: Pick<Kinds, 'background' | 'targets' | 'policies'>): readonly string[] {
  const order = new Set(background.keys());
  const visited = new Set<TargetKind>();
  const visit = (key: string, kind: TargetKind): void => {
    if (visited.has(kind)) return;
    visited.add(kind);
    for (const [other, to] of targets) if (refersTo(kind, to)) visit(other, to);
    order.add(key);
  };
  for (const [key, kind] of targets) visit(key, kind);
  for (const key of policies.keys()) order.add(key);
  return [...order];
}

function refersTo(from: TargetKind, to: TargetKind): boolean {
  return mayRefer(from, to, 'up') || mayRefer(from, to, 'down');
}
