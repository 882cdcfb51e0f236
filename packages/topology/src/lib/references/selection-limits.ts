import { ageOf } from '../model/age.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { sortedBy } from '../support/sorted-by.ts';
import type { Target } from '../targets/target.ts';

/** So many references of one namespace may select by the same term: each child that they select has as many parents at most. */
export const maxSelecting = 64;

/** Those who select by one term from one namespace. */
interface Group {
  readonly members: Set<Target>;
  /** Those whose references select nothing, for there are too many older ones. */
  refused: Set<Target>;
}

/**
 * Who may select. Of the targets in one namespace whose references select by the same term, the oldest may, so that what is linked grows
 * with the cluster and not with its square. Those of other namespaces make no difference, and neither does what there is to select.
 */
export class SelectionLimits {
  readonly #groups = new Map<string, Group>();
  readonly #groupsOf = new Map<Target, Set<string>>();
  /** The groups that have to be looked at. */
  readonly #touched = new Set<string>();
  /** The groups that the target joins whose references are being resolved. */
  #joined = new Set<string>();

  /** Whether a target may select by a term, as far as is known now: {@link takeChanged} says what is to be resolved again. */
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

  /** Records that the references of a target have been resolved, or are no more: it is in no groups but those that it has joined since. */
  finish(target: Target): void {
    if (this.#groupsOf.size === 0 && this.#joined.size === 0) return; // Usually nothing selects.
    const before = this.#groupsOf.get(target);
    if (before === undefined && this.#joined.size === 0) return;
    const joined = this.#joined;
    this.#joined = new Set();
    for (const key of before ?? []) if (!joined.has(key)) this.#leave(target, key);
    if (joined.size > 0) this.#groupsOf.set(target, joined);
    else this.#groupsOf.delete(target);
  }

  /** The targets whose references must be resolved again, for they may select now, or no longer. */
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

/** Those behind the first ones, by age and then by locator. */
function youngest(targets: ReadonlySet<Target>): Set<Target> {
  if (targets.size <= maxSelecting) return new Set();
  return new Set(sortedBy(targets, ({ locator, resource }) => ageOf(locator, resource)).slice(maxSelecting));
}
