import { groupKindKey } from '@policy-machinery/resource';
import type { TargetKind } from '../model/target-kind.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { none } from '../support/nothing.ts';
import { Named } from './named.ts';
import type { NamespaceEntry, WholeTarget } from './target.ts';

/** The whole resources of a topology by namespace, kind and name, so that finding one needs no locator. */
export class NamespaceIndex {
  readonly #namespaces = new Map<string, NamespaceEntry>();
  readonly #cluster = entryNamed(undefined);
  /** The namespace that was found last: references from one namespace usually lead to targets of one namespace. */
  #last: NamespaceEntry | undefined;

  /** Returns a whole resource; `namespace` is `undefined` for cluster-scoped kinds. O(1). */
  find(kind: TargetKind, namespace: string | undefined, name: string): WholeTarget | undefined {
    return this.#at(namespace)?.members.get(kind)?.get(name);
  }

  /** Returns the whole resources in a namespace, in no order. */
  *membersOf(namespace: string): Generator<WholeTarget> {
    for (const ofKind of this.#namespaces.get(namespace)?.members.values() ?? []) yield* ofKind.values();
  }

  /**
   * Returns the whole resources of some kinds, in the order of their locators.
   *
   * @param kinds The kinds. Default: all.
   */
  *of(kinds: Iterable<TargetKind> = this.#kinds()): Generator<WholeTarget> {
    const namespaces = [this.#cluster, ...[...this.#namespaces.values()].sort(byPrefix)];
    const lists = [...new Set(kinds)]
      .sort(byPrefixOfKind)
      .flatMap((kind) => namespaces.map(({ members }) => members.get(kind)?.inOrder ?? none));
    for (const list of lists) for (const target of list) yield target;
  }

  *#kinds(): Iterable<TargetKind> {
    for (const { members } of [this.#cluster, ...this.#namespaces.values()]) yield* members.keys();
  }

  /** Returns a namespace, and creates it if necessary. */
  entry(name: string | undefined): NamespaceEntry {
    return name === undefined ? this.#cluster : getOrInsert(this.#namespaces, name, entryNamed);
  }

  add(target: WholeTarget): void {
    const { members } = target.namespaceEntry;
    const ofKind = getOrInsert(members, target.kind, () => new Named<WholeTarget>());
    ofKind.set(target.resource.metadata.name, target);
  }

  remove({ namespaceEntry: entry, kind, resource }: WholeTarget): void {
    const members = entry.members.get(kind);
    members?.delete(resource.metadata.name);
    if (members?.size === 0) entry.members.delete(kind);
    this.forgetEmpty(entry);
  }

  /** Forgets a namespace without resources that the topology does not hold. */
  forgetEmpty({ name, containers, members }: NamespaceEntry): void {
    if (name !== undefined && containers.length === 0 && members.size === 0) {
      this.#namespaces.delete(name);
      this.#last = undefined;
    }
  }

  #at(namespace: string | undefined): NamespaceEntry | undefined {
    if (namespace === undefined) return this.#cluster;
    if (this.#last?.name !== namespace) this.#last = this.#namespaces.get(namespace);
    return this.#last;
  }
}

function entryNamed(name: string | undefined): NamespaceEntry {
  return { name, containers: none, members: new Map() };
}

/** Compares kinds in the order of their locators. The colon that ends a kind in a locator decides if one key is a prefix of the other. */
function byPrefixOfKind(a: TargetKind, b: TargetKind): number {
  return `${groupKindKey(a)}:` < `${groupKindKey(b)}:` ? -1 : 1;
}

/** Compares namespaces in the order of locators. The slash after a namespace decides if one name is a prefix of the other. */
function byPrefix(a: NamespaceEntry, b: NamespaceEntry): number {
  return `${a.name}/` < `${b.name}/` ? -1 : 1;
}
