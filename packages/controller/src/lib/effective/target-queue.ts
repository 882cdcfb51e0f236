import { delayAfter } from './target-failure.ts';

/** A target that has failed, and when it is tried again. */
export interface FailingTarget {
  readonly failures: number;
  /** When to call again, by the monotonic clock. */
  dueAt: number;
  /** Whether the target must be called alone: it was in a call that has thrown, so that nothing is known about others in the same call. */
  readonly isAlone: boolean;
}

/**
 * The targets that a data plane must be told about. Targets without a known failure are called together. A call that throws says nothing about which
 * of its targets has failed, so they are called again in halves, until those that fail are alone. Each target that fails has its own backoff.
 * No target is in two calls at a time.
 */
export class TargetQueue {
  readonly #fresh = new Set<string>();
  readonly #halves: (readonly string[])[] = [];
  readonly #failing = new Map<string, FailingTarget>();
  /** Whether the last targets taken were in a call that has thrown. */
  #wasHalf = false;
  /** The targets in calls, with their failures so far. */
  readonly #called = new Map<string, number>();

  /** The targets that fail, each with the time of its next call. */
  get failing(): ReadonlyMap<string, FailingTarget> {
    return this.#failing;
  }

  /** Adds a target that is new or different. If it fails, it is called again at once, but still apart from others. */
  add(target: string): void {
    const failing = this.#failing.get(target);
    if (failing === undefined) this.#fresh.add(target);
    else failing.dueAt = Number.NEGATIVE_INFINITY;
  }

  /** Adds a target for a call with all targets. If it fails, it keeps its time. */
  addForAll(target: string): void {
    if (!this.#failing.has(target)) this.#fresh.add(target);
  }

  /**
   * Takes the next targets that are not known to fail; none if there is nothing to do. The targets of a call that has thrown take turns with new or
   * different ones, so that neither waits for all of the others.
   *
   * @param isWanted Returns whether a target that is new or different is taken. Default: all are.
   */
  takeFresh(isWanted: (target: string) => boolean = () => true): readonly string[] {
    const half = this.#wasHalf ? [] : this.#nextHalf();
    this.#wasHalf = half.length > 0;
    if (half.length > 0) return this.#call(half);
    const fresh = [...this.#fresh].filter((target) => !this.#called.has(target) && isWanted(target));
    return this.#call(fresh.length > 0 ? fresh : this.#nextHalf());
  }

  #nextHalf(): readonly string[] {
    while (this.#halves.length > 0) {
      const half =
        this.#halves.shift()?.filter((target) => !this.#called.has(target) && !this.#fresh.has(target)) ?? [];
      if (half.length > 0) return half;
    }
    return [];
  }

  /** Has targets that fail called again at once. Returns whether there are any. */
  hurry(targets: Iterable<string>): boolean {
    let areThere = false;
    for (const target of targets) {
      const failing = this.#failing.get(target);
      if (failing === undefined) continue;
      failing.dueAt = Number.NEGATIVE_INFINITY;
      areThere = true;
    }
    return areThere;
  }

  /** Takes everything: targets that are new or different, and those that fail. */
  takeAll(): readonly string[] {
    const targets = new Set([...this.#halves.flat(), ...this.#fresh, ...this.#failing.keys()]);
    this.#halves.length = 0;
    return this.#call([...targets].filter((target) => !this.#called.has(target)));
  }

  /** Takes the next targets that have failed and are due: one that must be alone, or all others. */
  takeDue(time: number): readonly string[] {
    const due = [...this.#failing].filter(([, { dueAt }]) => dueAt <= time).sort(([, a], [, b]) => a.dueAt - b.dueAt);
    const alone = due.find(([, { isAlone }]) => isAlone);
    const together = due.filter(([, { isAlone }]) => !isAlone);
    return this.#call(together.length > 0 ? together.map(([target]) => target) : alone === undefined ? [] : [alone[0]]);
  }

  /** The targets that are not known to fail, and wait for a call. */
  get waiting(): readonly string[] {
    return [...this.#halves.flat(), ...this.#fresh];
  }

  /** When the next target that fails is due, by the monotonic clock; infinite if none fails. */
  get nextDue(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#failing.values()) next = Math.min(next, dueAt);
    return next;
  }

  #call(targets: readonly string[]): readonly string[] {
    for (const target of targets) {
      this.#called.set(target, this.#failing.get(target)?.failures ?? 0);
      this.#fresh.delete(target);
      this.#failing.delete(target);
    }
    return targets;
  }

  /** Records that a call has ended well for some of its targets. */
  succeeded(targets: Iterable<string>): void {
    for (const target of targets) this.#called.delete(target);
  }

  /** Records that a call has failed for a target. It is due at once if it has changed meanwhile. */
  failed(
    target: string,
    time: number,
    { retryIn, isAlone = false }: { retryIn?: number | undefined; isAlone?: boolean } = {},
  ): number {
    const failures = (this.#called.get(target) ?? 0) + 1;
    this.#called.delete(target);
    const delay = retryIn ?? delayAfter(failures);
    const dueAt = this.#fresh.delete(target) ? Number.NEGATIVE_INFINITY : time + delay;
    this.#failing.set(target, { failures, dueAt, isAlone });
    return delay;
  }

  /** Has targets of a call that has thrown called again in halves. */
  split(targets: readonly string[]): void {
    this.succeeded(targets);
    const middle = (targets.length + 1) >> 1;
    this.#halves.push(targets.slice(0, middle), targets.slice(middle));
  }

  /** Takes back the targets of a call that may have ended early. */
  giveBack(targets: Iterable<string>): void {
    for (const target of targets) {
      this.#called.delete(target);
      this.#fresh.add(target);
    }
  }
}
