import {
  formatGroupKind,
  type GroupKind,
  type Issue,
  type KubernetesObject,
  PolicyMachineryError,
} from '@policy-machinery/resource';
import type { ResourceChange } from './change-in-progress.ts';
import { type CheckedChange, checkUpserts, invalidResources, itemsOf, withoutSame } from './check-change.ts';
import { rejected } from './faulty-resources.ts';
import type { TopologyState } from './topology-state.ts';

/**
 * Checks a complete list of the resources of a kind, and returns the change: resources that are added, may have changed, or
 * are removed. O(resources).
 *
 * @throws {PolicyMachineryError} `unknown-kind`; `invalid-resources` with all faults.
 */
export function checkReplacement(kind: GroupKind, list: unknown, state: TopologyState): CheckedChange {
  const { kinds, given } = state;
  const listing = kinds.get(kind);
  if (listing === undefined) {
    const message = `The topology does not know ${formatGroupKind(kind)}; pass one of its requiredKinds`;
    throw new PolicyMachineryError('unknown-kind', message);
  }
  const issues: Issue[] = [];
  const { objects, resources } = checkUpserts(
    itemsOf(list, 'list', issues),
    { name: 'list', type: listing.type },
    state,
    issues,
  );
  for (const [index, item] of objects.entries()) {
    if (item === undefined || kinds.of(item) === listing) continue;
    const message = `it is a ${item.kind} of ${item.apiVersion}; pass nothing but ${formatGroupKind(kind)}`;
    issues.push(rejected('other-kind', `list[${index}]`, { message }));
  }
  if (issues.length > 0) throw invalidResources(issues);
  for (const [locator, previous] of given) {
    if (!locator.startsWith(listing.prefix) || resources.has(locator)) continue;
    resources.set(locator, { locator, kind: listing, previous, current: undefined });
  }
  const upserted = objects as readonly KubernetesObject[]; // Otherwise there is an issue.
  return { resources: withoutSame(resources), ignored: [], strangers: [], removed: [], upserted };
}

/** Returns a replacement without unchanged objects: a list has all objects, and few have changed. O(size of the resources). */
export function withoutSameVersions(
  resources: ReadonlyMap<string, ResourceChange>,
): ReadonlyMap<string, ResourceChange> {
  return new Map([...resources].filter(([, { previous, current }]) => !isSameVersion(previous, current)));
}

/** Returns whether two resources are the same version of one object. */
function isSameVersion(was: KubernetesObject | undefined, current: KubernetesObject | undefined): boolean {
  if (was === undefined || current === undefined) return false;
  const { resourceVersion } = was.metadata;
  if (resourceVersion === undefined || resourceVersion !== current.metadata.resourceVersion) return false;
  try {
    return JSON.stringify(was) === JSON.stringify(current);
  } catch {
    return false; // A resource that is not JSON is reported when it is applied.
  }
}
