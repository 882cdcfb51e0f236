import type { ObjectWrite, Sources, WriteQueue } from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { groupKindKey, locatorOf } from '@policy-machinery/resource';
import { isSectionKind, type TargetKind } from '@policy-machinery/topology';
import { targetableKey } from '@policy-machinery/topology/inner';
import type { OpenQueue } from '../open-queue.ts';
import { finalizerWrite, hasFinalizer } from './finalizer-write.ts';

export interface FinalizersContext {
  readonly name: string;
  readonly views: readonly EffectivePolicies<unknown>[];
  readonly sources: Pick<Sources, 'get' | 'objects'>;
  readonly openQueue: OpenQueue<ObjectWrite>;
  /** Whether the data plane hears of a target only when the target's object has the finalizer: not if nothing is written. */
  readonly isWaitedFor: boolean;
}

/** The finalizers, as the calls for the targets of one policy kind use them. */
export interface TargetClaims {
  readonly finalizer: string;
  /** Returns whether the deletion of a target's object has begun, so that nothing applies to the target any more. */
  isEnding(target: string): boolean;
  /** Returns whether the data plane may be told about a target; if its object lacks the finalizer, queues a write that adds it. */
  isReady(target: string): boolean;
  /** Records that the data plane is told about a target: the finalizer stays until {@link release}. */
  claim(target: string): void;
  /** Records that the data plane has been told that nothing applies to targets any more. */
  release(targets: Iterable<string>): void;
  /** Claims the targets that an earlier process may have told the data plane about, because their objects have the finalizer. Returns these targets. */
  recover(): readonly string[];
}

/**
 * Keeps a finalizer on the objects of targets for as long as a data plane outside of the cluster may have something of them. It is the only record of
 * that which survives the process: an object that is deleted in the meantime still exists, also if its policies are gone.
 */
export class Finalizers {
  readonly #context: FinalizersContext;
  readonly #kinds: ReadonlySet<string>;
  readonly #queue: WriteQueue<ObjectWrite>;
  /** The claims on each object: a policy kind with a target. */
  readonly #claims = new Map<string, Map<string, string>>();
  /** The objects that have changed and were not checked yet. */
  readonly #changed = new Set<string>();

  constructor(context: FinalizersContext) {
    this.#context = context;
    this.#kinds = new Set(context.views.flatMap((view) => finalizedKinds(view.kind)).map(groupKindKey));
    this.#queue = context.openQueue(({ locator }) => this.#changed.add(locator));
  }

  claimsFor(view: EffectivePolicies<unknown>): TargetClaims {
    const kind = groupKindKey(view.kind);
    return {
      finalizer: this.#context.name,
      isEnding: (target) => this.#isEnding(objectOf(target)),
      isReady: (target) => view.of(target).length === 0 || this.#isReady(objectOf(target)),
      claim: (target) => this.#claim(kind, target),
      release: (targets) => this.#release(kind, targets),
      recover: () => {
        const targets = [...this.#heldObjects(view)].flatMap((object) => targetsAt(view, object));
        for (const target of targets) this.#claim(kind, target);
        return targets;
      },
    };
  }

  /**
   * Takes the locators of objects that have come, changed or gone.
   *
   * @returns The claimed targets with objects that are being deleted: the data plane must be told.
   */
  changed(locators: Iterable<string>): readonly string[] {
    const ending: string[] = [];
    for (const locator of locators) {
      if (!this.#kinds.has(locator.slice(0, locator.indexOf(':')))) continue;
      this.#changed.add(locator);
      if (this.#isEnding(locator)) ending.push(...(this.#claims.get(locator)?.values() ?? []));
    }
    return ending;
  }

  /** Checks the changed objects, or all, and queues the writes that follow. */
  plan(isEverything: boolean): void {
    if (isEverything) {
      for (const view of this.#context.views) for (const object of this.#heldObjects(view)) this.#changed.add(object);
      for (const object of this.#claims.keys()) this.#changed.add(object);
    }
    for (const object of this.#changed) this.#look(object);
    this.#changed.clear();
  }

  /** Forgets all claims: another process calls from now on. */
  forget(): void {
    this.#claims.clear();
    this.#changed.clear();
  }

  #isEnding(object: string): boolean {
    return this.#context.sources.get(object)?.metadata.deletionTimestamp != null;
  }

  #isReady(object: string): boolean {
    const { name, isWaitedFor, sources } = this.#context;
    const live = sources.get(object);
    if (live === undefined || hasFinalizer(live, name) || this.#isEnding(object)) return true; // Virtual targets are without an object.
    this.#look(object);
    return !isWaitedFor;
  }

  #claim(kind: string, target: string): void {
    const object = objectOf(target);
    this.#claims.set(object, (this.#claims.get(object) ?? new Map()).set(`${kind} ${target}`, target));
  }

  #release(kind: string, targets: Iterable<string>): void {
    const objects = new Set<string>();
    for (const target of targets) {
      const object = objectOf(target);
      objects.add(object);
      const claims = this.#claims.get(object);
      claims?.delete(`${kind} ${target}`);
      if (claims?.size === 0) this.#claims.delete(object);
    }
    for (const object of objects) this.#look(object);
  }

  /** Returns the objects with the finalizer that a policy kind may have put it on. */
  *#heldObjects(view: EffectivePolicies<unknown>): Iterable<string> {
    const { name, sources } = this.#context;
    for (const kind of finalizedKinds(view.kind)) {
      for (const object of sources.objects(kind)) if (hasFinalizer(object, name)) yield locatorOf(object);
    }
  }

  #look(object: string): void {
    const { name, sources } = this.#context;
    const live = sources.get(object);
    if (live === undefined) this.#claims.delete(object);
    const isEnding = this.#isEnding(object);
    const isNeeded = this.#claims.has(object) || (!isEnding && this.#isInUse(object));
    const has = live !== undefined && hasFinalizer(live, name);
    if (live === undefined || has === isNeeded || (isEnding && !has)) this.#queue.cancel(object);
    else this.#queue.write(finalizerWrite(live, name, has ? 'remove' : 'add'));
  }

  /** Returns whether some effective policy applies to an object or to a section of it. */
  #isInUse(object: string): boolean {
    return this.#context.views.some((view) => {
      const node = view.topology.get(object);
      return node !== undefined && [node, ...node.sections].some((it) => view.of(it.locator).length > 0);
    });
  }
}

/** Returns the kinds of objects that a policy kind's effective targets are, or are sections of; without kinds that no API server has. */
export function finalizedKinds({ effectiveTargets }: EffectivePolicies<unknown>['kind']): readonly TargetKind[] {
  const objects = effectiveTargets.map((target) => (isSectionKind(target) ? target.of : target));
  return [...new Map(objects.filter(({ derive }) => !derive).map((kind) => [groupKindKey(kind), kind])).values()];
}

/** Returns the effective targets at an object; the object itself if there are none, such as when its sections are gone. */
function targetsAt({ topology, kind }: EffectivePolicies<unknown>, object: string): readonly string[] {
  const node = topology.get(object);
  const nodes = node === undefined ? [] : [node, ...node.sections];
  const effective = new Set(kind.effectiveTargets.map(targetableKey));
  const targets = nodes.filter((it) => effective.has(targetableKey(it.kind)));
  return targets.length === 0 ? [object] : targets.map(({ locator }) => locator);
}

/** Returns the locator of a target's object. */
function objectOf(target: string): string {
  const end = target.indexOf('#');
  return end < 0 ? target : target.slice(0, end);
}
