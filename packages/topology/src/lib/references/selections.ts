import { type GroupKind, groupKindKey, type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import type { SelectedTargets } from '../model/reference.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { Named } from '../targets/named.ts';
import type { WholeTarget } from '../targets/target.ts';

/**
 * An index for selectors, by terms: a kind, a kind in a namespace, a kind with a label. Each term of a selector leads to a superset of the
 * selection. The index is built on the first question.
 */
export class Selections {
  readonly #all: () => Iterable<WholeTarget>;
  #byTerm: Map<string, Named<WholeTarget>> | undefined;

  /** @param objects Returns all current whole resources. */
  constructor(objects: () => Iterable<WholeTarget>) {
    this.#all = objects;
  }

  /** Whether the index was built. */
  get isUsed(): boolean {
    return this.#byTerm !== undefined;
  }

  /**
   * Returns a superset of the targets that a selector selects, in the order of locators. The first question is O(targets and their labels), others
   * O(terms), or O(n log n) for n candidates after a change.
   */
  candidates(terms: readonly string[]): readonly WholeTarget[] {
    const index = this.#byTerm ?? this.#indexed();
    const sets = terms.map((term) => index.get(term));
    const least = sets.reduce((some, other) => ((other?.size ?? 0) < (some?.size ?? 0) ? other : some));
    return least?.inOrder ?? [];
  }

  add(target: WholeTarget): void {
    if (this.#byTerm === undefined) return;
    for (const term of termsOf(target.resource)) {
      getOrInsert(this.#byTerm, term, () => new Named<WholeTarget>()).set(target.locator, target);
    }
  }

  /** Removes a whole resource, or its earlier version. */
  remove(target: WholeTarget, resource: KubernetesObject): void {
    for (const term of this.#byTerm === undefined ? [] : termsOf(resource)) {
      const targets = this.#byTerm?.get(term);
      targets?.delete(target.locator);
      if (targets?.size === 0) this.#byTerm?.delete(term);
    }
  }

  #indexed(): Map<string, Named<WholeTarget>> {
    this.#byTerm = new Map();
    for (const target of this.#all()) this.add(target);
    return this.#byTerm;
  }
}

export function termsOf(resource: KubernetesObject): readonly string[] {
  const { apiVersion, kind, metadata } = resource;
  const slash = apiVersion.indexOf('/');
  const key = groupKindKey({ group: slash < 0 ? '' : apiVersion.slice(0, slash), kind });
  const labels = Object.entries(metadata.labels ?? {}).map(([label, value]) => labelTerm(key, label, value));
  return [kindTerm(key), namespaceTerm(key, namespaceOf(resource)), ...labels];
}

/** Returns the terms of a selector, the narrowest sort last. `isNamespaced`: whether the selected kind is namespaced. */
export function termsIn(
  selector: SelectedTargets,
  namespace: string | undefined,
  isNamespaced: boolean,
): readonly [string, ...string[]] {
  const key = groupKindKey(selector satisfies GroupKind);
  const isSame = isNamespaced && selector.namespaces.from === 'Same' && namespace !== undefined;
  return [
    kindTerm(key),
    ...(isSame ? [namespaceTerm(key, namespace)] : []),
    ...Object.entries(selector.matchLabels ?? {}).map(([label, value]) => labelTerm(key, label, value)),
  ];
}

const kindTerm = (kind: string): string => JSON.stringify([kind]);
const namespaceTerm = (kind: string, namespace: string): string => JSON.stringify([kind, namespace]);
const labelTerm = (kind: string, label: string, value: string): string => JSON.stringify([kind, label, value]);
