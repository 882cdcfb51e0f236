import { groupKindKey, type KubernetesObject, type ResourceScope } from '@policy-machinery/resource';
import type { ListInfo } from './kind-handlers.ts';
import { isOlder } from './resource-version.ts';
import type { WatchedKind } from './watched-kind.ts';

/**
 * The objects of one kind, by locator. An object is never replaced by an older version of itself, whichever way versions arrive:
 * late events, answers to writes, an API server that lags behind others.
 */
export class KindStore {
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #prefix: string;
  readonly #onChange: (locator: string, was: KubernetesObject | undefined) => void;
  /** The scope of the kind, once it is known. */
  scope: ResourceScope = 'Namespaced';

  /**
   * @param onChange Called after each change with the locator and the object that was there before.
   */
  constructor(kind: WatchedKind, onChange: (locator: string, was: KubernetesObject | undefined) => void) {
    this.#prefix = `${groupKindKey(kind)}:`;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(locator: string): KubernetesObject | undefined {
    return this.#objects.get(locator);
  }

  values(): IterableIterator<KubernetesObject> {
    return this.#objects.values();
  }

  /** Takes an object from a watch, unless the store has a newer one. */
  upsert(object: KubernetesObject): void {
    const locator = this.#locatorOf(object);
    const stored = this.#objects.get(locator);
    if (stored !== undefined && !isChange(stored, object)) return;
    this.#objects.set(locator, object);
    this.#onChange(locator, stored);
  }

  /** Removes an object after a watch has reported its deletion, unless the store has one that is newer than the deletion. */
  remove(object: KubernetesObject): void {
    const locator = this.#locatorOf(object);
    const stored = this.#objects.get(locator);
    if (stored === undefined || isOlder(object.metadata.resourceVersion, stored.metadata.resourceVersion)) return;
    this.#objects.delete(locator);
    this.#onChange(locator, stored);
  }

  /** Takes an object from the answer to a write. Never adds an object: one that is not in the store has been deleted, or is not known yet. */
  writeBack(object: KubernetesObject): void {
    const stored = this.#objects.get(this.#locatorOf(object));
    if (stored !== undefined && stored.metadata.uid === object.metadata.uid) this.upsert(object);
  }

  /**
   * Replaces all objects by a complete list, in one step. The list decides about every object that is not newer than the list itself: if it
   * shows an older version of one, the API server has lost the newer version.
   *
   * @param objects The list.
   * @param info Its version: objects that are newer stay, unless the history of the API server was set back.
   */
  replace(objects: Iterable<KubernetesObject>, { resourceVersion, isRewound }: ListInfo): void {
    const listed = new Set<string>();
    for (const object of objects) {
      const locator = this.#locatorOf(object);
      listed.add(locator);
      const stored = this.#objects.get(locator);
      const isListNewer = isRewound || !isOlder(resourceVersion, stored?.metadata.resourceVersion);
      if (stored !== undefined && (isListNewer ? isSame(stored, object) : !isChange(stored, object))) continue;
      this.#objects.set(locator, object);
      this.#onChange(locator, stored);
    }
    for (const [locator, stored] of this.#objects) {
      if (listed.has(locator)) continue;
      if (!isRewound && isOlder(resourceVersion, stored.metadata.resourceVersion)) continue;
      this.#objects.delete(locator);
      this.#onChange(locator, stored);
    }
  }

  #locatorOf({ metadata }: KubernetesObject): string {
    if (this.scope === 'Cluster') return this.#prefix + metadata.name;
    return `${this.#prefix}${metadata.namespace || 'default'}/${metadata.name}`;
  }
}

/** Returns whether an object takes the place of the known one: a newer version, or one without an order with it. */
function isChange(stored: KubernetesObject, object: KubernetesObject): boolean {
  return !isSame(stored, object) && !isOlder(object.metadata.resourceVersion, stored.metadata.resourceVersion);
}

function isSame({ metadata: stored }: KubernetesObject, { metadata }: KubernetesObject): boolean {
  return stored.resourceVersion === metadata.resourceVersion && stored.uid === metadata.uid;
}
