import type { TargetKind } from '../model/target-kind.ts';

/**
 * Between which kinds there are, or have been, links. Kinds between which no loop leads cannot hold one, and so as a rule no loop
 * need be looked for.
 */
export class KindLinks {
  /** From above to beneath; whether a way leads back. */
  readonly #mayLoop = new Map<TargetKind, Map<TargetKind, boolean>>();

  /**
   * Takes down that there are links between two kinds.
   *
   * @returns Whether links may loop now that could not before.
   */
  add(above: TargetKind, beneath: TargetKind): boolean {
    this.#mayLoop.set(above, (this.#mayLoop.get(above) ?? new Map<TargetKind, boolean>()).set(beneath, false));
    let isNew = false;
    for (const [from, tos] of this.#mayLoop) {
      for (const [to, before] of tos) {
        const now = this.#reaches(to, from);
        tos.set(to, now);
        isNew ||= now && !before;
      }
    }
    return isNew;
  }

  /** Whether links between two kinds may be part of a loop; `undefined` where none are known. */
  mayLoop(above: TargetKind, beneath: TargetKind): boolean | undefined {
    return this.#mayLoop.get(above)?.get(beneath);
  }

  /** The kinds that may hold loops. */
  get looping(): readonly TargetKind[] {
    return [...this.#mayLoop].flatMap(([kind, tos]) => ([...tos.values()].includes(true) ? [kind] : []));
  }

  /** Whether links may lead, at once or on the way, from targets of one kind to those of another. */
  leadsTo(above: TargetKind, beneath: TargetKind): boolean {
    return [...(this.#mayLoop.get(above)?.keys() ?? [])].some((next) => this.#reaches(next, beneath));
  }

  #reaches(from: TargetKind, sought: TargetKind): boolean {
    const reached = new Set([from]);
    for (const kind of reached) for (const next of this.#mayLoop.get(kind)?.keys() ?? []) reached.add(next);
    return reached.has(sought);
  }
}
