import { pointersIn } from '@policy-machinery/merge/inner';
import type { ContextLayer, TracedSpec } from '../fold/context-layer.ts';
import { isWithin } from '../support/pointers.ts';

/**
 * The layers that yielded to others with an equal value. An equal value is not a loss, so these layers lose the value when its holder does, to the
 * same winner.
 */
export class EqualValues<Spec> {
  readonly #bySpec = new Map<TracedSpec<Spec>, Map<string, readonly ContextLayer<Spec>[]>>();

  /** Records that a layer set a value that a result has from another layer. */
  add(layer: ContextLayer<Spec>, pointer: string, result: TracedSpec<Spec>): void {
    const layers = this.#bySpec.get(result) ?? new Map<string, readonly ContextLayer<Spec>[]>();
    this.#bySpec.set(result, layers);
    const layersAt = layers.get(pointer) ?? [];
    if (!layersAt.includes(layer)) layers.set(pointer, [...layersAt, layer]);
  }

  in(spec: TracedSpec<Spec>): readonly ContextLayer<Spec>[] {
    const layers = this.#bySpec.get(spec);
    return layers === undefined ? none : [...new Set([...layers.values()].flat())];
  }

  /** Returns a function that finds the layers with an equal value at, in or around a field of a merge, by the place of the field in the result. */
  at(side: TracedSpec<Spec>, result: TracedSpec<Spec>): (pointer: string) => readonly ContextLayer<Spec>[] {
    const layers = this.#bySpec.get(side);
    if (layers === undefined) return () => none;
    const places = pointersIn([...layers.keys()], side, result);
    const placed = [...layers.values()].map((some, index) => ({ some, place: places[index] ?? '' }));
    return (pointer) => {
      const agreeing = placed.filter(({ place }) => isWithin(place, pointer) || isWithin(pointer, place));
      return agreeing.length === 0 ? none : [...new Set(agreeing.flatMap(({ some }) => some))];
    };
  }
}

const none: readonly never[] = [];
