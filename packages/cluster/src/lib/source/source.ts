import { isJsonObject, type KubernetesObject } from '@policy-machinery/resource';
import type { ApiResource } from '../discovery/api-resource.ts';
import type { KindHandlers, SourceObserver } from './kind-handlers.ts';
import { KindStore } from './kind-store.ts';
import { readObject } from './object-reader.ts';
import { Reflector, type ReflectorContext } from './reflector.ts';
import { combinedState, type SourceState } from './source-state.ts';
import type { WatchedKind } from './watched-kind.ts';

type OnChange = (locator: string, was: KubernetesObject | undefined) => void;

/** The objects of a kind, in one part for each namespace that is read on its own. */
export class Source {
  readonly kind: WatchedKind;
  /** The parts: one for each of the kind's namespaces, or one for all. */
  readonly parts: readonly SourcePart[];
  /** How the kind is served; `undefined` as long as that is not known. */
  resource: ApiResource | undefined;

  /** @param onChange Called after each change with the locator and the object that was there before. */
  constructor(kind: WatchedKind, onChange: OnChange) {
    this.kind = kind;
    const namespaces = kind.namespaces === undefined ? [undefined] : [...new Set(kind.namespaces)];
    this.parts = namespaces.map((namespace) => new SourcePart(this, namespace, new KindStore(kind, onChange)));
  }

  /** Keeps the objects up to date until the signal aborts. Never rejects. */
  async run(context: Omit<ReflectorContext, 'namespace'>, onState: (state: SourceState) => void): Promise<void> {
    const reflectors = this.parts.map((part) => {
      return new Reflector(this.kind, part.handlers(onState), { ...context, namespace: part.namespace });
    });
    await Promise.all(reflectors.map((reflector) => reflector.run()));
  }

  get size(): number {
    return this.parts.reduce((size, { store }) => size + store.size, 0);
  }

  get(locator: string): KubernetesObject | undefined {
    for (const { store } of this.parts) {
      const object = store.get(locator);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  *objects(): Iterable<KubernetesObject> {
    for (const { store } of this.parts) yield* store.values();
  }

  /** Takes an object from the answer to a write. It may be changed. Ignored if it is not an object. */
  writeBack(body: unknown, observer: SourceObserver): void {
    if (this.resource === undefined || !isJsonObject(body)) return;
    const object = readObject(body, this.kind, this.resource, observer);
    if (object !== undefined) for (const { store } of this.parts) store.writeBack(object);
  }
}

/** The objects of a kind in one namespace, or in all. */
export class SourcePart {
  readonly namespace: string | undefined;
  readonly store: KindStore;
  readonly #source: Source;
  #state: SourceState | undefined;

  constructor(source: Source, namespace: string | undefined, store: KindStore) {
    this.#source = source;
    this.namespace = namespace;
    this.store = store;
  }

  /** Returns the handlers of a reflector that keeps this part up to date. */
  handlers(onState: (state: SourceState) => void): KindHandlers {
    const { store } = this;
    return {
      onReplace: (objects, info) => store.replace(objects, info),
      onUpsert: (object) => store.upsert(object),
      onRemove: (object) => store.remove(object),
      onResource: (resource) => {
        this.#source.resource = resource;
        store.scope = resource.namespaced ? 'Namespaced' : 'Cluster';
      },
      onState: (state) => {
        this.#state = state;
        onState(combinedState(this.#source.parts.map((part) => part.#state ?? state)));
      },
    };
  }
}
