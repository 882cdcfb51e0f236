import type { TargetNode } from '@policy-machinery/topology';
import type { Stack } from './stack.ts';

/** The stacks of a target; `undefined` if it has too many contexts, or is below one that has. */
export type Found<Spec> = readonly Stack<Spec>[] | undefined;

/**
 * The stacks of targets that have been asked for. Those of the sections of an object are found together, and kept once where all are the same,
 * as usual: most targets are sections.
 */
export class FoundStacks<Spec> {
  readonly #ofObjects = new Map<TargetNode, Found<Spec>>();
  /** By their object: one for all of its sections, or one for each of those that are known. */
  readonly #ofSections = new Map<TargetNode, Found<Spec> | Map<TargetNode, Found<Spec>>>();

  has(target: TargetNode): boolean {
    const { object, section } = target;
    if (section === undefined) return this.#ofObjects.has(object);
    const found = this.#ofSections.get(object);
    return found instanceof Map ? found.has(target) : this.#ofSections.has(object);
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

  /** Whether the stacks of any section of an object are known. */
  hasSections(object: TargetNode): boolean {
    return this.#ofSections.has(object);
  }

  /** Keeps the stacks of all sections of an object. */
  setSections(object: TargetNode, found: Map<TargetNode, Found<Spec>>): void {
    const [first] = found.values();
    const areAlike = [...found.values()].every((it) => it === first);
    this.#ofSections.set(object, areAlike ? first : found);
  }

  /** Keeps the stacks of a section, where those of other sections are known. */
  setSection(section: TargetNode, found: Found<Spec>): void {
    this.#oneByOne(section.object).set(section, found);
  }

  forget(target: TargetNode): void {
    const { object, section } = target;
    if (section === undefined) this.#ofObjects.delete(object);
    else if (this.#ofSections.has(object)) {
      const found = this.#oneByOne(object);
      found.delete(target);
      if (found.size === 0) this.#ofSections.delete(object);
    }
  }

  /** The stacks of the sections of an object, section by section. */
  #oneByOne(object: TargetNode): Map<TargetNode, Found<Spec>> {
    const found = this.#ofSections.get(object);
    if (found instanceof Map) return found;
    const byOne = new Map(object.sections.map((section) => [section, found as Found<Spec>]));
    this.#ofSections.set(object, byOne);
    return byOne;
  }

  /** The objects, and those that have sections, of which something has been found. */
  get objects(): ReadonlySet<TargetNode> {
    return new Set([...this.#ofObjects.keys(), ...this.#ofSections.keys()]);
  }
}
