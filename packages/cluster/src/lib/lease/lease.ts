import type { Clock } from '../time/clock.ts';
import { StatusError } from '../transport/status-error.ts';
import { Attempts, type LeaseFault } from './attempts.ts';
import { HoldListeners } from './hold-listeners.ts';
import type { KnownLease, LeaseClient } from './lease-client.ts';
import { type LeaseRecord, releasedRecord, renewedRecord, sameRecord } from './lease-record.ts';

/** How long a lease lasts and how it is kept. All times in milliseconds. */
export interface LeaseTimes {
  /** How long others wait after the last renewal that they have seen. */
  readonly leaseDuration: number;
  /** How long this process counts as the holder after its last renewal. Shorter than the duration, so that no two hold it at a time. */
  readonly renewDeadline: number;
  /** The time between attempts. */
  readonly retryPeriod: number;
}

export interface LeaseContext extends LeaseTimes {
  readonly client: LeaseClient;
  readonly identity: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
  readonly onSlowPath: () => void;
}

/**
 * The lease of this process: held or awaited, until it is released.
 *
 * Made with `holdLease`.
 */
export class Lease implements AsyncDisposable {
  readonly #context: LeaseContext;
  readonly #listeners: HoldListeners;
  readonly #attempts: Attempts;
  readonly #end = new AbortController();
  readonly #run: Promise<void>;
  /** The Lease as it was read or written last, and when its record was seen to change. */
  #known: KnownLease | undefined;
  #observed: LeaseRecord | undefined;
  #observedAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #wasHeld = false;
  #cancelExpiry: () => void = () => {};

  private constructor(context: LeaseContext) {
    this.#context = context;
    this.#listeners = new HoldListeners('lease', context.onError);
    this.#attempts = new Attempts(context);
    const { signal } = this.#end;
    this.#run = this.#attempts.run(
      () => this.#attempt(signal),
      () => this.#delay(),
      signal,
    );
  }

  /** @internal Use `holdLease`. */
  static make(context: LeaseContext): Lease {
    return new Lease(context);
  }

  /** The holder of the lease, as far as this process knows; `''` if it is free. */
  get holder(): string {
    return this.#observed?.holderIdentity ?? '';
  }

  /** Why the lease can be neither read nor written; `undefined` if the last attempt has succeeded, whoever holds the lease. */
  get fault(): LeaseFault | undefined {
    return this.#attempts.fault;
  }

  /** Returns whether this process holds the lease now. Turns `false` by the clock alone, also when the process was stopped for a while. */
  isHeld(): boolean {
    return this.#context.clock.monotonic() < this.#heldUntil;
  }

  /**
   * Calls a function each time that this process begins or ceases to hold the lease.
   *
   * @param listener The function.
   * @returns A function that ends the calls.
   */
  onChange(listener: (isHeld: boolean) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Releases the lease, so that another process can take it at once. Stop writing first. Never rejects. */
  async release(): Promise<void> {
    const { onError } = this.#context;
    const wasHeld = this.isHeld();
    this.#end.abort(new Error('the lease is released'));
    await this.#run;
    this.#cease();
    if (!wasHeld || this.#known === undefined) return;
    try {
      await this.#letGo(this.#known);
    } catch (error) {
      onError(error);
    }
  }

  async #letGo(lease: KnownLease): Promise<void> {
    const { client, clock, identity } = this.#context;
    try {
      await client.replace(lease, releasedRecord(lease.record, clock.now()));
    } catch (error) {
      // The last renewal was interrupted, and may have succeeded.
      const newest = error instanceof StatusError && error.code === 409 ? await client.read() : undefined;
      if (newest?.record.holderIdentity !== identity) throw error;
      await client.replace(newest, releasedRecord(newest.record, clock.now()));
    }
  }

  /** Lets go of the lease. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  /**
   * Returns the time until the next attempt. Candidates look twice as often as the holder renews, spread over time, and when the lease runs out:
   * so a lease that was released is taken within a second, and after the death of its holder, a second after it ran out.
   */
  #delay(): number {
    const { clock, retryPeriod, random } = this.#context;
    if (this.isHeld()) return retryPeriod;
    const poll = (retryPeriod / 2) * (0.6 + 0.4 * random());
    const validity = this.#expiresAt - clock.monotonic();
    return validity > 0 ? Math.min(poll, validity) : poll;
  }

  /** When the lease runs out, unless its record changes. */
  get #expiresAt(): number {
    return this.#observedAt + (this.#observed?.leaseDurationSeconds ?? 0) * 1000;
  }

  /** Takes or renews the lease if it may. The holder tries without reading first, because its last answer still holds in most cases. */
  async #attempt(signal: AbortSignal): Promise<void> {
    if (!this.isHeld()) this.#cease();
    const { client, clock, identity } = this.#context;
    if (this.isHeld() && this.#known !== undefined) {
      try {
        return await this.#write(this.#known, signal);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        this.#context.onSlowPath(); // Read the Lease to see whether another process has written it.
      }
    }
    const lease = await client.read(signal);
    if (lease !== undefined) this.#observe(lease);
    // One that was deleted counts until it would have run out: its holder may act as long.
    const holder = this.#observed?.holderIdentity ?? '';
    const isFree = clock.monotonic() >= this.#expiresAt;
    if (holder === '' || holder === identity || isFree) await this.#write(lease, signal);
  }

  async #write(lease: KnownLease | undefined, signal: AbortSignal): Promise<void> {
    const { client, clock, identity, leaseDuration, renewDeadline } = this.#context;
    const sentAt = clock.monotonic();
    const record = renewedRecord(lease?.record, { identity, duration: leaseDuration, now: clock.now() });
    const written = await (lease === undefined ? client.create(record, signal) : client.replace(lease, record, signal));
    this.#observe(written);
    // From the moment of sending: no other process can have seen the renewal before.
    this.#heldUntil = sentAt + renewDeadline;
    this.#cancelExpiry();
    this.#cancelExpiry = clock.setTimeout(() => this.#expire(), Math.max(0, this.#heldUntil - clock.monotonic()));
    if (this.#wasHeld || !this.isHeld()) return;
    this.#wasHeld = true;
    this.#listeners.notify(true);
  }

  /** Records a Lease that was read, and when its record changed, by the clock of this process. */
  #observe(lease: KnownLease): void {
    this.#known = lease;
    if (sameRecord(this.#observed, lease.record)) return;
    this.#observed = lease.record;
    this.#observedAt = this.#context.clock.monotonic();
    if (lease.record.holderIdentity !== this.#context.identity) this.#cease();
  }

  #expire(): void {
    if (!this.isHeld()) this.#cease();
  }

  #cease(): void {
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    this.#cancelExpiry();
    if (!this.#wasHeld) return;
    this.#wasHeld = false;
    this.#listeners.notify(false);
  }
}
