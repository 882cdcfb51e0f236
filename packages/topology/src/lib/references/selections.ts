import { type GroupKind, groupKindKey, type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import type { SelectedTargets } from '../model/reference.ts';
import { byLocator } from '../model/target-node.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import type { WholeTarget } from '../targets/target.ts';

/**
 * What can be selected, by terms: a kind, a kind in a namespace, a kind with a label. Each term of a selector leads to a superset
 * of what it selects. Nothing is indexed before someone asks for the first time.
 */
export class Selections {
  readonly #all: () => Iterable<WholeTarget>;
  #byTerm: Map<string, Selected> | undefined;

  /** @param all All whole resources, at any time. */
  constructor(all: () => Iterable<WholeTarget>) {
    this.#all = all;
  }

  /** Whether anyone has asked. */
  get isUsed(): boolean {
    return this.#byTerm !== undefined;
  }

  /**
   * A superset of what a selector selects, in the order of locators. The first question is O(targets and their labels), others O(terms), or
   * O(n log n) for n candidates that have changed.
   */
  candidates(terms: readonly string[]): readonly WholeTarget[] {
    const index = this.#byTerm ?? this.#indexed();
    const sets = terms.map((term) => index.get(term));
    const least = sets.reduce((one, other) => ((other?.targets.size ?? 0) < (one?.targets.size ?? 0) ? other : one));
    if (least === undefined) return [];
    least.inOrder ??= [...least.targets].sort(byLocator);
    return least.inOrder;
  }

  /** Records that a whole resource has come. */
  add(target: WholeTarget): void {
    if (this.#byTerm === undefined) return;
    for (const term of termsOf(target.resource)) {
      const selected = getOrInsert(this.#byTerm, term, (): Selected => ({ targets: new Set(), inOrder: undefined }));
      selected.targets.add(target);
      selected.inOrder = undefined;
    }
  }

  /** Records that a whole resource is gone, or was another before. */
  remove(target: WholeTarget, resource: KubernetesObject): void {
    if (this.#byTerm === undefined) return;
    for (const term of termsOf(resource)) {
      const there = this.#byTerm.get(term);
      if (there === undefined) continue;
      there.targets.delete(target);
      there.inOrder = undefined;
      if (there.targets.size === 0) this.#byTerm.delete(term);
    }
  }

  #indexed(): Map<string, Selected> {
    this.#byTerm = new Map();
    for (const target of this.#all()) this.add(target);
    return this.#byTerm;
  }
}

/** What has one term. */
interface Selected {
  readonly targets: Set<WholeTarget>;
  /** The same in the order of locators, once someone has asked for it. */
  inOrder: readonly WholeTarget[] | undefined;
}

/** The terms that a resource has. */
export function termsOf(resource: KubernetesObject): readonly string[] {
  const { apiVersion, kind, metadata } = resource;
  const slash = apiVersion.indexOf('/');
  const key = groupKindKey({ group: slash < 0 ? '' : apiVersion.slice(0, slash), kind });
  const labels = Object.entries(metadata.labels ?? {}).map(([label, value]) => labelTerm(key, label, value));
  return [kindTerm(key), namespaceTerm(key, namespaceOf(resource)), ...labels];
}

/** The terms of a selector, the narrowest kind of them last. `isNamespaced`: whether what it selects is in namespaces. */
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
