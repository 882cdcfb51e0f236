import type { Backlog, SliceScope } from './backlog.ts';

const none: ReadonlySet<string> = new Set();

/**
 * Returns the scope of the next slice of a plan: policies, and objects when no policy is left, since these may have conditions about policies
 * that have no room for them.
 *
 * @param size How many locators at most.
 * @returns The locators; `undefined` if nothing is left.
 */
export function nextSlice(backlogs: readonly Backlog[], size: number): SliceScope | undefined {
  const policies = firstOf(
    backlogs.map((backlog) => backlog.policies),
    size,
  );
  if (policies.size > 0) return { policies, objects: none };
  const objects = firstOf(
    backlogs.map((backlog) => backlog.objects()),
    size,
  );
  return objects.size === 0 ? undefined : { policies: none, objects };
}

function firstOf(lists: readonly Iterable<string>[], size: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (const list of lists) {
    for (const locator of list) {
      if (found.size >= size) return found;
      found.add(locator);
    }
  }
  return found;
}
