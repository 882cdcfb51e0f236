import type { KubernetesObject } from '@policy-machinery/resource';
import { getOrInsert } from '../support/get-or-insert.ts';
import { Named } from '../targets/named.ts';
import type { ResourceChange } from './change-in-progress.ts';

/**
 * Changes in the order of their locators: targets that are made in it go to the end of each list that is kept in order, and lie side by
 * side in memory where paths find them side by side. By names, once for all that is in one namespace and of one kind, for locators are
 * long, and begin alike.
 */
export function* inLocatorOrder(changes: Iterable<ResourceChange>): Iterable<ResourceChange> {
  const groups = new Map<string, Named<ResourceChange>>();
  for (const change of changes) {
    const { locator, was, now = was } = change;
    const { name } = (now as KubernetesObject).metadata;
    const beginning = locator.slice(0, locator.length - name.length);
    getOrInsert(groups, beginning, () => new Named<ResourceChange>()).set(name, change);
  }
  for (const beginning of [...groups.keys()].sort()) yield* groups.get(beginning)?.inOrder ?? [];
}
