import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { createFollower, type Follower } from '@policy-machinery/effective-policy/inner';
import type { TargetClaims } from '../finalizers/finalizers.ts';
import { fingerprintOf } from './fingerprint.ts';

/** How many targets are read before other work is done. */
const targetsAtOnce = 100;

/** How many targets a standby process remembers that have lost their effective policies, beside those that it has called for: the latest ones. */
const mostGone = 100_000;

/** Finds the targets with effective policies that are news to a data plane, compared with the last call. */
export class News {
  readonly #view: EffectivePolicies<unknown>;
  readonly #follower: Follower;
  /** The fingerprint of each target in the last call. */
  readonly #told = new Map<string, string>();
  /** The next fingerprint to send, if that is known. */
  readonly #next = new Map<string, string | undefined>();
  /** Targets that are news for a reason outside of effective policies. */
  readonly #requeued = new Set<string>();
  /** Targets that have lost their effective policies while another process called, and that this one has told nothing about. */
  readonly #gone = new Set<string>();
  /** Targets that an earlier process may have told the data plane about, so that it is told even if nothing applies to them. */
  readonly #owed = new Set<string>();
  readonly #claims: Pick<TargetClaims, 'isEnding'> | undefined;

  constructor(view: EffectivePolicies<unknown>, claims: Pick<TargetClaims, 'isEnding'> | undefined) {
    this.#view = view;
    this.#claims = claims;
    this.#follower = createFollower(view.topology, [view]);
  }

  /** Has the next {@link take} return targets, whether or not their effective policies are others. */
  requeue(targets: Iterable<string>): void {
    for (const target of targets) this.#requeued.add(target);
  }

  /** Has the next {@link take} return targets, even if nothing applies to them. */
  owe(targets: Iterable<string>): void {
    for (const target of targets) this.#owed.add(target);
  }

  /**
   * Finds the news after the last call.
   *
   * @param isEverything Whether all targets with effective policies are news, and those that have gone while another process called.
   * @param onTarget Called with each target.
   * @returns A generator that finds a part each time you ask for the next value, so that other work can be done in between; it returns the policies
   * with an outcome that may differ.
   */
  *take(isEverything: boolean, onTarget: (target: string) => void): Generator<void, readonly string[], void> {
    const { effective, stale } = this.#follower.take();
    const changed = effective.flatMap(({ targets }) => targets);
    const rerouted = Array.from(stale?.rerouted ?? this.#view.targets, ({ locator }) => locator);
    const requeued = new Set(this.#requeued);
    const lost = new Set([...(isEverything ? this.#gone : []), ...this.#owed]);
    this.#requeued.clear();
    this.#owed.clear();
    if (isEverything) this.#gone.clear();
    const read = new Set<string>();
    for (const target of this.#candidates([...changed, ...rerouted, ...requeued, ...lost], isEverything)) {
      if (read.has(target)) continue;
      read.add(target);
      const next = this.#claims?.isEnding(target) === true ? undefined : fingerprintOf(this.#view, target);
      const isAsked = next === undefined ? lost.has(target) : isEverything || requeued.has(target);
      if (isAsked || next !== this.#expected(target)) {
        this.#next.set(target, next);
        onTarget(target);
      }
      if (read.size % targetsAtOnce === 0) yield;
    }
    if (isEverything) return this.#view.policies.map(({ node }) => node.locator);
    return effective.flatMap(({ policies }) => policies);
  }

  /** Returns the fingerprint that is due or was sent last for a target: no news, whether or not the data plane accepts it. */
  #expected(target: string): string | undefined {
    return this.#next.has(target) ? this.#next.get(target) : this.#told.get(target);
  }

  /** Returns the targets that may be news, some of them twice; targets of the view in the order of discovery. */
  *#candidates(changed: readonly string[], isEverything: boolean): Iterable<string> {
    yield* changed;
    if (!isEverything) return;
    yield* [...this.#told.keys()];
    for (const { locator } of this.#view.targets) yield locator;
  }

  /**
   * Takes changes in a process that does not call. Remembers which targets have lost their effective policies, because the process that calls may die
   * before its own call has them.
   */
  standBy(): void {
    this.#requeued.clear();
    for (const target of this.#follower.take().effective.flatMap(({ targets }) => targets)) {
      if (this.#view.of(target).length > 0) this.#gone.delete(target);
      else if (!this.#told.has(target)) this.#gone.add(target);
    }
    for (const target of this.#gone) {
      if (this.#gone.size <= mostGone) return;
      this.#gone.delete(target);
    }
  }

  /** Returns the content of a call that begins now about a target. */
  next(target: string): string | undefined {
    return this.#next.get(target);
  }

  /** Whether the data plane has been told the latest about a target. */
  isTold(target: string): boolean {
    const fingerprint = this.#told.get(target);
    return fingerprint !== undefined && (!this.#next.has(target) || this.#next.get(target) === fingerprint);
  }

  /** Records the targets that the data plane has accepted. */
  told(target: string, fingerprint: string | undefined): void {
    if (fingerprint === undefined) this.#told.delete(target);
    else this.#told.set(target, fingerprint);
    if (this.#next.get(target) === fingerprint) this.#next.delete(target);
  }
}
