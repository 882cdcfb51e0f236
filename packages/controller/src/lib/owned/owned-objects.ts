import type { Sources, WriteQueue } from '@policy-machinery/cluster';
import {
  formatGroupKind,
  type GroupKind,
  groupKindKey,
  groupKindOf,
  type KubernetesObject,
  locatorOf,
  PolicyMachineryError,
} from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { targetIn } from '../effective/target-context.ts';
import type { OpenQueue } from '../open-queue.ts';
import {
  applying,
  bodyOf,
  deleting,
  holds,
  isForeign,
  isMarked,
  type OwnedMarks,
  type OwnedWrite,
} from './owned-write.ts';

export interface OwnedContext {
  readonly kinds: readonly GroupKind[];
  readonly marks: OwnedMarks;
  readonly topology: Topology;
  /** Whether some effective policy applies to a context, by its key. */
  readonly isInUse: (context: string) => boolean;
  /** Whether this process writes the objects of a target, by its locator. */
  readonly answersFor: (target: string) => boolean;
  readonly sources: Pick<Sources, 'get'>;
  readonly openQueue: OpenQueue<OwnedWrite>;
  /** Takes an object of others that has the name of one that a target wants. */
  readonly onForeign: (locator: string, target: string) => void;
}

/**
 * The objects that a controller owns, for each target. They are created, brought back when others change or delete them, and deleted when their
 * target is gone or no longer wants them. An object is only deleted if its target is gone, or the target's wanted objects are known.
 */
export class OwnedObjects {
  readonly #context: OwnedContext;
  readonly #kinds: ReadonlySet<string>;
  readonly #queue: WriteQueue<OwnedWrite>;
  /** The wanted objects of each target, by locator. */
  readonly #wanted = new Map<string, ReadonlyMap<string, KubernetesObject>>();
  /** The target of each wanted object. */
  readonly #contexts = new Map<string, string>();
  /** The objects that the cluster has for each target, as far as the controller owns them. */
  readonly #live = new Map<string, Set<string>>();
  /** The target of each of these objects. */
  readonly #liveContexts = new Map<string, string>();
  /** The contexts of each target that have had objects. */
  readonly #byTarget = new Map<string, Set<string>>();
  /** The owned objects that have changed and were not checked yet. */
  readonly #changed = new Set<string>();

  constructor(context: OwnedContext) {
    this.#context = context;
    this.#kinds = new Set(context.kinds.map(groupKindKey));
    this.#queue = context.openQueue(({ locator }) => this.#changed.add(locator));
  }

  /**
   * Sets the objects that a context of a target has.
   *
   * @param context The key of the context.
   * @returns A function that takes this back, as if it had not been called.
   * @throws {PolicyMachineryError} `unowned-kind`, if the kind of an object is not among `owns`; `owned-twice`, if it belongs to another context.
   */
  apply(context: string, objects: readonly KubernetesObject[]): () => void {
    const node = this.#context.topology.get(targetIn(context));
    const replaced = this.#wanted.get(context);
    const wanted = node === undefined ? new Map<string, KubernetesObject>() : this.#bodiesFor(node, context, objects);
    this.#want(context, wanted);
    return () => this.#takeBack(context, wanted, replaced);
  }

  #takeBack(
    context: string,
    wanted: ReadonlyMap<string, KubernetesObject>,
    replaced: ReadonlyMap<string, KubernetesObject> | undefined,
  ): void {
    for (const locator of wanted.keys()) this.#queue.cancel(locator);
    this.#want(context, replaced ?? new Map());
    if (replaced !== undefined) return;
    for (const locator of this.#live.get(context) ?? []) this.#queue.cancel(locator); // Its wanted objects are not known.
    this.#wanted.delete(context);
  }

  #bodiesFor(
    target: TargetNode,
    context: string,
    objects: readonly KubernetesObject[],
  ): ReadonlyMap<string, KubernetesObject> {
    const bodies = new Map<string, KubernetesObject>();
    for (const object of objects) {
      const kind = groupKindOf(object);
      const locator = locatorOf(object);
      if (!this.#kinds.has(groupKindKey(kind))) {
        const message = `the controller owns no ${formatGroupKind(kind)}; add the kind to owns`;
        throw new PolicyMachineryError('unowned-kind', message);
      }
      const other = this.#contexts.get(locator) ?? context;
      if (other !== context) {
        const message = `${locator} is applied for ${other} and for ${context}; name it by its target and its data plane`;
        throw new PolicyMachineryError('owned-twice', message);
      }
      bodies.set(locator, bodyOf(object, target, context, this.#context.marks));
    }
    return bodies;
  }

  #want(target: string, wanted: ReadonlyMap<string, KubernetesObject>): void {
    this.#index(target);
    const replaced = this.#wanted.get(target) ?? new Map<string, KubernetesObject>();
    for (const locator of replaced.keys()) this.#contexts.delete(locator);
    for (const locator of wanted.keys()) this.#contexts.set(locator, target);
    if (wanted.size > 0 || this.#context.isInUse(target)) this.#wanted.set(target, wanted);
    else this.#wanted.delete(target);
    for (const locator of new Set([...replaced.keys(), ...wanted.keys(), ...(this.#live.get(target) ?? [])]))
      this.#look(locator);
  }

  #index(context: string): void {
    const target = targetIn(context);
    this.#byTarget.set(target, (this.#byTarget.get(target) ?? new Set()).add(context));
  }

  /** Takes the locators of objects that have come, changed or gone. */
  changed(locators: Iterable<string>): void {
    const { sources, marks } = this.#context;
    for (const locator of locators) {
      if (!this.#kinds.has(locator.slice(0, locator.indexOf(':')))) continue;
      this.#changed.add(locator);
      const live = sources.get(locator);
      this.#isOf(locator, isMarked(live, marks) ? live.metadata.annotations?.[marks.target] : undefined);
    }
  }

  /** Records the target that an object of the cluster belongs to; `undefined` if the object does not exist any more. */
  #isOf(locator: string, target: string | undefined): void {
    const oldTarget = this.#liveContexts.get(locator);
    if (oldTarget !== undefined && oldTarget !== target) {
      this.#live.get(oldTarget)?.delete(locator);
      if (this.#live.get(oldTarget)?.size === 0) this.#live.delete(oldTarget);
      this.#liveContexts.delete(locator);
    }
    if (target === undefined) return;
    this.#index(target);
    this.#liveContexts.set(locator, target);
    this.#live.set(target, (this.#live.get(target) ?? new Set()).add(locator));
  }

  /** Deletes the objects of those contexts of targets that nothing applies to any more. */
  released(targets: Iterable<string>): void {
    for (const target of targets) {
      for (const context of this.#byTarget.get(target) ?? [])
        if (!this.#context.isInUse(context)) this.#want(context, new Map());
    }
  }

  /** Checks the changed objects, or all, and queues the writes that follow. */
  plan(isEverything: boolean): void {
    if (isEverything)
      for (const locator of [...this.#liveContexts.keys(), ...this.#contexts.keys()]) this.#changed.add(locator);
    for (const locator of this.#changed) this.#look(locator);
    this.#changed.clear();
  }

  /** Forgets the wanted objects of targets: another process decides from now on. */
  forget(): void {
    this.#wanted.clear();
    this.#contexts.clear();
  }

  #look(locator: string): void {
    const { sources, marks, isInUse, answersFor, onForeign } = this.#context;
    const object = sources.get(locator);
    const live = isMarked(object, marks) ? object : undefined;
    const target = this.#contexts.get(locator) ?? live?.metadata.annotations?.[marks.target];
    if (target === undefined || !answersFor(targetIn(target))) return;
    const wanted = this.#wanted.get(target);
    const body = wanted?.get(locator);
    if (body !== undefined && isForeign(object, marks)) {
      this.#queue.cancel(locator);
      onForeign(locator, targetIn(target));
    } else if (body !== undefined) {
      if (object !== undefined && holds(object, body)) this.#queue.cancel(locator);
      else this.#queue.write(applying(body, target));
    } else if (
      live !== undefined &&
      live.metadata.deletionTimestamp == null &&
      (wanted !== undefined || !isInUse(target))
    ) {
      this.#queue.write(deleting(live, target));
    }
  }
}
