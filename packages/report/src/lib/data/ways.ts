import type { Path } from '@policy-machinery/topology';
import { internedLists } from './interned.ts';
import type { Names } from './names.ts';
import type { Patch } from './patch.ts';

/** The ways that lead to targets, as a tree: ways share their beginnings. */
export class Ways {
  readonly #steps = internedLists<readonly [before: number, node: number]>();
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  /** How much there is in lists that only grow. */
  get weight(): number {
    return this.#steps.weight;
  }

  get rows(): readonly (readonly [before: number, node: number])[] {
    return this.#steps.values;
  }

  /** Returns the changes after the last call. */
  take(): Patch | undefined {
    return this.#steps.take();
  }

  /** Returns the index of the way of a path to its last target; -1 if the path begins there. Objects before sections are left out. */
  to(path: Path): number {
    const object = path.at(-1)?.object;
    let place = -1;
    for (const [index, target] of path.entries()) {
      if (target.object === object || path[index + 1]?.object === target) continue;
      place = this.#steps.place([place, this.#names.node(target)]);
    }
    return place;
  }
}
