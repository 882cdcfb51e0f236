import type { ServerObject } from './objects.ts';

/** One version of an object, with its JSON, which is created once for all clients. */
export class Entry {
  readonly object: ServerObject;
  readonly #texts = new Map<string, string>();

  constructor(object: ServerObject) {
    this.object = object;
  }

  /** Returns the object as of a later write, which it took no part in or went with. */
  at(revision: number): Entry {
    const metadata = { ...this.object.metadata, resourceVersion: String(revision) };
    return new Entry({ ...this.object, metadata });
  }

  /** Returns the object in a version of its API: all versions have the same fields. */
  in(apiVersion: string): ServerObject {
    return this.object.apiVersion === apiVersion ? this.object : { ...this.object, apiVersion };
  }

  json(apiVersion: string): string {
    const knownText = this.#texts.get(apiVersion);
    if (knownText !== undefined) return knownText;
    const text = JSON.stringify(this.in(apiVersion));
    this.#texts.set(apiVersion, text);
    return text;
  }
}

/** A write: an object came, changed or went. */
export interface Change {
  readonly revision: number;
  /** The key of the kind. */
  readonly resource: string;
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string;
  readonly previous?: Entry;
  readonly current?: Entry;
  /** The deleted object, with the version of its deletion. */
  readonly last?: Entry;
}

export type Listener = (change: Change) => void;

/** The objects by kind, and the writes after the last compaction: the etcd of this API server. */
export class Store {
  #revision: number;
  #compacted: number;
  #changes: Change[] = [];
  readonly #objects = new Map<string, Map<string, Entry>>();
  readonly #listeners = new Set<Listener>();

  constructor(revision: number) {
    this.#revision = revision;
    this.#compacted = revision;
  }

  /** The number of writes so far: the `resourceVersion` of the last one. */
  get revision(): number {
    return this.#revision;
  }

  /** The last version with a forgotten state, unless it is the present one: only later writes are known. */
  get compacted(): number {
    return this.#compacted;
  }

  get(resource: string, key: string): Entry | undefined {
    return this.#objects.get(resource)?.get(key);
  }

  /** Returns the objects of a kind in the order of their keys, as they were at a version that is not compacted. */
  list(resource: string, revision = this.#revision): readonly (readonly [key: string, entry: Entry])[] {
    const state = new Map(this.#objects.get(resource));
    for (const { key, previous } of this.#changesAfter(revision, resource).reverse()) {
      if (previous === undefined) state.delete(key);
      else state.set(key, previous);
    }
    return [...state].sort(([key], [other]) => (key < other ? -1 : 1));
  }

  /** Returns the writes to a kind after a version that is not compacted, in their order. */
  changesAfter(revision: number, resource: string): readonly Change[] {
    return this.#changesAfter(revision, resource);
  }

  /** Stores an object under the next version, which `make` is given. */
  put(resource: string, key: string, make: (resourceVersion: string) => ServerObject): Entry {
    const revision = this.#revision + 1;
    const current = new Entry(make(String(revision)));
    const previous = this.get(resource, key);
    const objects = this.#objects.get(resource) ?? new Map<string, Entry>();
    this.#objects.set(resource, objects.set(key, current));
    this.#add({ revision, resource, key, ...(previous === undefined ? {} : { previous }), current });
    return current;
  }

  remove(resource: string, key: string): Entry | undefined {
    const previous = this.get(resource, key);
    if (previous === undefined) return undefined;
    const revision = this.#revision + 1;
    const last = previous.at(revision);
    this.#objects.get(resource)?.delete(key);
    this.#add({ revision, resource, key, previous, last });
    return last;
  }

  /** Forgets all writes so far. */
  compact(): void {
    this.#compacted = this.#revision;
    this.#changes = [];
  }

  /** Calls a function after each write. Returns a function that ends the calls. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #changesAfter(revision: number, resource: string): Change[] {
    // Each write has the next version, so that its place is known.
    const later = this.#changes.slice(Math.max(0, revision - this.#compacted));
    return later.filter((change) => change.resource === resource);
  }

  #add(change: Change): void {
    this.#revision = change.revision;
    this.#changes.push(change);
    for (const listener of this.#listeners) listener(change);
  }
}
