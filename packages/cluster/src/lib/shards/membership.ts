import type { Clock } from '../time/clock.ts';
import { ownerOf } from './rendezvous.ts';

export interface MemberLease {
  /** The name of the Lease, which is the member's. */
  readonly name: string;
  /** Whether the member has let go of it. */
  readonly isReleased: boolean;
  /** How long it is valid after each change, in milliseconds. */
  readonly duration: number;
  /** The members that the member shares keys with; `undefined` if it does not say so, and may act on all. */
  readonly members: readonly string[] | undefined;
  /** Differs whenever the member has renewed it. */
  readonly version: string;
}

/** The published members, and whether they are alive: by the time after the last seen change of their Leases, on the clock of this process. */
export class Membership {
  readonly #clock: Clock;
  readonly #seen = new Map<
    string,
    { readonly lease: MemberLease; readonly changedAt: number; readonly isListed: boolean }
  >();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the Leases of all members. One that is no longer there counts until it runs out, unless it was released: others may have deleted it. */
  observe(leases: readonly MemberLease[]): void {
    const time = this.#clock.monotonic();
    const listed = new Set(leases.map(({ name }) => name));
    for (const [name, seen] of this.#seen) {
      if (listed.has(name)) continue;
      if (this.#isLive(name)) this.#seen.set(name, { ...seen, isListed: false });
      else this.#seen.delete(name);
    }
    for (const lease of leases) {
      const seen = this.#seen.get(lease.name);
      const changedAt = seen?.lease.version === lease.version ? seen.changedAt : time;
      this.#seen.set(lease.name, { lease, changedAt, isListed: true });
    }
  }

  /** The names of the members that are alive, sorted. */
  get live(): readonly string[] {
    return [...this.#seen.keys()].filter((name) => this.#isLive(name)).sort();
  }

  /** Returns whether all others that are alive have renewed their Leases after a time, so that none of them is dead already. */
  haveRenewed(member: string, since: number): boolean {
    return this.live.every((name) => name === member || (this.#seen.get(name)?.changedAt ?? since) > since);
  }

  /** The time where the next Lease runs out, on the monotonic clock. */
  get nextEnd(): number {
    return Math.min(...this.live.map((name) => this.#endOf(name)));
  }

  /** Returns the Leases that ended this long ago, in milliseconds: no member waits for them. */
  endedBefore(age: number): readonly string[] {
    const time = this.#clock.monotonic();
    return [...this.#seen].flatMap(([name, { changedAt, isListed }]) => {
      return isListed && !this.#isLive(name) && time - Math.max(this.#endOf(name), changedAt) >= age ? [name] : [];
    });
  }

  /** Returns the members that are alive and act on other members than these, so that they may claim the same keys. */
  claimsBeside(member: string, members: readonly string[]): readonly Claim[] {
    const published = members.join();
    return this.live.flatMap((name) => {
      const theirs = this.#seen.get(name)?.lease.members;
      return name === member || theirs?.join() === published ? [] : [{ name, members: theirs }];
    });
  }

  #isLive(name: string): boolean {
    const released = this.#seen.get(name)?.lease.isReleased ?? true;
    return !released && this.#clock.monotonic() < this.#endOf(name);
  }

  #endOf(name: string): number {
    const seen = this.#seen.get(name);
    return seen === undefined ? Number.NEGATIVE_INFINITY : seen.changedAt + seen.lease.duration;
  }
}

/** A member, and the members that it shares keys with. */
export interface Claim {
  readonly name: string;
  readonly members: readonly string[] | undefined;
}

/** Returns whether a member may act on a key. */
export function claims({ name, members }: Claim, key: string): boolean {
  return members === undefined || ownerOf(key, members) === name;
}
