import type { TargetNode } from '@policy-machinery/topology';
import type { Stack } from './stack.ts';

/** The stacks of a target; `undefined` if the target has too many contexts, or is below a target with too many. */
export type Found<Spec> = readonly Stack<Spec>[] | undefined;

/**
 * The known stacks of targets. The stacks of all sections of an object are found together, and kept once if they are the same. Usually they
 * are, and most targets are sections.
 */
export class FoundStacks<Spec> {
  readonly #ofObjects = new Map<TargetNode, Found<Spec>>();
  /** The stacks of sections, by object: one list for all sections, or one for each known section. */
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

  /** Returns whether the stacks of a section of an object are known. */
  hasSections(object: TargetNode): boolean {
    return this.#ofSections.has(object);
  }

  /** Sets the stacks of all sections of an object. */
  setSections(object: TargetNode, found: Map<TargetNode, Found<Spec>>): void {
    const [first] = found.values();
    const areAlike = [...found.values()].every((it) => it === first);
    this.#ofSections.set(object, areAlike ? first : found);
  }

  /** Sets the stacks of a section of an object with other known sections. */
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

  /** Returns the stacks of an object's sections, by section. */
  #oneByOne(object: TargetNode): Map<TargetNode, Found<Spec>> {
    const found = this.#ofSections.get(object);
    if (found instanceof Map) return found;
    const byOne = new Map(object.sections.map((section) => [section, found as Found<Spec>]));
    this.#ofSections.set(object, byOne);
    return byOne;
  }

  /** The objects with known stacks, or with sections that have known stacks. */
  get objects(): ReadonlySet<TargetNode> {
    return new Set([...this.#ofObjects.keys(), ...this.#ofSections.keys()]);
  }
}
