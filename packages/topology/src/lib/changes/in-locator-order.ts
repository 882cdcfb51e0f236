import type { KubernetesObject } from '@policy-machinery/resource';
import { getOrInsert } from '../support/get-or-insert.ts';
import { Named } from '../targets/named.ts';
import type { ResourceChange } from './change-in-progress.ts';

/**
 * Returns changes in the order of their locators. Targets created in this order go to the end of each sorted list, and lie side by side in memory
 * as paths visit them. Resources of one namespace and kind are compared by name, since locators are long and begin alike.
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
