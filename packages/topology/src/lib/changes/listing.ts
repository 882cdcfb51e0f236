import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import { pluralOf } from '@policy-machinery/resource/inner';
import type { Kinds } from '../model/kinds.ts';
import type { RequiredKind } from '../model/required-kind.ts';
import { isVirtualKind } from '../model/target-kind.ts';

/** The kinds that a topology needs, and those that have been listed. */
export class Listing {
  readonly #kinds: Kinds;
  /** The kinds of the resources that the topology needs, without virtual kinds, in the best order of listing. */
  readonly required: readonly RequiredKind[];
  /** The listed kinds by key; `undefined` before the first list, when the topology counts as complete. */
  #listed: Set<string> | undefined;

  /** @param listed The keys of the listed kinds. Default: none. */
  constructor(kinds: Kinds, listed?: Iterable<string>) {
    this.#kinds = kinds;
    this.required = requiredBy(kinds);
    this.#listed = listed && new Set(listed);
  }

  /** Records that kinds are listed from now on, so that the others are missing. */
  begin(): Set<string> {
    this.#listed ??= new Set();
    return this.#listed;
  }

  /** Records that a kind has been listed. */
  add(kind: GroupKind): void {
    this.begin().add(groupKindKey(kind));
  }

  /** Returns a copy, for a store of other resources. */
  copy(): Listing {
    return new Listing(this.#kinds, this.#listed);
  }

  /** The kinds that have not been listed. */
  get missing(): readonly RequiredKind[] {
    const listed = this.#listed;
    return listed === undefined ? [] : this.required.filter((kind) => !listed.has(groupKindKey(kind)));
  }

  /** Returns the kinds that have not been listed and that policies of a kind depend on: all but other policy kinds. */
  missingFor(policyKind: GroupKind): readonly RequiredKind[] {
    const policyKey = groupKindKey(policyKind);
    const { targets, policies, areDerived } = this.#kinds;
    return this.missing.filter((kind) => {
      const key = groupKindKey(kind);
      // Virtual targets may be derived from any kind.
      return key === policyKey || areDerived || targets.has(key) || !policies.has(key);
    });
  }
}

function requiredBy({ targets, policies, background, loadOrder }: Kinds): readonly RequiredKind[] {
  return loadOrder.flatMap((key) => {
    const listedKind = targets.get(key) ?? policies.get(key) ?? background.get(key);
    const target = targets.get(key);
    if (listedKind === undefined || (target !== undefined && isVirtualKind(target))) return [];
    const { group, kind, plural = pluralOf(kind), versions = ['v1'], scope } = listedKind;
    return [{ group, kind, plural, versions, scope }];
  });
}
