import type { WholeTarget } from './target.ts';
import type { TargetKind } from './target-kind.ts';

/** A namespace as those know it that are in it, whether or not the topology holds it; or the place of all that is in none. */
export interface Home {
  readonly name: string | undefined;
  namespace: WholeTarget | undefined;
  /** The whole resources in it, by kind and name. */
  readonly members: Map<TargetKind, Map<string, WholeTarget>>;
}

/** The whole resources of a topology by namespace, kind and name: nobody need write down a locator to find one. */
export class Homes {
  readonly #namespaces = new Map<string, Home>();
  readonly #cluster = homeNamed(undefined);

  /** A whole resource; cluster-scoped ones are in no namespace. O(1). */
  find(kind: TargetKind, namespace: string | undefined, name: string): WholeTarget | undefined {
    return this.#at(namespace)?.members.get(kind)?.get(name);
  }

  /** The whole resources in a namespace. */
  *membersOf(namespace: string): Generator<WholeTarget> {
    for (const ofKind of this.#namespaces.get(namespace)?.members.values() ?? []) yield* ofKind.values();
  }

  /** All whole resources. */
  *all(): Generator<WholeTarget> {
    for (const { members } of [this.#cluster, ...this.#namespaces.values()]) {
      for (const ofKind of members.values()) yield* ofKind.values();
    }
  }

  /** A namespace that something is to be in. */
  home(name: string | undefined): Home {
    const known = this.#at(name);
    if (name === undefined || known !== undefined) return known ?? this.#cluster;
    const home = homeNamed(name);
    this.#namespaces.set(name, home);
    return home;
  }

  add(target: WholeTarget): void {
    const { members } = target.home;
    const there = members.get(target.kind);
    if (there === undefined) members.set(target.kind, new Map([[target.resource.metadata.name, target]]));
    else there.set(target.resource.metadata.name, target);
  }

  remove({ home, kind, resource }: WholeTarget): void {
    const there = home.members.get(kind);
    if (there?.delete(resource.metadata.name) && there.size === 0) home.members.delete(kind);
    this.forgetEmpty(home);
  }

  /** Forgets a namespace that is not there, and that nothing is in. */
  forgetEmpty({ name, namespace, members }: Home): void {
    if (name !== undefined && namespace === undefined && members.size === 0) this.#namespaces.delete(name);
  }

  #at(namespace: string | undefined): Home | undefined {
    return namespace === undefined ? this.#cluster : this.#namespaces.get(namespace);
  }
}

function homeNamed(name: string | undefined): Home {
  return { name, namespace: undefined, members: new Map() };
}
