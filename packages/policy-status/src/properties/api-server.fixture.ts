import { type GroupKind, groupKindKey, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import jsonpatch, { type Operation } from 'fast-json-patch';
import type { StatusWrite } from '../lib/status/status-write.ts';

/** An API server with optimistic concurrency, whose watches deliver events to a topology on demand. */
export class ApiServer {
  readonly #topology: Topology;
  readonly #objects = new Map<string, KubernetesObject>();
  /** The versions that the watch of each object has not delivered yet; `undefined` for its deletion. */
  readonly #events = new Map<string, (KubernetesObject | undefined)[]>();
  #version = 0;

  constructor(topology: Topology) {
    this.#topology = topology;
  }

  get objects(): readonly KubernetesObject[] {
    return [...this.#objects.values()];
  }

  /** Creates or changes an object as another client. The status is kept. */
  put(object: KubernetesObject): KubernetesObject {
    const locator = locatorOf(object);
    const status = object.status ?? this.#objects.get(locator)?.status;
    const metadata = { ...object.metadata, resourceVersion: String(++this.#version) };
    const stored = { ...object, metadata, ...(status === undefined ? {} : { status }) };
    this.#objects.set(locator, stored);
    this.#tell(locator, stored);
    return stored;
  }

  /** Another client deletes an object. */
  delete(locator: string): void {
    if (this.#objects.delete(locator)) this.#tell(locator, undefined);
  }

  /** Carries out the JSON Patch of a write. Returns nothing where there is a conflict, or no such object. */
  patch({ locator, patch }: StatusWrite): KubernetesObject | undefined {
    const before = this.#objects.get(locator);
    const [guard] = patch;
    if (guard?.op !== 'replace' || guard.path !== '/metadata/resourceVersion') throw new Error('no precondition');
    if (before === undefined || guard.value !== before.metadata.resourceVersion) return undefined;
    const copy = JSON.parse(JSON.stringify(before)) as KubernetesObject; // No shared parts.
    return this.put(jsonpatch.applyPatch(copy, patch as Operation[], true).newDocument);
  }

  /** Delivers the next events of some objects, each in its order. */
  tell(isTold: (locator: string) => boolean): void {
    for (const [locator, events] of this.#events) {
      if (!isTold(locator)) continue;
      const event = events.shift();
      this.#topology.apply(event === undefined ? { remove: [locator] } : { upsert: [event] });
      if (events.length === 0) this.#events.delete(locator);
    }
  }

  /** The topology is given a complete list of a kind, after which the watch of the kind begins. */
  list(kind: GroupKind): void {
    const key = groupKindKey(kind);
    const isOfKind = (locator: string) => locator.startsWith(`${key}:`);
    for (const locator of [...this.#events.keys()].filter(isOfKind)) this.#events.delete(locator);
    this.#topology.replace(
      kind,
      [...this.#objects].filter(([locator]) => isOfKind(locator)).map(([, it]) => it),
    );
  }

  /** Delivers all events. */
  tellAll(): void {
    while (this.#events.size > 0) this.tell(() => true);
  }

  #tell(locator: string, event: KubernetesObject | undefined): void {
    const events = this.#events.get(locator) ?? [];
    this.#events.set(locator, [...events, event]);
  }
}
