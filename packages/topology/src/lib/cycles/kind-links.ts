import type { TargetKind } from '../model/target-kind.ts';
import { getOrInsert } from '../support/get-or-insert.ts';

/**
 * Between which kinds there are, or have been, links. Kinds between which no cycle leads cannot hold one, and so usually no cycle
 * need be looked for.
 */
export class KindLinks {
  /** From above to below; whether a way leads back. */
  readonly #mayBeInCycle = new Map<TargetKind, Map<TargetKind, boolean>>();

  /**
   * Records that there are links between two kinds.
   *
   * @returns Whether links may cycle now that could not before.
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

  /** Whether links between two kinds may be part of a cycle; `undefined` where none are known. */
  mayBeInCycle(above: TargetKind, below: TargetKind): boolean | undefined {
    return this.#mayBeInCycle.get(above)?.get(below);
  }

  /** The kinds that may hold cycles. */
  get kindsInCycles(): readonly TargetKind[] {
    return [...this.#mayBeInCycle].flatMap(([kind, tos]) => ([...tos.values()].includes(true) ? [kind] : []));
  }

  /** Whether links may lead, at once or on the way, from targets of one kind to those of another. */
  leadsTo(above: TargetKind, below: TargetKind): boolean {
    return [...(this.#mayBeInCycle.get(above)?.keys() ?? [])].some((next) => this.#reaches(next, below));
  }

  #reaches(from: TargetKind, sought: TargetKind): boolean {
    const reached = new Set([from]);
    for (const kind of reached) for (const next of this.#mayBeInCycle.get(kind)?.keys() ?? []) reached.add(next);
    return reached.has(sought);
  }
}
