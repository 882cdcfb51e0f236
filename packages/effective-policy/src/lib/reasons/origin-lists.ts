import { type FieldOrigin, type OriginLeaf, type Origins, visitOrigins } from '@policy-machinery/merge';
import type { ContextLayer } from '../fold/context-layer.ts';

type Entry<Spec> = FieldOrigin<ContextLayer<Spec>>;

/** Lists who set what. That a layer set a field is one entry for all contexts: these are many, and their lists are kept. */
export class OriginLists<Spec> {
  readonly #entries = new WeakMap<Entry<Spec>['by'], Map<string, Entry<Spec>>>();

  /** As `listOrigins`. */
  of(origins: Origins<ContextLayer<Spec>>): readonly Entry<Spec>[] {
    const list: Entry<Spec>[] = [];
    visitOrigins(origins, (leaf, pointer) => list.push(this.#shared(leaf, pointer)));
    return list.slice(); // Without room to spare.
  }

  #shared(leaf: OriginLeaf<ContextLayer<Spec>>, pointer: string): Entry<Spec> {
    const { by } = leaf;
    const removed = leaf.removed === true;
    const entries = this.#entries.get(by) ?? new Map<string, Entry<Spec>>();
    const known = entries.get(pointer);
    if (known?.removed === removed) return known;
    const entry = { pointer, by, removed };
    if (entries.size === 0) this.#entries.set(by, entries);
    entries.set(pointer, entry);
    return entry;
  }
}
