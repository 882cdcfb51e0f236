import { setNewest } from '../bounds/set-newest.ts';
import type { Clock } from '../time/clock.ts';
import { type ObjectWrite, partOf } from './object-write.ts';

/** The number of written parts above which the oldest is forgotten. */
const limit = 10_000;

/** Restorations further apart than this are no fight with another manager. In milliseconds. */
const window = 600_000;

/** The wait after the second restoration in a row, which doubles, and the longest. In milliseconds. */
const wait = { first: 1000, cap: 300_000 };

interface Written {
  readonly digest: number;
  /** How often in a row this content was written again, after another manager had changed it. */
  readonly restorations: number;
  readonly at: number;
}

/**
 * Notices writes that restore what another manager has changed: a part of an object gets the content that it got from the last write. The
 * second restoration in a row and all that follow wait longer and longer, so that two controllers do not overwrite each other without end.
 */
export class RestoredWrites {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #uidOf: (locator: string) => string | undefined;
  readonly #byPart = new Map<string, Written>();

  /** @param uidOf Returns the `uid` of an object. An object that is created again has got nothing yet. */
  constructor(clock: Pick<Clock, 'monotonic'>, uidOf: (locator: string) => string | undefined) {
    this.#clock = clock;
    this.#uidOf = uidOf;
  }

  /** Takes a write that was made. Returns how often in a row its content was restored; 0 if the content is new. */
  made(write: ObjectWrite): number {
    const part = this.#partOf(write);
    const digest = digestOf(write);
    const restorations = (this.#last(part, digest)?.restorations ?? -1) + 1;
    setNewest(this.#byPart, part, { digest, restorations, at: this.#clock.monotonic() }, limit);
    return restorations;
  }

  /** Returns how long a write should wait, in milliseconds; `undefined` unless it is the second restoration in a row, or a later one. */
  waitOf(write: ObjectWrite): number | undefined {
    if (this.#byPart.size === 0) return undefined;
    const last = this.#last(this.#partOf(write), digestOf(write));
    if (last === undefined || last.restorations === 0) return undefined;
    const until = last.at + Math.min(wait.cap, wait.first * 2 ** (last.restorations - 1));
    return Math.max(0, until - this.#clock.monotonic());
  }

  /** What a write applies, it brings back as well if another manager has deleted the object. */
  #partOf(write: ObjectWrite): string {
    return write.action === 'apply' ? partOf(write) : `${partOf(write)}@${this.#uidOf(write.locator) ?? ''}`;
  }

  /** Returns the last write to a part, if it had the same content and was not long ago. */
  #last(part: string, digest: number): Written | undefined {
    const written = this.#byPart.get(part);
    return written?.digest === digest && this.#clock.monotonic() - written.at < window ? written : undefined;
  }
}

/** Returns a number for what a write sets, whatever the object's version and the times of transitions. FNV-1a, 32 bits. */
function digestOf({ apply: { metadata: _version, ...content } }: ObjectWrite): number {
  const text = JSON.stringify(content, (key, value: unknown) => (key === 'lastTransitionTime' ? undefined : value));
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  return digest;
}
