import type { SourceChanges } from '@policy-machinery/cluster';
import type { Policy } from '@policy-machinery/policy-kind';
import {
  formatLocator,
  type GroupKind,
  groupKindKey,
  type KubernetesObject,
  locatorOf,
  parseLocator,
  type ResourceRef,
} from '@policy-machinery/resource';
import { listKey, objectReader, type ReadSources } from './object-reader.ts';
import { ReadLog } from './read-log.ts';
import type { ChangedObject, ObjectReader, Watch } from './watch.ts';

/** The consequences of changes of watched objects. All are locators. */
export interface Consequences {
  /** The policies to ask for verdicts again; `all` after a mapping has failed, because any of them may depend on the change. */
  readonly policies: readonly string[] | 'all';
  /** The targets that `onEffective` is called for again. */
  readonly targets: readonly string[];
}

export interface WatchesContext {
  readonly watches: readonly Watch[];
  /** Further kinds that are watched: targets, policies. */
  readonly others: readonly GroupKind[];
  /** Takes the error of a function of a watch, with the object that it was called for. */
  readonly onFailure: (locator: string, error: unknown) => void;
}

/** The kinds that a controller watches beside targets and policies, and the effects of their changes. */
export class Watches {
  readonly reader: ObjectReader;
  readonly #watches: ReadonlyMap<string, Watch>;
  readonly #kinds: ReadonlySet<string>;
  readonly #onFailure: (locator: string, error: unknown) => void;
  readonly #log = new ReadLog();
  #sources: ReadSources = noSources;

  constructor({ watches, others, onFailure }: WatchesContext) {
    this.#onFailure = onFailure;
    this.#watches = new Map(watches.map((it) => [groupKindKey(it.kind), it]));
    this.#kinds = new Set([...this.#watches.keys(), ...others.map(groupKindKey)]);
    this.reader = objectReader(this.#kinds, () => this.#sources);
  }

  /** Has readers read from sources. Before, they find no objects. */
  readFrom(sources: ReadSources): void {
    this.#sources = sources;
  }

  /** Returns a reader for the verdict on a policy. The verdict is asked for again when something that it has read changes. */
  readerFor({ locator }: Pick<Policy<unknown>, 'locator'>): ObjectReader {
    return objectReader(
      this.#kinds,
      () => this.#sources,
      (key) => this.#log.add(locator, key),
    );
  }

  /** Returns the effects of changes of the cluster. Policies that are gone are forgotten. O(changes). */
  take({ upsert, remove }: Pick<SourceChanges, 'upsert' | 'remove'>): Consequences {
    const policies = new Set<string>();
    const targets = new Set<string>();
    let hasFailed = false;
    for (const changed of [...upsert.map((it) => changeOf(locatorOf(it), it)), ...remove.map((it) => changeOf(it))]) {
      for (const policy of this.#log.take(keysOf(changed))) policies.add(policy);
      try {
        const watch = this.#watches.get(kindKeyOf(changed));
        for (const policy of watch?.reconsider?.(changed) ?? []) policies.add(locatorIn(policy));
        for (const target of watch?.requeue?.(changed) ?? []) targets.add(locatorIn(target));
      } catch (error) {
        hasFailed = true;
        this.#onFailure(changed.locator, error);
      }
    }
    for (const locator of remove) this.#log.forget(locator);
    return { policies: hasFailed ? 'all' : [...policies], targets: [...targets] };
  }
}

const noSources: ReadSources = { get: () => undefined, objects: () => [] };

function changeOf(locator: string, object?: KubernetesObject): ChangedObject {
  return { ref: parseLocator(locator), locator, object };
}

function kindKeyOf({ locator }: ChangedObject): string {
  return locator.slice(0, locator.indexOf(':'));
}

function keysOf(changed: ChangedObject): readonly string[] {
  const kind = kindKeyOf(changed);
  return [changed.locator, listKey(kind, undefined), listKey(kind, changed.ref.namespace)];
}

function locatorIn(ref: ResourceRef | string): string {
  if (typeof ref !== 'string') return formatLocator(ref);
  parseLocator(ref); // A malformed locator must not pass for one of a missing object.
  return ref;
}
