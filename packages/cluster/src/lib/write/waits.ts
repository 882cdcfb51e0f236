import { setNewest } from '../bounds/set-newest.ts';
import type { Clock } from '../time/clock.ts';
import { type WaitReason, waitRules } from './wait-rules.ts';

/** Above this number of waits, and of written contents, the oldest are forgotten. */
const limit = 10_000;

/** After so many parts in a row have failed for the same reason, the kind or the server waits as well. */
const several = 3;

/** A content that is written again later than this was not restored. In milliseconds. */
const restorationWindow = 600_000;

/** A write, as far as waits depend on it. */
export interface AttemptedWrite {
  readonly part: string;
  readonly kind: string;
  /** The content. Two writes with the same content are the same write. */
  readonly content: string;
  /** The version of the object that it was planned from; `undefined` if the write does not depend on one. */
  readonly version?: string | undefined;
}

interface Wait {
  readonly reason: WaitReason;
  readonly kind: string;
  readonly content: string;
  readonly version?: string | undefined;
  readonly until: number;
  /** How often in a row the key has failed with this content. */
  readonly failures: number;
  /** Whether the success of another write to the kind has ended such a wait after the first failure. */
  readonly isReleased: boolean;
  readonly onOver: () => void;
  readonly cancel: () => void;
}

interface Written {
  readonly content: string;
  /** How often in a row this content was written again, after another manager had changed it. */
  readonly restorations: number;
  readonly writtenAt: number;
}

/** The key of the wait of all writes. */
const server = '';

/**
 * Decides when a write may be sent. A part of an object, a kind, or the whole server has a wait, with a time, a reason and a content. A wait ends:
 *
 * - with its time;
 * - for a part: when a write with another content comes, or when a write to the part succeeds;
 * - for a part that was refused: also when its object has another version;
 * - for a part that failed by itself: also with the first write to its kind that succeeds, once;
 * - for a kind: when a write to it succeeds;
 * - for the server: when it answers.
 *
 * Failures in a row are counted beyond the time, so that the next wait is longer.
 */
export class Waits {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #waits = new Map<string, Wait>();
  /** The parts of each kind, or of the server, that have failed in a row for a reason that spreads. */
  readonly #troubled = new Map<string, Set<string>>();
  /** The parts of each kind that wait until a write to the kind succeeds. */
  readonly #releasable = new Map<string, Set<string>>();
  readonly #written = new Map<string, Written>();

  /** @param random Returns numbers from 0 up to 1. */
  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The number of known waits. Waits that are over are forgotten above a limit, the oldest first. */
  get size(): number {
    return this.#waits.size;
  }

  /** Returns whether all writes to a kind fail, so that one attempt is enough to find out more. Default: all writes to the server. */
  isTroubled(kind = server): boolean {
    return this.#waits.has(kind);
  }

  /** Returns the time until writes to a kind may be sent, in milliseconds. Default: until any write may be sent. */
  leftOf(key = server): number {
    return this.#left(this.#waits.get(key));
  }

  /** Returns the time until a write may be sent, in milliseconds. */
  leftFor({ part, kind }: AttemptedWrite): number {
    return Math.max(this.leftOf(part), this.leftOf(kind), this.leftOf());
  }

  /** Returns whether a write waits, and the next step: it is sent again, or its object is planned again. The wait of another write ends. */
  waiting({ part, content, version }: AttemptedWrite): 'send' | 'plan' | undefined {
    const wait = this.#waits.get(part);
    if (wait === undefined) return undefined;
    const { next, endsWithVersion } = waitRules[wait.reason];
    if (wait.content === content && !(endsWithVersion && wait.version !== version))
      return this.#left(wait) > 0 ? next : undefined;
    this.end(part);
    return undefined;
  }

  /** Returns how often in a row another manager has changed a content that was written; `undefined` if the content is new. */
  restorationsOf({ part, content }: AttemptedWrite): number | undefined {
    const written = this.#written.get(part);
    if (written?.content !== content || this.#clock.monotonic() - written.writtenAt >= restorationWindow)
      return undefined;
    return written.restorations;
  }

  /**
   * Starts a wait after a failure.
   *
   * @param reason Why the write has failed.
   * @param onOver Called at the end, unless the wait ends by another content.
   * @param retryAfter The delay that the API server asks for, in milliseconds. Default: 0.
   * @returns The wait, in milliseconds.
   */
  failed(write: AttemptedWrite, reason: WaitReason, onOver: () => void, retryAfter = 0): number {
    const { part, kind } = write;
    const { spreads, endsWithKind, isShared } = waitRules[reason];
    if (isShared) {
      const remaining = this.leftOf(); // Writes that were in flight together fail together, and count once.
      return remaining > 0 ? remaining : this.#start({ part: server, kind, content: reason }, reason, onOver, 0);
    }
    const ms = this.#start(write, reason, onOver, retryAfter);
    if (endsWithKind) add(this.#releasable, kind, part);
    const scope = spreads === 'kind' ? kind : server;
    if (spreads === undefined || add(this.#troubled, scope, part).size < several) return ms;
    this.#set(scope, { reason, kind, content: reason, failures: 0, isReleased: false }, ms, onOver);
    return ms;
  }

  /**
   * Delays a write that restores a content for the second time in a row, or more often.
   *
   * @param onOver Called when the write may be sent, unless the wait ends by another content.
   * @returns The wait, in milliseconds; 0 if the write may be sent now.
   */
  delayRestoration(write: AttemptedWrite, onOver: () => void): number {
    const { part, kind, content } = write;
    const restorations = this.restorationsOf(write) ?? 0;
    const { writtenAt } = this.#written.get(part) ?? { writtenAt: 0 };
    const { first, cap } = waitRules.restored;
    const until = restorations === 0 ? 0 : writtenAt + Math.min(cap, first * 2 ** (restorations - 1));
    const ms = Math.max(0, until - this.#clock.monotonic());
    if (ms > 0) this.#set(part, { reason: 'restored', kind, content, failures: 0, isReleased: false }, ms, onOver);
    return ms;
  }

  /**
   * Takes a write that was made: nothing holds up its part and its kind any more, nor the parts of the kind that failed by themselves.
   *
   * @returns How often in a row the content was restored; 0 if it is new.
   */
  succeeded(write: AttemptedWrite): number {
    const { part, kind } = write;
    const restorations = this.written(write);
    this.end(part);
    this.end(kind);
    this.#troubled.delete(kind);
    this.answered(true);
    const releasable = this.#releasable.get(kind) ?? [];
    this.#releasable.delete(kind);
    for (const other of releasable) this.#release(other);
    return restorations;
  }

  /** Records the content of a part. Returns how often in a row it was restored; 0 if it is new. */
  written(write: AttemptedWrite): number {
    const restorations = (this.restorationsOf(write) ?? -1) + 1;
    const { part, content } = write;
    setNewest(this.#written, part, { content, restorations, writtenAt: this.#clock.monotonic() }, limit);
    return restorations;
  }

  /** Records that the API server answers, and whether it is not too busy. */
  answered(isServing: boolean): void {
    if (isServing) this.#troubled.delete(server);
    if (isServing || this.#waits.get(server)?.reason === 'unreachable') this.end(server);
  }

  /** Ends the wait of a part, and forgets its failures. */
  end(key: string): void {
    const wait = this.#waits.get(key);
    if (wait === undefined) return;
    wait.cancel();
    this.#waits.delete(key);
    this.#releasable.get(wait.kind)?.delete(key);
  }

  clear(): void {
    for (const key of [...this.#waits.keys()]) this.end(key);
  }

  /** Ends the time of a wait, once: if the part fails again, the success of others shows nothing about it. */
  #release(part: string): void {
    const wait = this.#waits.get(part);
    if (wait === undefined || wait.isReleased || this.#left(wait) === 0) return;
    this.#set(part, { ...wait, isReleased: true }, 0, wait.onOver);
  }

  #start(
    { part, kind, content, version }: AttemptedWrite,
    reason: WaitReason,
    onOver: () => void,
    asked: number,
  ): number {
    const { first, cap, isShared } = waitRules[reason];
    const wait = this.#waits.get(part);
    const lastWait = wait?.content === content ? wait : undefined;
    const failures = lastWait?.failures ?? 0;
    const doubled = Math.min(cap, first * 2 ** failures);
    // A half second of a common wait is fixed, so that a server that is down is not asked again at once.
    const ms = isShared ? 500 + Math.round(this.#random() * doubled) : Math.min(cap, Math.max(doubled, asked));
    const isReleased = lastWait?.isReleased === true;
    this.#set(part, { reason, kind, content, version, failures: failures + 1, isReleased }, ms, onOver);
    return ms;
  }

  #set(key: string, wait: Omit<Wait, 'until' | 'onOver' | 'cancel'>, ms: number, onOver: () => void): void {
    this.end(key);
    const over = () => {
      // The wait is over by its timer, whether or not the clock agrees to the last part of a millisecond.
      this.#waits.set(key, { ...started, until: Number.NEGATIVE_INFINITY });
      onOver();
    };
    const until = this.#clock.monotonic() + ms;
    const started: Wait = { ...wait, until, onOver, cancel: this.#clock.setTimeout(over, ms) };
    this.#waits.set(key, started);
    for (const [oldest, each] of this.#waits) {
      if (this.#waits.size <= limit || this.#left(each) > 0) return;
      this.end(oldest);
    }
  }

  #left(wait: Wait | undefined): number {
    return wait === undefined ? 0 : Math.max(0, wait.until - this.#clock.monotonic());
  }
}

function add(sets: Map<string, Set<string>>, key: string, value: string): Set<string> {
  const set = (sets.get(key) ?? new Set()).add(value);
  sets.set(key, set);
  return set;
}
