import { setMaxListeners } from 'node:events';
import { groupKindKey } from '@policy-machinery/resource';
import { type Clock, systemClock } from '../time/clock.ts';
import { createTokenBucket, type TokenBucket } from '../time/token-bucket.ts';
import { StatusError } from '../transport/status-error.ts';
import type { Transport } from '../transport/transport.ts';
import { waitReasonOf } from './answer.ts';
import type { WritePriority } from './fair-queue.ts';
import { contentOf, type ObjectWrite, plannedVersion } from './object-write.ts';
import { type OutcomeDetails, outcomeOf, resultOf } from './outcome-of.ts';
import { type PendingWrite, PendingWrites, type Planner, partOf } from './pending-writes.ts';
import { reasonNotToSend, rivalOf, type Sent, sendWrite } from './send-write.ts';
import { type WaitReason, waitRules } from './wait-rules.ts';
import { Waits } from './waits.ts';
import type { WriteResult } from './write-outcome.ts';
import type { WriteBudget, WriteQueueOptions, WriterOptions } from './writer-options.ts';

/** Queues the writes of one planner. */
export interface WriteQueue<W extends ObjectWrite> {
  /**
   * Queues a write. It takes the place of one that waits for the same part of the object; if one is in flight, the object is planned again after it.
   *
   * @param write The write, planned from the object in the sources.
   * @param priority 0 to 3; of the writes to a kind, 0 is sent first. Kinds take turns. Default: 2.
   */
  write(write: W, priority?: WritePriority): void;
  /** Drops the waiting writes to an object, after a plan that contains none. */
  cancel(locator: string): void;
  /** Returns how many writes of a priority wait. O(waiting writes). */
  queuedAt(priority: WritePriority): number;
}

/** The part of the requests in flight that writes to one kind may take of those that other kinds leave, so that slow kinds leave some to the others. */
const shareOfKind = 0.75;

/**
 * Sends writes within one budget: one at a time to each object, each kind in turn, urgent ones first, no faster than allowed, and again if they fail.
 *
 * Made with `createWriter`.
 */
export class Writer<W extends ObjectWrite> implements WriteQueue<W>, AsyncDisposable {
  readonly #transport: Transport;
  readonly #options: WriteBudget;
  readonly #clock: Clock;
  readonly #parallel: number;
  readonly #bucket: TokenBucket;
  readonly #waits: Waits;
  readonly #queue: WriteQueue<W>;
  #planners = 0;
  readonly #pending = new PendingWrites();
  /** The writes in flight, by object. */
  readonly #sending = new Map<string, PendingWrite>();
  /** The writes with requests that were aborted when the gate closed. */
  readonly #aborted = new Map<string, PendingWrite>();
  readonly #stopListening: () => void;
  #term = startTerm();
  /** Whether the gate was open at its last change, and all writes from before were planned again. */
  #wasHeld: boolean;
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;
  /** The conditions that {@link idle} and {@link stop} wait for. */
  readonly #awaited = new Set<{ readonly isMet: () => boolean; readonly resolve: () => void }>();

  private constructor(transport: Transport, options: WriterOptions<W>) {
    const { clock = systemClock, random = Math.random, rate = { perSecond: 20, burst: 40 }, gate } = options;
    this.#transport = transport;
    this.#options = options;
    this.#clock = clock;
    this.#parallel = options.parallel ?? 16;
    this.#bucket = createTokenBucket(rate, clock);
    this.#waits = new Waits(clock, random);
    this.#wasHeld = this.#isHeld();
    this.#stopListening = gate?.onChange(() => this.#followGate()) ?? (() => {});
    this.#queue = this.queue(options);
  }

  /** @internal Use `createWriter`. */
  static make<W extends ObjectWrite>(transport: Transport, options: WriterOptions<W>): Writer<W> {
    return new Writer(transport, options);
  }

  /** Queues a write of the planner that the writer was created for. See {@link WriteQueue}. */
  write(write: W, priority?: WritePriority): void {
    this.#queue.write(write, priority);
  }

  /** Drops the waiting writes of that planner to an object, after a plan that contains none. */
  cancel(locator: string): void {
    this.#queue.cancel(locator);
  }

  /** Returns how many writes of that planner and of a priority wait. O(queued). */
  queuedAt(priority: WritePriority): number {
    return this.#queue.queuedAt(priority);
  }

  /**
   * Adds another planner, which shares the budget. Two planners may write to the same object, but not to the same fields.
   *
   * @param options How its writes are sent and reported.
   * @returns The queue for its writes.
   */
  queue<Other extends ObjectWrite>(options: WriteQueueOptions<Other>): WriteQueue<Other> {
    // Only writes of this planner come back to it.
    const planner: Planner = { ...options, number: this.#planners };
    this.#planners += 1;
    return {
      write: (write, priority = 2) => this.#write(planner, write, priority),
      cancel: (locator) => this.#cancel(planner, locator),
      queuedAt: (priority) => this.#pending.count((it) => it.planner === planner && it.priority === priority),
    };
  }

  /** How many writes wait, of all planners. */
  get queued(): number {
    return this.#pending.size;
  }

  /** How many requests are in flight. */
  get sending(): number {
    return this.#sending.size;
  }

  /** Returns a promise that resolves when nothing waits and nothing is in flight. */
  idle(): Promise<void> {
    return this.#until(() => this.#pending.size === 0 && this.#sending.size === 0);
  }

  /**
   * Sends the waiting writes that may be sent within some time, then ends.
   *
   * @param within The most time, in milliseconds. Default: 10 s.
   * @returns How many writes were not made.
   */
  async stop({ within = 10_000 }: { readonly within?: number } = {}): Promise<number> {
    const deadline = this.#clock.monotonic() + within;
    let cancel = () => {};
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#clock.setTimeout(resolve, within);
    });
    const isLate = (pending: PendingWrite) => this.#clock.monotonic() + this.#waits.leftFor(pending) > deadline;
    const isDone = () => this.#sending.size === 0 && this.#pending.count((it) => !isLate(it)) === 0;
    await Promise.race([this.#isHeld() ? this.#until(isDone) : undefined, timeout]);
    cancel();
    const unsent = new Set([...this.#pending.all, ...this.#sending.values()].map(({ part }) => part));
    this.close();
    return unsent.size;
  }

  /** Ends at once. Requests in flight are aborted. */
  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    this.#cancelTimer?.();
    for (const pending of this.#pending.all) this.#pending.delete(pending);
    this.#waits.clear();
    this.#term.abort(new Error('the writer is closed'));
  }

  /** Ends at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #write(planner: Planner, write: ObjectWrite, priority: WritePriority): void {
    if (this.#isClosed) return;
    const { locator, ref } = write;
    const part = partOf(planner, write);
    const replaced = this.#pending.get(part);
    const pending: PendingWrite = {
      part,
      planner,
      locator,
      kind: groupKindKey(ref),
      content: contentOf(write, this.#options.sources.get(locator)?.metadata.uid),
      version: plannedVersion(write),
      write,
      priority: replaced !== undefined && replaced.priority < priority ? replaced.priority : priority,
      queuedAt: replaced?.queuedAt ?? this.#clock.monotonic(),
    };
    const next = this.#waits.waiting(pending);
    if (next === 'plan') return;
    const isDelayed = next === undefined && this.#waits.delayRestoration(pending, () => this.#planAgain(pending)) > 0;
    if (!isDelayed) this.#pending.add(pending, next === undefined);
    else if (replaced !== undefined) this.#pending.delete(replaced);
    this.#pump();
  }

  #cancel(planner: Planner, locator: string): void {
    for (const subresource of [undefined, 'status'] as const) {
      const part = partOf(planner, { locator, subresource });
      const pending = this.#pending.get(part);
      if (pending !== undefined) this.#pending.delete(pending);
      this.#waits.end(part);
    }
    this.#pump();
  }

  #isHeld(): boolean {
    return this.#options.gate?.isHeld() ?? true;
  }

  /** Aborts requests in flight when the gate closes. Plans everything again when the gate opens: others may have written meanwhile. */
  #followGate(): void {
    const isHeld = this.#isHeld();
    if (isHeld === this.#wasHeld) return;
    if (!isHeld) {
      this.#wasHeld = false;
      this.#term.abort(new Error('this process may no longer write'));
      this.#term = startTerm();
      return;
    }
    const again = [...this.#aborted.values(), ...this.#pending.all];
    this.#aborted.clear();
    for (const pending of again) {
      this.#waits.end(pending.part);
      this.#planAgain(pending);
    }
    this.#wasHeld = true;
    this.#pump();
  }

  /** Sends as many writes as may be sent now, and sees to it that it is called when there may be more. */
  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const parallel = this.#waits.isTroubled() ? 1 : this.#parallel;
    while (!this.#isClosed && this.#sending.size < parallel && this.#wasHeld && this.#isHeld()) {
      const wait = Math.max(this.#waits.leftOf(), this.#bucket.wait());
      if (wait > 0 && this.#pending.size > 0) this.#cancelTimer = this.#clock.setTimeout(() => this.#pump(), wait);
      const pending = wait > 0 ? undefined : this.#take();
      if (pending === undefined) break;
      this.#sendIfNeeded(pending);
    }
    for (const awaited of this.#awaited) if (awaited.isMet()) awaited.resolve();
  }

  #sendIfNeeded(pending: PendingWrite): void {
    const reason = reasonNotToSend(pending.write, this.#options.sources);
    if (reason === undefined) {
      this.#bucket.take();
      void this.#send(pending);
      return;
    }
    const retryIn = reason === 'gone' ? this.#lookLater(pending) : undefined;
    this.#report(pending, reason, retryIn === undefined ? {} : { retryIn });
    if (reason === 'outdated') this.#planAgain(pending);
  }

  /** Takes the next write, of a kind that is not held up and has requests left, to an object without a request in flight. */
  #take(): PendingWrite | undefined {
    const inFlight = new Map<string, number>();
    for (const { kind } of this.#sending.values()) inFlight.set(kind, (inFlight.get(kind) ?? 0) + 1);
    const hasRequestsLeft = (kind: string): boolean => {
      const ofKind = inFlight.get(kind) ?? 0;
      const available = this.#parallel - (this.#sending.size - ofKind);
      return ofKind < (this.#waits.isTroubled(kind) ? 1 : Math.max(1, Math.floor(available * shareOfKind)));
    };
    return this.#pending.take(
      (kind) => this.#waits.leftOf(kind) === 0 && hasRequestsLeft(kind),
      (locator) => !this.#sending.has(locator),
    );
  }

  async #send(pending: PendingWrite): Promise<void> {
    const { locator, write, planner, queuedAt } = pending;
    const { sources, fieldManager } = this.#options;
    const { form = 'json-patch', onStart } = planner;
    const { signal } = this.#term;
    this.#sending.set(locator, pending);
    onStart?.(write, this.#clock.monotonic() - queuedAt);
    const context = { transport: this.#transport, sources, form, fieldManager, clock: this.#clock, signal };
    const isFight = (this.#waits.restorationsOf(pending) ?? 0) > 0;
    const rival = isFight ? await rivalOf(write, context) : undefined;
    const sent = await sendWrite(write, context);
    this.#sending.delete(locator);
    if (signal.aborted) this.#takeAborted(pending);
    else this.#settle(pending, rival === undefined ? sent : { ...sent, rival });
    this.#pump();
  }

  /** Takes the end of a request that was in flight when the gate closed. The gate may be open again by now. */
  #takeAborted(pending: PendingWrite): void {
    if (this.#isClosed) return;
    if (this.#wasHeld) this.#planAgain(pending);
    else this.#aborted.set(pending.part, pending);
  }

  #settle(pending: PendingWrite, sent: Sent & Pick<OutcomeDetails, 'rival'>): void {
    const newer = this.#pending.get(pending.part);
    const { result } = sent;
    if (result === 'written') {
      const restorations = this.#waits.succeeded(pending);
      if (newer !== undefined) this.#planAgain(newer);
      this.#report(pending, 'written', { ...sent, restorations });
      return;
    }
    if (result !== 'unreachable') this.#waits.answered(result !== 'throttled' && result !== 'unknown');
    const { retryAfter } = sent.error instanceof StatusError ? sent.error : {};
    const retryIn =
      result === 'gone' ? this.#lookLater(pending) : this.#wait(pending, waitReasonOf(result, sent.error), retryAfter);
    if (newer !== undefined && newer.content !== pending.content) this.#waits.end(pending.part);
    else if (resultOf(sent) === 'retried') this.#keep(newer ?? pending);
    else if (newer !== undefined) this.#pending.delete(newer);
    this.#report(pending, resultOf(sent), retryIn === undefined ? sent : { ...sent, retryIn });
  }

  /** Keeps a write that is sent again after its wait. */
  #keep(pending: PendingWrite): void {
    this.#pending.add({ ...pending, queuedAt: this.#clock.monotonic() }, false);
    this.#resume(pending.part);
  }

  /**
   * Plans an object again later that is there all the same, or that is still to be created: its kind or its namespace may come. Returns the delay in
   * milliseconds; `undefined` if the object does not exist any more.
   */
  #lookLater(pending: PendingWrite): number | undefined {
    const { write, locator, part } = pending;
    if (write.action === 'delete') this.#waits.written(pending);
    if (write.action === 'apply' || this.#options.sources.get(locator) !== undefined)
      return this.#wait(pending, 'missing');
    this.#waits.end(part);
    return undefined;
  }

  /** Starts a wait after a failure. Returns how long it takes, in milliseconds. */
  #wait(pending: PendingWrite, reason: WaitReason, retryAfter?: number): number {
    const { part } = pending;
    const onOver = () => {
      if (this.#pending.get(part) !== undefined) this.#resume(part);
      else if (waitRules[reason].next === 'plan') this.#planAgain(pending);
      this.#pump();
    };
    return this.#waits.failed(pending, reason, onOver, retryAfter);
  }

  /** Makes a write ready after its wait. If its object has changed meanwhile, the object is planned again. */
  #resume(part: string): void {
    const pending = this.#pending.get(part);
    if (pending === undefined || this.#waits.waiting(pending) !== undefined) return;
    if (reasonNotToSend(pending.write, this.#options.sources) === 'outdated') this.#planAgain(pending);
    else this.#pending.add(pending, true);
  }

  #planAgain(pending: PendingWrite): void {
    this.#pending.delete(pending);
    if (!this.#isClosed) pending.planner.planAgain(pending.write);
  }

  #report({ planner, write, queuedAt }: PendingWrite, result: WriteResult, details: OutcomeDetails): void {
    planner.onOutcome?.(outcomeOf(write, result, this.#clock.monotonic() - queuedAt, details));
  }

  #until(isMet: () => boolean): Promise<void> {
    if (isMet()) return Promise.resolve();
    return new Promise((resolve) => {
      const awaited = { isMet, resolve: () => this.#awaited.delete(awaited) && resolve() };
      this.#awaited.add(awaited);
    });
  }
}

/** Returns the signal that ends the requests in flight. */
function startTerm(): AbortController {
  const term = new AbortController();
  setMaxListeners(0, term.signal);
  return term;
}
