import type { WriteOutcome } from '@policy-machinery/cluster';

/** The status code of an API server that is busy, which is not a fault as long as it asks for short pauses, in milliseconds. */
const tooManyRequests = 429;
const longPause = 10_000;

/** The number of refusals that are remembered. */
const limit = 10_000;

/** The refusals of writes, so that one that goes on for the same reason is reported once. */
export class Refusals {
  readonly #reasons = new Map<string, string>();

  /** Takes an outcome. Returns whether it is a refusal that was not reported yet. */
  isNew({ write: { locator }, result, message = '' }: WriteOutcome): boolean {
    if (result === 'written' || result === 'gone') this.#reasons.delete(locator);
    return result === 'refused' && this.add(locator, message);
  }

  /** Takes why an object cannot be written. Returns whether that was not reported yet. */
  add(locator: string, reason: string): boolean {
    if (this.#reasons.get(locator) === reason) return false;
    if (this.#reasons.size >= limit) this.#reasons.clear();
    this.#reasons.set(locator, reason);
    return true;
  }
}

/** Returns whether a write has failed for a reason that people should know of, and is made again. */
export function isFault({ result, code, retryIn = 0 }: WriteOutcome): boolean {
  if (result === 'gone') return retryIn > 0;
  return result === 'retried' && (code !== tooManyRequests || retryIn >= longPause);
}
