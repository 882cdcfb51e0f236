import { type GroupKind, groupKindKey, pluralOf } from '@policy-machinery/resource';
import type { Kinds } from '../model/kinds.ts';
import type { RequiredKind } from '../model/required-kind.ts';

/** The kinds that a topology needs, and which of them have been listed. */
export class Listing {
  readonly #kinds: Kinds;
  /** All kinds that resources are needed of, in the order in which they are best listed: no virtual ones. */
  readonly required: readonly RequiredKind[];
  /** By key; `undefined` as long as nothing has been listed: then the topology counts as complete. */
  #listed: Set<string> | undefined;

  /** @param listed Keys of the kinds that have been listed. Default: kinds are not listed at all. */
  constructor(kinds: Kinds, listed?: Iterable<string>) {
    this.#kinds = kinds;
    this.required = requiredBy(kinds);
    this.#listed = listed && new Set(listed);
  }

  /** Records that kinds are listed from now on: those that have not been are missing. */
  begin(): Set<string> {
    this.#listed ??= new Set();
    return this.#listed;
  }

  /** Records that all resources of a kind are there. */
  add(kind: GroupKind): void {
    this.begin().add(groupKindKey(kind));
  }

  /** The same for other resources. */
  copy(): Listing {
    return new Listing(this.#kinds, this.#listed);
  }

  /** The kinds that are not listed yet. */
  get missing(): readonly RequiredKind[] {
    const listed = this.#listed;
    return listed === undefined ? [] : this.required.filter((kind) => !listed.has(groupKindKey(kind)));
  }

  /** Those of them on which policies of a kind depend: all but other kinds of policies. */
  missingFor(policyKind: GroupKind): readonly RequiredKind[] {
    const own = groupKindKey(policyKind);
    const { targets, policies, areDerived } = this.#kinds;
    return this.missing.filter((kind) => {
      const key = groupKindKey(kind);
      // Virtual targets may follow from anything.
      return key === own || areDerived || targets.has(key) || !policies.has(key);
    });
  }
}

function requiredBy({ targets, policies, background, loadOrder }: Kinds): readonly RequiredKind[] {
  return loadOrder.flatMap((key) => {
    const known = targets.get(key) ?? policies.get(key) ?? background.get(key);
    if (known === undefined || targets.get(key)?.derive !== undefined) return [];
    const { group, kind, plural = pluralOf(kind), versions = ['v1'], scope } = known;
    return [{ group, kind, plural, versions, scope }];
  });
}
