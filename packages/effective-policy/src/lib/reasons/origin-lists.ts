import type { FieldOrigin, OriginLeaf, Origins } from '@policy-machinery/merge';
import { visitOrigins } from '@policy-machinery/merge/inner';
import type { ContextLayer } from '../fold/context-layer.ts';

type Entry<Spec> = FieldOrigin<ContextLayer<Spec>>;

/** Lists the origins of specs. All contexts share one entry for a field and the layers that set it: there are many lists, and they are kept. */
export class OriginLists<Spec> {
  readonly #entries = new WeakMap<Entry<Spec>['by'], Map<string, Entry<Spec>>>();

  /** Like `listOrigins`, but remembered. */
  of(origins: Origins<ContextLayer<Spec>>): readonly Entry<Spec>[] {
    const list: Entry<Spec>[] = [];
    visitOrigins(origins, (leaf, pointer) => list.push(this.#shared(leaf, pointer)));
    return list.slice(); // A copy is without spare capacity.
  }

  #shared(leaf: OriginLeaf<ContextLayer<Spec>>, pointer: string): Entry<Spec> {
    const { by } = leaf;
    const removed = leaf.removed === true;
    const entries = this.#entries.get(by) ?? new Map<string, Entry<Spec>>();
    const knownEntry = entries.get(pointer);
    if (knownEntry?.removed === removed) return knownEntry;
    const entry = { pointer, by, removed };
    if (entries.size === 0) this.#entries.set(by, entries);
    entries.set(pointer, entry);
    return entry;
  }
}
