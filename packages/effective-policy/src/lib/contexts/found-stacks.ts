import type { TargetNode } from '@policy-machinery/topology';
import type { Stack } from './stack.ts';

/** The stacks of a target; `undefined` if it has too many contexts, or is below one that has. */
export type Found<Spec> = readonly Stack<Spec>[] | undefined;

/**
 * The stacks of targets that have been asked for. Those of the sections of an object are found together, and kept as one list where all have the
 * same, as usual: most targets are sections.
 */
export class FoundStacks<Spec> {
  readonly #ofObjects = new Map<TargetNode, Found<Spec>>();
  /** By their object. */
  readonly #ofSections = new Map<TargetNode, Found<Spec> | ReadonlyMap<TargetNode, Found<Spec>>>();

  has({ object, section }: TargetNode): boolean {
    return section === undefined ? this.#ofObjects.has(object) : this.#ofSections.has(object);
  }

  get(target: TargetNode): Found<Spec> {
    const { object, section } = target;
    if (section === undefined) return this.#ofObjects.get(object);
    const found = this.#ofSections.get(object);
    return found instanceof Map ? found.get(target) : (found as Found<Spec>);
  }

  setObject(object: TargetNode, found: Found<Spec>): void {
    this.#ofObjects.set(object, found);
  }

  setSections(object: TargetNode, found: ReadonlyMap<TargetNode, Found<Spec>>): void {
    const [first] = found.values();
    const areAlike = [...found.values()].every((it) => it === first);
    this.#ofSections.set(object, areAlike ? first : found);
  }

  /** Forgets a target; with a section, all those of its object. */
  forget({ object, section }: TargetNode): void {
    if (section === undefined) this.#ofObjects.delete(object);
    else this.#ofSections.delete(object);
  }

  /** The objects, and those that have sections, of which something has been found. */
  get objects(): ReadonlySet<TargetNode> {
    return new Set([...this.#ofObjects.keys(), ...this.#ofSections.keys()]);
  }
}
