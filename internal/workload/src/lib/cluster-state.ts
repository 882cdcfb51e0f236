import { type GroupKind, type KubernetesObject, locatorOf } from '@policy-machinery/resource';

/** The resources of a cluster at one moment, by kind and namespace. Objects come and go in O(1). */
export class ClusterState {
  readonly #all = new Shelf();
  readonly #shelves = new Map<string, Shelf>();

  /** @param resources What is there in the beginning. */
  constructor(resources: Iterable<KubernetesObject> = []) {
    for (const resource of resources) this.upsert(resource);
  }

  /** All resources, in no order that means anything. A view that changes. */
  get all(): readonly KubernetesObject[] {
    return this.#all.items;
  }

  /** Returns the resources of a kind: all, or those of one namespace. A view that changes. */
  list({ kind }: Pick<GroupKind, 'kind'>, namespace?: string): readonly KubernetesObject[] {
    return this.#shelves.get(namespace === undefined ? kind : `${kind} ${namespace}`)?.items ?? [];
  }

  /** Returns whether there is a resource of this kind and name. */
  has(resource: KubernetesObject): boolean {
    return this.#all.has(locatorOf(resource));
  }

  upsert(resource: KubernetesObject): void {
    const locator = locatorOf(resource);
    for (const shelf of this.#shelvesOf(resource)) shelf.put(locator, resource);
  }

  remove(resource: KubernetesObject): void {
    const locator = locatorOf(resource);
    for (const shelf of this.#shelvesOf(resource)) shelf.take(locator);
  }

  #shelvesOf({ kind, metadata: { namespace } }: KubernetesObject): readonly Shelf[] {
    const keys = namespace === undefined ? [kind] : [kind, `${kind} ${namespace}`];
    return [
      this.#all,
      ...keys.map((key) => {
        const shelf = this.#shelves.get(key) ?? new Shelf();
        this.#shelves.set(key, shelf);
        return shelf;
      }),
    ];
  }
}

/** A list that knows where each object is. The last one fills the place of one that goes. */
class Shelf {
  readonly items: KubernetesObject[] = [];
  readonly #places = new Map<string, number>();

  has(locator: string): boolean {
    return this.#places.has(locator);
  }

  put(locator: string, resource: KubernetesObject): void {
    const place = this.#places.get(locator) ?? this.items.length;
    this.#places.set(locator, place);
    this.items[place] = resource;
  }

  take(locator: string): void {
    const place = this.#places.get(locator);
    if (place === undefined) return;
    const last = this.items.pop() as KubernetesObject;
    if (place < this.items.length) {
      this.items[place] = last;
      this.#places.set(locatorOf(last), place);
    }
    this.#places.delete(locator);
  }
}
