import type { TargetKind } from '../model/target-kind.ts';
import { getOrInsert } from '../support/get-or-insert.ts';

/**
 * The pairs of kinds with links, now or earlier. Targets can only form a cycle if their kinds do, so usually no search for cycles is needed.
 */
export class KindLinks {
  /** The kinds that each kind links to, and whether links can lead back. */
  readonly #mayBeInCycle = new Map<TargetKind, Map<TargetKind, boolean>>();

  /**
   * Records that there are links between two kinds.
   *
   * @returns Whether more kinds can form cycles now.
   */
  add(above: TargetKind, below: TargetKind): boolean {
    getOrInsert(this.#mayBeInCycle, above, () => new Map<TargetKind, boolean>()).set(below, false);
    let isNew = false;
    for (const [from, tos] of this.#mayBeInCycle) {
      for (const [to, before] of tos) {
        const now = this.#reaches(to, from);
        tos.set(to, now);
        isNew ||= now && !before;
      }
    }
    return isNew;
  }

  /** Returns whether links between two kinds may be part of a cycle; `undefined` if there were no such links. */
  mayBeInCycle(above: TargetKind, below: TargetKind): boolean | undefined {
    return this.#mayBeInCycle.get(above)?.get(below);
  }

  /** The kinds that may be part of cycles. */
  get kindsInCycles(): readonly TargetKind[] {
    return [...this.#mayBeInCycle].flatMap(([kind, tos]) => ([...tos.values()].includes(true) ? [kind] : []));
  }

  /** Returns whether links can lead, directly or not, from targets of one kind to those of another. */
  leadsTo(above: TargetKind, below: TargetKind): boolean {
    return [...(this.#mayBeInCycle.get(above)?.keys() ?? [])].some((next) => this.#reaches(next, below));
  }

  #reaches(from: TargetKind, sought: TargetKind): boolean {
    const reached = new Set([from]);
    for (const kind of reached) for (const next of this.#mayBeInCycle.get(kind)?.keys() ?? []) reached.add(next);
    return reached.has(sought);
  }
}
