import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { statusQueries } from '@policy-machinery/effective-policy/inner';
import { groupKindKey } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';

/**
 * Returns whether this process writes the conditions about policies on an object, among replicas that share a cluster by `only`. Objects that it
 * leaves out, and objects that are only below these, belong to other replicas. An object below objects of several replicas, such as a Service behind
 * two Gateways, has one condition, which belongs to the replica that is about the first of them. So each condition has one writer. Objects of other
 * controllers do not count.
 *
 * @param view The effective policies.
 * @returns Always `true` if nothing above the object is left out. O(links above) where replicas share the cluster.
 */
export function isWriterOf(view: EffectivePolicies<unknown>, object: TargetNode): boolean {
  const queries = statusQueries(view);
  if (!queries.isShared) return true;
  const above = [...objectsAbove(object)].filter((it) => queries.isOurs(it));
  const leftOut = above.filter((it) => !queries.includes(it));
  if (leftOut.length === 0) return true;
  const kinds = new Set(leftOut.map(({ ref }) => groupKindKey(ref)));
  const [first] = above.filter(({ ref }) => kinds.has(groupKindKey(ref))).sort(byLocator);
  return first !== undefined && queries.includes(first);
}

/** Returns an object and all objects that links lead from to it, in no order. */
function objectsAbove(object: TargetNode): ReadonlySet<TargetNode> {
  const above = new Set([object]);
  for (const node of above) {
    for (const target of [node, ...node.sections]) for (const parent of target.linksFrom) above.add(parent.object);
  }
  return above;
}

function byLocator(target: TargetNode, other: TargetNode): number {
  return target.locator < other.locator ? -1 : Number(target.locator > other.locator);
}
