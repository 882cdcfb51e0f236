import { TransportError } from '../transport/transport.ts';
import type { Clock } from './clock.ts';

/** A signal that aborts when its time has come, or when another signal aborts. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Starts the time again, with another length if one is given. O(1); sets no timer. */
  extend(ms?: number): void;
  /** Ends the work at once. */
  abort(reason: unknown): void;
  /** Stops the time. Call it when the work is done. */
  clear(): void;
}

/**
 * Starts a deadline for a request. The signal aborts with a {@link TransportError} `ETIMEDOUT`.
 *
 * @param ms The length in milliseconds.
 * @param what The message if the time is over: `no answer to GET /api`.
 * @param parent A signal that ends the work for other reasons.
 * @returns The deadline.
 */
export function startDeadline(clock: Clock, ms: number, what: string, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  let length = ms;
  let startedAt = clock.monotonic();
  let cancel: () => void = () => {};
  const follow = () => controller.abort(parent?.reason);
  const check = () => {
    const remaining = startedAt + length - clock.monotonic();
    if (remaining > 0) cancel = clock.setTimeout(check, remaining);
    else controller.abort(new TransportError('ETIMEDOUT', `${what} within ${Math.round(length / 1000)} s`));
  };
  if (parent?.aborted) follow();
  else {
    parent?.addEventListener('abort', follow, { once: true });
    cancel = clock.setTimeout(check, length);
  }
  return {
    signal: controller.signal,
    extend(newLength = length) {
      const shorter = newLength < length;
      length = newLength;
      startedAt = clock.monotonic();
      if (!shorter || controller.signal.aborted) return;
      cancel();
      cancel = clock.setTimeout(check, length);
    },
    abort: (reason) => controller.abort(reason),
    clear() {
      cancel();
      parent?.removeEventListener('abort', follow);
    },
  };
}
