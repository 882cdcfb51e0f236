import { groupKindKey } from '@policy-machinery/resource';
import { type Clock, systemClock } from '../time/clock.ts';
import { createTokenBucket, type TokenBucket } from '../time/token-bucket.ts';
import { StatusError } from '../transport/status-error.ts';
import type { Transport } from '../transport/transport.ts';
import { isUnauthorized } from './answer.ts';
import { ForbiddenKinds } from './forbidden-kinds.ts';
import type { ObjectWrite } from './object-write.ts';
import { type OutcomeDetails, outcomeOf, resultOf } from './outcome-of.ts';
import { Pauses } from './pauses.ts';
import { PostponedWrites } from './postponed-writes.ts';
import { RestoredWrites } from './restored-writes.ts';
import { reasonNotToSend, rivalOf, type Sent, sendWrite } from './send-write.ts';
import type { WriteResult } from './write-outcome.ts';
import { type QueuedObject, type WritePriority, WriteQueue } from './write-queue.ts';
import type { WriterOptions } from './writer-options.ts';

/**
 * Sends writes to objects: one at a time to each object, urgent ones first, no faster than allowed, and again if they fail.
 *
 * Made with `createWriter`.
 */
export class Writer<W extends ObjectWrite> implements AsyncDisposable {
  readonly #transport: Transport;
  readonly #options: WriterOptions<W>;
  readonly #clock: Clock;
  readonly #queue: WriteQueue<W>;
  readonly #bucket: TokenBucket;
  readonly #pauses: Pauses;
  readonly #forbidden = new ForbiddenKinds();
  readonly #postponed: PostponedWrites<W>;
  readonly #restored: RestoredWrites;
  /** The objects to which requests are in flight, with whether another write came meanwhile. */
  readonly #sending = new Map<string, boolean>();
  /** The writes whose requests were aborted when the gate closed. */
  readonly #aborted = new Map<string, W>();
  readonly #stopListening: () => void;
  #term = new AbortController();
  #wasHeld: boolean;
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;
  #idle: (() => void)[] = [];

  private constructor(transport: Transport, options: WriterOptions<W>) {
    const { clock = systemClock, random = Math.random, rate = { perSecond: 20, burst: 40 }, gate } = options;
    this.#transport = transport;
    this.#options = options;
    this.#clock = clock;
    this.#queue = new WriteQueue(clock, () => this.#pump());
    this.#bucket = createTokenBucket(rate, clock);
    this.#pauses = new Pauses(clock, random);
    const { sources } = options;
    this.#postponed = new PostponedWrites(clock, (locator) => sources.get(locator) !== undefined);
    this.#restored = new RestoredWrites(clock, (locator) => sources.get(locator)?.metadata.uid);
    this.#wasHeld = this.#isHeld();
    this.#stopListening = gate?.onChange(() => this.#followGate()) ?? (() => {});
  }

  /** @internal Use `createWriter`. */
  static make<W extends ObjectWrite>(transport: Transport, options: WriterOptions<W>): Writer<W> {
    return new Writer(transport, options);
  }

  /** How many objects wait. */
  get queued(): number {
    return this.#queue.size;
  }

  /** Returns how many objects of a priority wait. O(queued). */
  queuedAt(priority: WritePriority): number {
    return this.#queue.sizeAt(priority);
  }

  /** How many requests are in flight. */
  get sending(): number {
    return this.#sending.size;
  }

  /**
   * Queues a write. It takes the place of one that waits for the same object; if one is in flight, the object is planned again after it.
   *
   * @param write The write, planned from the object in the sources.
   * @param priority 0 to 3; 0 is sent first. Default: 2.
   */
  write(write: W, priority: WritePriority = 2): void {
    if (this.#isClosed || this.#postponed.has(write)) return;
    const { locator } = write;
    const wait = this.#restored.waitOf(write) ?? 0;
    if (this.#sending.has(locator)) this.#sending.set(locator, true);
    else if (wait === 0) this.#queue.add(write, priority);
    else {
      this.#queue.remove(locator);
      this.#postponed.add(write, wait, () => this.#options.planAgain(write));
    }
    this.#pump();
  }

  /** Drops the waiting writes to an object, after a plan that contains none. */
  cancel(locator: string): void {
    this.#queue.remove(locator);
    this.#notifyIdle();
  }

  /** Returns a promise that resolves when nothing waits and nothing is in flight. */
  async idle(): Promise<void> {
    if (this.#isIdle()) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /**
   * Sends the waiting writes for some time, then ends.
   *
   * @param within The most time, in milliseconds. Default: 10 s.
   * @returns How many objects were not written to.
   */
  async stop({ within = 10_000 }: { readonly within?: number } = {}): Promise<number> {
    let cancel = () => {};
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#clock.setTimeout(resolve, within);
    });
    await Promise.race([this.#isHeld() ? this.idle() : undefined, timeout]);
    cancel();
    const left = this.#queue.size + this.#sending.size;
    this.close();
    return left;
  }

  /** Ends at once. Requests in flight are aborted. */
  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    this.#cancelTimer?.();
    this.#queue.clear();
    this.#postponed.clear();
    this.#term.abort(new Error('the writer is closed'));
  }

  /** Ends at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #isHeld(): boolean {
    return this.#options.gate?.isHeld() ?? true;
  }

  /** Aborts requests in flight when the gate closes. Plans everything again when the gate opens: others may have written meanwhile. */
  #followGate(): void {
    const isHeld = this.#isHeld();
    if (isHeld === this.#wasHeld) return;
    this.#wasHeld = isHeld;
    if (!isHeld) {
      this.#term.abort(new Error('this process may no longer write'));
      this.#term = new AbortController();
      return;
    }
    const again = [...this.#aborted.values(), ...this.#queue.clear().flatMap(({ writes }) => [...writes.values()])];
    this.#aborted.clear();
    for (const write of again) this.#options.planAgain(write);
    this.#pump();
  }

  /** Sends as much as may be sent now, and sees to it that it is called when there may be more. */
  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { sources } = this.#options;
    const parallel = this.#pauses.isUnreachable ? 1 : (this.#options.parallel ?? 8);
    while (!this.#isClosed && this.#queue.size > 0 && this.#sending.size < parallel && this.#isHeld()) {
      const wait = Math.max(this.#pauses.left, this.#bucket.wait());
      if (wait > 0) {
        this.#cancelTimer = this.#clock.setTimeout(() => this.#pump(), wait);
        return;
      }
      const queued = this.#queue.take();
      if (queued === undefined) return;
      const [write, ...others] = queued.writes.values();
      if (write === undefined) continue;
      const reason = reasonNotToSend(write, sources);
      if (reason === undefined) {
        this.#bucket.take();
        void this.#send(write, queued, others.length > 0);
      } else {
        const retryIn = reason === 'gone' ? this.#lookLater(write, () => this.#options.planAgain(write)) : undefined;
        this.#report(write, reason, queued, retryIn === undefined ? {} : { retryIn });
        if (reason === 'outdated') this.#options.planAgain(write);
      }
    }
    this.#notifyIdle();
  }

  async #send(write: W, queued: QueuedObject<W>, hasOthers: boolean): Promise<void> {
    const { locator } = write;
    const { sources, fieldManager, form = 'json-patch', onStart } = this.#options;
    const { signal } = this.#term;
    this.#sending.set(locator, hasOthers);
    onStart?.(write, this.#clock.monotonic() - queued.queuedAt);
    const context = { transport: this.#transport, sources, form, fieldManager, clock: this.#clock, signal };
    const rival = this.#restored.waitOf(write) === undefined ? undefined : await rivalOf(write, context);
    const sent = await sendWrite(write, context);
    const isSuperseded = this.#sending.get(locator) ?? false;
    this.#sending.delete(locator);
    if (signal.aborted) this.#takeAborted(write);
    else this.#settle(write, queued, rival === undefined ? sent : { ...sent, rival }, isSuperseded);
    this.#pump();
  }

  /** Takes the end of a request that was in flight when the gate closed. The gate may be open again by now. */
  #takeAborted(write: W): void {
    if (this.#isClosed) return;
    if (this.#wasHeld) this.#options.planAgain(write);
    else this.#aborted.set(write.locator, write);
  }

  #settle(write: W, queued: QueuedObject<W>, sent: Sent & Pick<OutcomeDetails, 'rival'>, isSuperseded: boolean): void {
    const { locator, ref } = write;
    const planAgain = () => this.#options.planAgain(write);
    const { result } = sent;
    if (result !== 'unreachable') this.#pauses.answered();
    if (result === 'written') {
      this.#pauses.succeeded(locator);
      this.#forbidden.made(groupKindKey(ref));
      if (isSuperseded) planAgain();
      this.#report(write, 'written', queued, { ...sent, restorations: this.#restored.made(write) });
      return;
    }
    const retryIn = this.#pause(write, sent, planAgain);
    if (isSuperseded && result !== 'conflict') planAgain();
    else if (resultOf(sent) === 'retried') this.#queue.add(write, queued.priority);
    this.#report(write, resultOf(sent), queued, retryIn === undefined ? sent : { ...sent, retryIn });
  }

  /** Waits after a failure: with this object, with its kind, or with everything. Returns how long; `undefined` if nothing is left to do. */
  #pause(write: W, { result, error }: Sent, planAgain: () => void): number | undefined {
    const { locator } = write;
    const retryAfter = error instanceof StatusError ? error.retryAfter : undefined;
    const hold = (ms: number, onEnd = () => {}): number => {
      this.#queue.holdObject(locator, ms, onEnd);
      return ms;
    };
    switch (result) {
      case 'throttled':
        return this.#pauses.throttled(retryAfter);
      case 'unreachable':
        return this.#pauses.unreachable();
      case 'forbidden':
        return this.#holdForbidden(write, error) ?? hold(this.#pauses.failed(locator, 'forbidden'));
      case 'conflict':
        return hold(this.#pauses.failed(locator), planAgain);
      case 'refused': {
        const ms = this.#pauses.failed(locator, 'refused');
        this.#postponed.add(write, ms, planAgain);
        return ms;
      }
      case 'gone':
        return this.#lookLater(write, planAgain);
      default:
        return hold(Math.max(this.#pauses.failed(locator), retryAfter ?? 0));
    }
  }

  /**
   * Has an object planned again later that is there all the same, or that is still to be created: its kind or its namespace may come. Returns how long
   * that takes; `undefined` if there is no object any more.
   */
  #lookLater({ locator, action }: W, planAgain: () => void): number | undefined {
    if (action !== 'apply' && this.#options.sources.get(locator) === undefined) {
      this.#pauses.succeeded(locator);
      return undefined;
    }
    const ms = this.#pauses.failed(locator, 'missing');
    this.#queue.holdObject(locator, ms, planAgain);
    return ms;
  }

  /** Holds a kind back that this process may not write to. Returns how long; `undefined` if it is not known to be the kind. */
  #holdForbidden({ locator, ref }: ObjectWrite, error: unknown): number | undefined {
    const kind = groupKindKey(ref);
    if (!isUnauthorized(error) || !this.#forbidden.add(kind, locator)) return undefined;
    const ms = this.#pauses.forbidden(kind);
    this.#queue.holdKind(kind, ms);
    return ms;
  }

  #report(write: W, result: WriteResult, { queuedAt }: QueuedObject<W>, details: OutcomeDetails): void {
    this.#options.onOutcome?.(outcomeOf(write, result, this.#clock.monotonic() - queuedAt, details));
  }

  #isIdle(): boolean {
    return this.#queue.size === 0 && this.#sending.size === 0;
  }

  #notifyIdle(): void {
    if (this.#idle.length === 0 || !this.#isIdle()) return;
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }
}
