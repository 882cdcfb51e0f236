import { type FieldOrigin, listOrigins, type Origins } from '@policy-machinery/merge';
import type { PlacedLayer } from './layout.ts';

type Entry<Spec> = FieldOrigin<PlacedLayer<Spec>>;

/** Lists who set what. That a layer set a field is one entry for all contexts: these are many, and their lists are kept. */
export class OriginLists<Spec> {
  readonly #entries = new WeakMap<Entry<Spec>['by'], Map<string, Entry<Spec>>>();

  /** As {@link listOrigins}. */
  of(origins: Origins<PlacedLayer<Spec>>): readonly Entry<Spec>[] {
    return listOrigins(origins).map((entry) => this.#shared(entry)); // A list without room to spare.
  }

  #shared(entry: Entry<Spec>): Entry<Spec> {
    const { by, pointer, removed } = entry;
    const entries = this.#entries.get(by);
    const known = entries?.get(pointer);
    if (known?.removed === removed) return known;
    if (entries === undefined) this.#entries.set(by, new Map([[pointer, entry]]));
    else entries.set(pointer, entry);
    return entry;
  }
}
