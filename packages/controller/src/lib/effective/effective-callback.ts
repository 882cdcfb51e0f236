import { type Clock, sleep } from '@policy-machinery/cluster';
import type { EffectiveChanges, EffectiveDelta, EffectivePolicies } from '@policy-machinery/effective-policy';
import { messageOf } from '@policy-machinery/resource';
import type { EffectivePoliciesChange, PolicyControllerOptions } from '../controller-options.ts';
import type { Logger } from '../log/logger.ts';

/** The dependencies of a callback. */
export interface CallbackContext {
  readonly view: EffectivePolicies<unknown>;
  readonly onEffective: NonNullable<PolicyControllerOptions['onEffective']>;
  readonly log: Logger;
  readonly clock: Clock;
}

/** How many targets are read before other work is done. */
const targetsAtOnce = 500;

/** How many targets a standby process remembers that have lost their effective policies: the latest ones. */
const mostGone = 100_000;

/** The delays of client-go between attempts, in milliseconds. */
const firstDelay = 5;
const longestDelay = 1_000_000;

/** Calls a function with the changes in the effective policies of one kind: one call at a time, and again for the same targets if a call fails. */
export class EffectiveCallback {
  readonly #context: CallbackContext;
  readonly #changes: EffectiveChanges;
  readonly #targets = new Set<string>();
  readonly #requeued = new Set<string>();
  readonly #policies = new Set<string>();
  #failures = 0;
  #running: Promise<void> | undefined;

  constructor(context: CallbackContext) {
    this.#context = context;
    this.#changes = context.view.changes();
  }

  /**
   * Adds the changes since the last time to the next call, and the targets that were removed while another process was the leader.
   *
   * @param isEverything Whether targets and policies that have not changed are added, too.
   * @returns A generator that adds a part each time you ask for the next value, so that other work can be done in between.
   */
  *takeChanges(isEverything: boolean): Generator<void, void, void> {
    this.#add(this.#changes.take());
    const { view } = this.#context;
    for (const target of takenFrom(this.#requeued)) if (view.of(target).length > 0) this.#targets.add(target);
    if (!isEverything) return;
    for (const { node } of view.policies) this.#policies.add(node.locator);
    let read = 0;
    for (const target of view.targets) {
      if (view.of(target).length > 0) this.#targets.add(target.locator);
      read += 1;
      if (read % targetsAtOnce === 0) yield;
    }
  }

  /**
   * Takes changes in a standby process. Remembers which targets have lost their effective policies, since the leader may die before its own call
   * has them. All other targets are added when this process leads.
   */
  standBy(): void {
    this.#requeued.clear();
    for (const target of this.#changes.take().targets) {
      if (this.#context.view.of(target).length === 0) this.#targets.add(target);
      else this.#targets.delete(target);
    }
    for (const target of this.#targets) {
      if (this.#targets.size <= mostGone) return;
      this.#targets.delete(target);
    }
  }

  /** Adds targets to the next call, for a reason outside of effective policies. Those without any are left out. */
  requeue(targets: Iterable<string>): void {
    for (const target of targets) this.#requeued.add(target);
  }

  /** Calls the function as long as there are changes, until the signal aborts. Remaining changes are kept for later. */
  start(signal: AbortSignal): void {
    this.#running ??= this.#run(signal).finally(() => {
      this.#running = undefined;
    });
  }

  /** Returns a promise that resolves when no call is under way. Never rejects. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#targets.size > 0) await this.#call(signal);
  }

  #add({ targets, policies }: Pick<EffectiveDelta, 'targets' | 'policies'>): void {
    for (const locator of targets) this.#targets.add(locator);
    for (const locator of policies) this.#policies.add(locator);
  }

  async #call(signal: AbortSignal): Promise<void> {
    const { view, onEffective, log, clock } = this.#context;
    const [targets, policies] = [takenFrom(this.#targets), takenFrom(this.#policies)];
    const change: EffectivePoliciesChange = {
      kind: view.kind,
      view,
      topology: view.topology,
      targets,
      policies,
      signal,
    };
    try {
      await onEffective(change);
      if (!signal.aborted) this.#failures = 0;
      else this.#add({ targets, policies }); // It may have ended early.
    } catch (error) {
      this.#add({ targets, policies });
      if (signal.aborted) return;
      const retryIn = Math.min(longestDelay, firstDelay * 2 ** this.#failures);
      this.#failures += 1;
      log.error('onEffective failed; it is called again', { kind: view.kind.kind, error: messageOf(error), retryIn });
      await sleep(clock, retryIn, signal);
    }
  }
}

function takenFrom(locators: Set<string>): readonly string[] {
  const all = [...locators].sort();
  locators.clear();
  return all;
}
