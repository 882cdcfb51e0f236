import { Attempts, type LeaseFault } from '../lease/attempts.ts';
import { HoldListeners } from '../lease/hold-listeners.ts';
import type { LeaseTimes } from '../lease/lease.ts';
import type { KnownLease } from '../lease/lease-client.ts';
import { releasedRecord, renewedRecord } from '../lease/lease-record.ts';
import type { Clock } from '../time/clock.ts';
import type { MemberLeases } from './member-leases.ts';
import { type Claim, claims, Membership } from './membership.ts';
import { ownerOf } from './rendezvous.ts';

export interface ShardContext extends LeaseTimes {
  readonly leases: MemberLeases;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
}

/** The keys that a member acts on: its share, without keys that others may still act on. */
interface Share {
  readonly members: readonly string[];
  readonly claims: readonly Claim[];
}

/** How long the Lease of a member is kept after its end, in milliseconds, for people to see. */
const keptFor = 60_000;

/**
 * The part of a work that this process does, beside others. Each key has one owner among the members that are alive.
 *
 * A member acts on a key only after it has published in its Lease the members among which the key is its own, has read the Leases of all others after
 * that, and has not found a live one with members that give the key to its holder. Before it publishes other members, it stops. So of two members
 * that claim one key, the one that has published later sees the other's claim, and waits until the other one has published the same members,
 * or is dead.
 *
 * Made with `joinShards`.
 */
export class Shard implements AsyncDisposable {
  readonly #context: ShardContext;
  readonly #membership: Membership;
  readonly #listeners: HoldListeners;
  readonly #attempts: Attempts;
  readonly #end = new AbortController();
  readonly #run: Promise<void>;
  /** The Lease as it was written last. */
  #known: KnownLease | undefined;
  /** The members that this process has published, or is about to. */
  #members: readonly string[] = [];
  #heldUntil = Number.NEGATIVE_INFINITY;
  #share: Share | undefined;
  /** When this process has read the Leases of others for the first time after it stopped taking part; `undefined` while it takes part. */
  #joinsSince: number | undefined;
  #cancelExpiry: () => void = () => {};

  private constructor(context: ShardContext) {
    this.#context = context;
    this.#membership = new Membership(context.clock);
    this.#listeners = new HoldListeners('shard', context.onError);
    this.#attempts = new Attempts(context);
    const { signal } = this.#end;
    this.#run = this.#attempts.run(
      () => this.#attempt(signal),
      () => this.#delay(),
      signal,
    );
  }

  /** @internal Use `joinShards`. */
  static make(context: ShardContext): Shard {
    return new Shard(context);
  }

  /** The name of this member, which is its Lease's. */
  get name(): string {
    return this.#context.leases.name;
  }

  /** The names of the members among which the keys are shared, as far as this process knows. */
  get members(): readonly string[] {
    return this.#members;
  }

  /** Why the Leases can be neither read nor written; `undefined` if the last attempt has succeeded. */
  get fault(): LeaseFault | undefined {
    return this.#attempts.fault;
  }

  /** Returns whether this process may act on any key. Turns `false` by the clock alone, also when the process was stopped for a while. */
  isHeld(): boolean {
    return this.#share !== undefined && this.#context.clock.monotonic() < this.#heldUntil;
  }

  /**
   * Returns whether this process may act on a key now. Between two calls of listeners, a key that is owned stays owned, unless {@link isHeld} turns `false`.
   *
   * @param key The key, such as the locator of a Gateway. O(members).
   */
  owns(key: string): boolean {
    const share = this.#share;
    if (share === undefined || !this.isHeld() || ownerOf(key, share.members) !== this.name) return false;
    return !share.claims.some((claim) => claims(claim, key));
  }

  /**
   * Calls a function each time that this process begins or ceases to act, or acts on other keys. It ceases before it acts on fewer keys.
   *
   * @param listener The function.
   * @returns A function that ends the calls.
   */
  onChange(listener: (isHeld: boolean) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Leaves the others, so that they can act on this process's keys at once. Stop writing first. Never rejects. */
  async release(): Promise<void> {
    const { leases, clock, onError } = this.#context;
    this.#end.abort(new Error('the shard is released'));
    await this.#run;
    this.#cease();
    if (this.#known === undefined) return;
    try {
      await leases.write(this.#known, releasedRecord(this.#known.record, clock.now()), this.#members);
    } catch (error) {
      onError(error);
    }
  }

  /** Leaves the others. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  /** Publishes the members, reads the publications of others, and applies the result. */
  async #attempt(signal: AbortSignal): Promise<void> {
    if (this.#context.clock.monotonic() >= this.#heldUntil && !(await this.#canJoin(signal))) return;
    this.#joinsSince = undefined;
    this.#follow(); // A Lease may have run out after the last attempt.
    do {
      await this.#publish(signal);
      await this.#look(signal);
    } while (this.#follow());
    this.#act();
    await this.#clean(signal);
  }

  /**
   * Returns whether it is known who is alive. A process that joins must have seen each Lease change or run out: if it counted one that has died among the
   * members, the others would leave keys to it that it would leave to the dead one.
   */
  async #canJoin(signal: AbortSignal): Promise<boolean> {
    this.#cease();
    await this.#look(signal);
    this.#joinsSince ??= this.#context.clock.monotonic();
    return this.#membership.haveRenewed(this.name, this.#joinsSince);
  }

  /** Shares the keys among the members that are alive. Stops before it publishes that some keys moved to others. Returns whether members differ. */
  #follow(): boolean {
    const live = this.#live;
    if (live.join() === this.#members.join()) return false;
    this.#cease();
    this.#members = live;
    return true;
  }

  /** The members that are alive, with this one. */
  get #live(): readonly string[] {
    return [...new Set([...this.#membership.live, this.name])].sort();
  }

  async #look(signal: AbortSignal): Promise<void> {
    this.#membership.observe(await this.#context.leases.list(signal));
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { leases, clock, leaseDuration, renewDeadline } = this.#context;
    const sentAt = clock.monotonic();
    const record = renewedRecord(this.#known?.record, {
      identity: this.name,
      duration: leaseDuration,
      now: clock.now(),
    });
    this.#known = await leases.write(this.#known, record, this.#members, signal);
    // From the moment of sending: no other process can have seen the renewal before.
    this.#heldUntil = sentAt + renewDeadline;
    this.#cancelExpiry();
    this.#cancelExpiry = clock.setTimeout(() => this.#expire(), Math.max(0, this.#heldUntil - clock.monotonic()));
  }

  #act(): void {
    const oldShare = this.#share;
    this.#share = { members: this.#members, claims: this.#membership.claimsBeside(this.name, this.#members) };
    if (!this.isHeld()) this.#cease();
    else if (JSON.stringify(oldShare) !== JSON.stringify(this.#share)) this.#listeners.notify(true);
  }

  /** Deletes the Leases of members that have ended. One of those that are alive is enough. */
  async #clean(signal: AbortSignal): Promise<void> {
    if (this.#members[0] !== this.name) return;
    for (const name of this.#membership.endedBefore(keptFor)) await this.#context.leases.remove(name, signal);
  }

  /** Returns the time until the next attempt: sooner while others must follow, and when a Lease runs out. */
  #delay(): number {
    const { clock, retryPeriod, random } = this.#context;
    const isSettled = this.isHeld() && this.#share?.claims.length === 0;
    const pause = (isSettled ? retryPeriod : retryPeriod / 4) * (0.8 + 0.2 * random());
    const validity = this.#membership.nextEnd - clock.monotonic();
    return validity > 0 ? Math.min(pause, validity) : pause;
  }

  #expire(): void {
    if (!this.isHeld()) this.#cease();
  }

  #cease(): void {
    this.#cancelExpiry();
    if (this.#share === undefined) return;
    this.#share = undefined;
    this.#listeners.notify(false);
  }
}
