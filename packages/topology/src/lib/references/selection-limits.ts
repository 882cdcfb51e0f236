import { ageOf } from '../model/age.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { sortedBy } from '../support/sorted-by.ts';
import type { Target } from '../targets/target.ts';

/** The maximum number of targets of one namespace that select by the same term: each selected child has at most this number of parents. */
export const maxSelecting = 64;

/** The targets of one namespace that select by one term. */
interface Group {
  readonly members: Set<Target>;
  /** The targets with references that do not select anything, because too many older ones exist. */
  refused: Set<Target>;
}

/**
 * Decides which targets may select. If references of several targets in one namespace select by the same term, only the oldest may, so that
 * the number of links grows with the cluster and not with its square. Targets of other namespaces, and the selected resources, do not matter.
 */
export class SelectionLimits {
  readonly #groups = new Map<string, Group>();
  readonly #groupsOf = new Map<Target, Set<string>>();
  /** The groups that have changed. */
  readonly #touched = new Set<string>();
  /** The groups of the target that is being resolved. */
  #joined = new Set<string>();

  /** Returns whether a target may select by a term, as far as is known now: {@link takeChanged} returns the targets to resolve again. */
  mayTake(target: Target, term: string): boolean {
    const key = `${target.namespaceName ?? ''} ${term}`;
    this.#joined.add(key);
    const group = getOrInsert(this.#groups, key, (): Group => ({ members: new Set(), refused: new Set() }));
    if (!group.members.has(target)) {
      group.members.add(target);
      if (group.members.size > maxSelecting) group.refused.add(target);
    }
    if (group.members.size > maxSelecting) this.#touched.add(key);
    return !group.refused.has(target);
  }

  /** Records that the references of a target were resolved, or are gone: the target leaves all groups that it has not joined meanwhile. */
  finish(target: Target): void {
    if (this.#groupsOf.size === 0 && this.#joined.size === 0) return; // Usually without selectors.
    const groupsBefore = this.#groupsOf.get(target);
    if (groupsBefore === undefined && this.#joined.size === 0) return;
    const joined = this.#joined;
    this.#joined = new Set();
    for (const key of groupsBefore ?? []) if (!joined.has(key)) this.#leave(target, key);
    if (joined.size > 0) this.#groupsOf.set(target, joined);
    else this.#groupsOf.delete(target);
  }

  /** Returns the targets with references that must be resolved again, because they may select now, or may not any more. */
  takeChanged(): ReadonlySet<Target> {
    const differing = new Set<Target>();
    for (const key of this.#touched) {
      const group = this.#groups.get(key);
      if (group === undefined) continue;
      const refused = youngest(group.members);
      for (const target of group.members) if (refused.has(target) !== group.refused.has(target)) differing.add(target);
      group.refused = refused;
    }
    this.#touched.clear();
    return differing;
  }

  #leave(target: Target, key: string): void {
    const group = this.#groups.get(key);
    if (group === undefined) return;
    if (group.refused.size > 0) this.#touched.add(key);
    group.members.delete(target);
    if (group.members.size === 0) this.#groups.delete(key);
  }
}

/** Returns the targets beyond the limit, by age and then by locator. */
function youngest(targets: ReadonlySet<Target>): Set<Target> {
  if (targets.size <= maxSelecting) return new Set();
  return new Set(sortedBy(targets, ({ locator, resource }) => ageOf(locator, resource)).slice(maxSelecting));
}
