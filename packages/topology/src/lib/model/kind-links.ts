import { closureOf } from '../support/closure.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { emptySet } from '../support/nothing.ts';
import type { TargetKind } from './target-kind.ts';

/** The pairs of kinds with links. Targets can only form a cycle if their kinds do, so usually no search for cycles is needed. */
export class KindLinks {
  readonly #below = new Map<TargetKind, Set<TargetKind>>();
  /** The kinds that links lead to from each kind, directly or not, as far as they were asked for. */
  readonly #reached = new Map<TargetKind, ReadonlySet<TargetKind>>();

  readonly #next = (kind: TargetKind): ReadonlySet<TargetKind> => this.#below.get(kind) ?? emptySet;
  readonly #allBelow = (kind: TargetKind): ReadonlySet<TargetKind> => closureOf(this.#next(kind), this.#next);

  /** Records that there are links between two kinds. Returns whether this is new. */
  add(above: TargetKind, below: TargetKind): boolean {
    if (this.#below.get(above)?.has(below) === true) return false;
    getOrInsert(this.#below, above, () => new Set<TargetKind>()).add(below);
    this.#reached.clear();
    return true;
  }

  /** Returns whether links can lead, directly or not, from one kind of target to another. */
  leadsTo(above: TargetKind, below: TargetKind): boolean {
    return getOrInsert(this.#reached, above, this.#allBelow).has(below);
  }

  /** The kinds that may be part of cycles. */
  get kindsInCycles(): readonly TargetKind[] {
    return [...this.#below.keys()].filter((kind) => this.leadsTo(kind, kind));
  }
}
