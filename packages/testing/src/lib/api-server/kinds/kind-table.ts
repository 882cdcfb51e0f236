import type { Store } from '../store.ts';
import {
  builtInKinds,
  byPriority,
  definitions,
  kindOfDefinition,
  resourceKey,
  type ServedKind,
} from './served-kind.ts';

/** The kinds that are served now: the built-in ones, and those that CustomResourceDefinitions in the store define. */
export class KindTable {
  readonly #kinds = new Map<string, ServedKind>(builtInKinds.map((kind) => [resourceKey(kind), kind]));

  /** @param onRemove Called when the definition of a kind is removed. */
  constructor(store: Store, onRemove: (kind: ServedKind) => void) {
    store.listen(({ resource, previous, current }) => {
      if (resource !== resourceKey(definitions)) return;
      const [old, renewed] = [previous, current].map((entry) => entry && kindOfDefinition(entry.object));
      if (renewed !== undefined) this.#kinds.set(resourceKey(renewed), renewed);
      else if (old !== undefined && this.#kinds.delete(resourceKey(old))) onRemove(old);
    });
  }

  /** All kinds, by group and then as they came. */
  get all(): readonly ServedKind[] {
    return [...this.#kinds.values()];
  }

  /** Returns the kind of a URL. */
  served(group: string, version: string, plural: string): ServedKind | undefined {
    const kind = this.#kinds.get(resourceKey({ group, plural }));
    return kind?.versions.includes(version) ? kind : undefined;
  }

  /** Returns the kind with a name, in any spelling. */
  named({ group, kind }: { readonly group: string; readonly kind: string }): ServedKind | undefined {
    return this.all.find((each) => each.group === group && each.kind.toLowerCase() === kind.toLowerCase());
  }

  /** Returns the kind that a text names by its plural, with or without its group. */
  withPlural(plural: string): ServedKind | undefined {
    return this.#kinds.get(plural) ?? this.all.find((each) => each.plural === plural);
  }

  /** The groups and their versions, the preferred one first. */
  get groups(): ReadonlyMap<string, readonly string[]> {
    const groups = new Map<string, Set<string>>();
    for (const { group, versions } of this.all) {
      const groupVersions = groups.get(group) ?? new Set();
      groups.set(group, groupVersions);
      for (const version of versions) groupVersions.add(version);
    }
    return new Map([...groups].map(([group, versions]) => [group, [...versions].sort(byPriority)]));
  }
}

/** Returns the `apiVersion` of objects: `gateway.networking.k8s.io/v1`, or the version alone in the core group. */
export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
