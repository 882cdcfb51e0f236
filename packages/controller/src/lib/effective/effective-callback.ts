import type { Clock } from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { Logger } from '@policy-machinery/observability';
import { messageOf } from '@policy-machinery/resource';
import type { EffectivePoliciesChange, PolicyControllerOptions } from '../controller-options.ts';
import type { TargetClaims } from '../finalizers/finalizers.ts';
import { AppliedInCall, type ApplyObjects } from './applied-in-call.ts';
import { CompleteCalls } from './complete-calls.ts';
import { type Answer, DataPlaneAnswers } from './data-plane-answers.ts';
import { News } from './news.ts';
import type { TargetContext } from './target-context.ts';
import { delayAfter, failuresIn, type TargetFailure } from './target-failure.ts';
import { TargetQueue } from './target-queue.ts';

/** Why a function is called. */
export type CallCause = EffectivePoliciesChange['cause'];

/** The part of a call that all calls of a controller share. */
export type CallTools = Pick<EffectivePoliciesChange, 'effective' | 'objects' | 'answersFor'>;

export interface CallbackContext {
  readonly view: EffectivePolicies<unknown>;
  readonly onEffective: NonNullable<PolicyControllerOptions['onEffective']>;
  readonly tools: CallTools;
  readonly contextsOf: (target: string) => readonly TargetContext[];
  readonly apply: ApplyObjects;
  /** Takes the answers of the data plane: the fault of each target that it has not accepted, nothing for the others. */
  readonly onFeedback: (feedback: ReadonlyMap<string, Answer | undefined>) => void;
  /** Takes the targets of a call that the data plane has taken, or that nothing of this kind applies to any more. */
  readonly onTaken: (targets: readonly string[]) => void;
  /** Asks for a round soon, which calls {@link EffectiveCallback.takeChanges}. */
  readonly onDue: () => void;
  /** The claims on objects of targets by a finalizer; `undefined` without one. */
  readonly claims: TargetClaims | undefined;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * Calls a function with the news about the effective policies of one kind. Targets that fail are called again, each after its own time, apart from
 * those that do not.
 */
export class EffectiveCallback {
  readonly #context: CallbackContext;
  readonly #news: News;
  readonly #queue = new TargetQueue();
  readonly #completeCalls: CompleteCalls;
  readonly #policies = new Set<string>();
  readonly #answers: DataPlaneAnswers;
  /** Targets that are news, and have objects without the finalizer. */
  readonly #waiting = new Set<string>();
  /** Why all targets must be taken for the next call; `undefined` if news are enough. */
  #complete: 'start' | 'takeover' | undefined = 'start';
  /** Why the next call has all targets; `undefined` if it has only news. */
  #ready: 'start' | 'takeover' | undefined;
  readonly #lanes = new Map<'fresh' | 'retry', Promise<void>>();
  #cancelTimer: () => void = () => {};

  constructor(context: CallbackContext) {
    this.#context = context;
    this.#news = new News(context.view, context.claims);
    this.#completeCalls = new CompleteCalls(context.clock);
    const { clock, onFeedback } = context;
    this.#answers = new DataPlaneAnswers({ clock, onFeedback, isTold: (target) => this.#news.isTold(target) });
  }

  /**
   * Adds the changes after the last call to the next one.
   *
   * @param everything Why all targets are added, for example because another process may have called in the meantime. Default:
   * only news are.
   * @returns A generator that adds a part each time you ask for the next value, so that other work can be done in between.
   */
  *takeChanges(everything?: 'start' | 'takeover'): Generator<void, void, void> {
    this.#complete ??= everything;
    const complete = this.#complete;
    this.#complete = undefined;
    const { claims } = this.#context;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    if (complete !== undefined) this.#news.owe(claims?.recover() ?? []);
    for (const target of waiting) this.#add(target, false);
    const untold = new Map<string, string>();
    const policies = yield* this.#news.take(complete !== undefined, (target) => {
      this.#add(target, complete !== undefined);
      if (this.#waiting.has(target)) untold.set(target, `It waits for the finalizer ${claims?.finalizer}`);
    });
    if (untold.size > 0) this.#answers.passOn(untold);
    for (const policy of policies) this.#policies.add(policy);
    this.#ready = complete ?? this.#ready;
  }

  /** Adds a target to the next call, if the data plane may be told about it. */
  #add(target: string, isForAll: boolean): void {
    if (this.#context.claims?.isReady(target) === false) this.#waiting.add(target);
    else if (isForAll) this.#queue.addForAll(target);
    else this.#queue.add(target);
  }

  /** Takes changes in a process that does not call. */
  standBy(): void {
    this.#waiting.clear();
    this.#news.standBy();
  }

  /** Adds targets to the next call, for a reason outside of effective policies. Those without any are left out. */
  requeue(targets: Iterable<string>): void {
    this.#news.requeue(targets);
  }

  /** Adds the targets below an object to the next call. O(positions below the object). */
  requeueBelow(object: string): void {
    this.#news.requeue(this.#context.view.explain(object).effective.map(({ policy }) => policy.target.locator));
  }

  /** Has targets that fail called for again in the next {@link start}. Returns whether there are any. */
  hurry(targets: Iterable<string>): boolean {
    return this.#queue.hurry(targets);
  }

  /** Calls the function as long as there is news, until the signal aborts. The rest is kept for later. */
  start(signal: AbortSignal): void {
    this.#runFresh(signal);
    this.#runDue(signal);
  }

  /** Whether a call for targets is under way that are not known to fail. */
  get isCalling(): boolean {
    return this.#lanes.has('fresh');
  }

  /** Returns a promise that resolves when all targets have been called for once. Never rejects. */
  async attempted(): Promise<void> {
    await this.#lanes.get('fresh');
  }

  /** Returns a promise that resolves when no call is under way. Never rejects. */
  async idle(): Promise<void> {
    this.#cancelTimer();
    this.#completeCalls.cancel();
    await Promise.all(this.#lanes.values());
  }

  /** Gives up calls that have not returned. No timer remains that would keep the process alive. */
  close(): void {
    this.#answers.close();
  }

  #runFresh(signal: AbortSignal): void {
    if (!this.#lanes.has('fresh')) this.#run('fresh', this.#callFresh(signal), () => this.#runDue(signal));
  }

  /** Calls for targets that have failed, now or when they are due. */
  #runDue(signal: AbortSignal): void {
    const { clock } = this.#context;
    this.#cancelTimer();
    if (signal.aborted || this.#lanes.has('retry') || this.#queue.failing.size === 0) return;
    const wait = this.#queue.nextDue - clock.monotonic();
    if (wait > 0) this.#cancelTimer = clock.setTimeout(() => this.#runDue(signal), wait);
    else this.#run('retry', this.#callDue(signal), () => this.#runDue(signal));
  }

  #run(lane: 'fresh' | 'retry', work: Promise<void>, onEnd: () => void): void {
    const run = work.finally(() => {
      this.#lanes.delete(lane);
      onEnd();
    });
    this.#lanes.set(lane, run);
  }

  async #callFresh(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { targets, cause, isComplete } = this.#nextFresh();
      if (targets.length === 0) return;
      await this.#call(targets, cause, signal, isComplete);
      this.#runDue(signal);
    }
  }

  /** Takes the targets of the next call. After a call with all targets has thrown, news come first, so that they do not wait for it. */
  #nextFresh(): { readonly targets: readonly string[]; readonly cause: CallCause; readonly isComplete: boolean } {
    const cause = this.#ready;
    if (cause === undefined) return { targets: this.#queue.takeFresh(), cause: 'change', isComplete: false };
    if (this.#completeCalls.haveFailed) {
      const news = this.#queue.takeFresh((target) => !this.#news.isTold(target));
      if (news.length > 0) return { targets: news, cause: 'change', isComplete: false };
    }
    this.#ready = undefined;
    // No target is in two calls, so one that is called for now is left out, and so is one without its finalizer.
    const isComplete = !this.#lanes.has('retry') && this.#waiting.size === 0;
    if (!isComplete) this.#completeLater(cause);
    return { targets: this.#queue.takeAll(), cause, isComplete };
  }

  async #callDue(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const targets = this.#queue.takeDue(this.#context.clock.monotonic());
      if (targets.length === 0) return;
      await this.#call(targets, 'retry', signal, false);
      this.#runFresh(signal);
    }
  }

  async #call(targets: readonly string[], cause: CallCause, signal: AbortSignal, isComplete: boolean): Promise<void> {
    const { view, onEffective, tools, claims, log, contextsOf } = this.#context;
    const sorted = [...targets].sort();
    const policies = [...this.#policies].sort();
    this.#policies.clear();
    const fingerprints = new Map(sorted.map((target) => [target, this.#news.next(target)]));
    const goneTargets = sorted.filter((target) => view.of(target).length === 0 || claims?.isEnding(target) === true);
    const released = new Set(goneTargets);
    for (const target of sorted) if (!released.has(target)) claims?.claim(target);
    const { kind, topology } = view;
    const answered = this.#untilAnswered(sorted);
    const contexts = sorted.flatMap((target) => (released.has(target) ? [] : contextsOf(target)));
    const applied = new AppliedInCall(this.#context.apply);
    const news = { targets: sorted, contexts, gone: goneTargets, policies, cause, isComplete };
    const change = { kind, view, topology, ...news, apply: applied.apply, signal, ...tools };
    try {
      const failures = [...failuresIn(await onEffective(change)), ...applied.failures];
      if (signal.aborted) return this.#queue.giveBack(sorted); // It may have ended early.
      this.#settle(fingerprints, failures);
      const failed = new Set(failures.map(({ target }) => target));
      this.#context.onTaken(sorted.filter((target) => released.has(target) || !failed.has(target)));
      for (const target of failed) released.delete(target);
      claims?.release(released);
      if (isComplete) this.#completeCalls.succeeded();
    } catch (error) {
      for (const policy of policies) this.#policies.add(policy);
      if (signal.aborted) return this.#queue.giveBack(sorted);
      const message = messageOf(error);
      const retryIn = this.#thrown(fingerprints, message);
      log.error('onEffective failed; it is called again', {
        kind: kind.kind,
        targets: sorted.length,
        error: message,
        retryIn,
      });
      if (isComplete && (cause === 'start' || cause === 'takeover')) this.#completeLater(cause);
    } finally {
      answered();
    }
  }

  /** Says so when the data plane takes long to answer for targets in a call, and returns a function that ends that. */
  #untilAnswered(targets: readonly string[]): () => void {
    const { log, view } = this.#context;
    return this.#answers.untilAnswered(targets, () => {
      log.warn('onEffective has not returned yet', { kind: view.kind.kind, targets: targets.length });
      return this.#queue.waiting;
    });
  }

  /** Records the end of a call, where the data plane may have refused some targets. */
  #settle(fingerprints: ReadonlyMap<string, string | undefined>, failures: readonly TargetFailure[]): void {
    const { clock, log, view } = this.#context;
    const failed = new Map<string, readonly TargetFailure[]>();
    for (const failure of failures) {
      const { target } = failure;
      if (fingerprints.has(target)) failed.set(target, [...(failed.get(target) ?? []), failure]);
    }
    for (const [target, fingerprint] of fingerprints) {
      const [failure] = failed.get(target) ?? [];
      if (failure !== undefined) this.#queue.failed(target, clock.monotonic(), failure);
      else this.#succeeded(target, fingerprint);
    }
    this.#answers.passOn(new Map([...fingerprints.keys()].map((target) => [target, failed.get(target)])));
    const [first] = [...failed.values()].flat();
    if (first !== undefined) {
      log.warn('targets failed; they are called again', { kind: view.kind.kind, targets: failed.size, first });
    }
  }

  #succeeded(target: string, fingerprint: string | undefined): void {
    this.#news.told(target, fingerprint);
    this.#queue.succeeded([target]);
  }

  /** Records that a call has thrown. Returns the time until the next one, in milliseconds. */
  #thrown(fingerprints: ReadonlyMap<string, string | undefined>, message: string): number {
    const { clock } = this.#context;
    const isSuspect = (target: string) => fingerprints.size === 1 || !this.#news.isTold(target);
    const suspects = [...fingerprints.keys()].filter(isSuspect);
    this.#queue.succeeded([...fingerprints.keys()].filter((target) => !isSuspect(target)));
    const [only] = suspects;
    if (only === undefined) return 0;
    if (suspects.length > 1) {
      this.#answers.doubt(suspects, message);
      this.#queue.split(suspects);
      return delayAfter(1);
    }
    this.#answers.passOn(new Map([[only, message]]));
    return this.#queue.failed(only, clock.monotonic(), { isAlone: true });
  }

  /** Calls for all targets once more after a while, because a call for all has thrown or has left some out. */
  #completeLater(cause: 'start' | 'takeover'): void {
    this.#completeCalls.later(
      () => this.isCalling,
      () => {
        this.#complete ??= cause;
        this.#context.onDue();
      },
    );
  }
}
