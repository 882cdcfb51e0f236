/** A target that the data plane has not taken. */
export interface TargetFailure {
  /** Its locator: one of the call's targets. */
  readonly target: string;
  /** The problem, for the owners of its policies: their statuses have it. */
  readonly message: string;
  /** The locator of the data plane that has not taken it, such as a Gateway: `failed` of a context sets it. Default: all data planes. */
  readonly dataPlane?: string;
  /** After how many milliseconds to call again. Default: 5 ms, then twice as long each time, up to 1,000 s. */
  readonly retryIn?: number;
}

/** The delays of client-go between attempts, in milliseconds. */
const firstDelay = 5;
const longestDelay = 1_000_000;

/** Returns the delay after so many failures in a row, in milliseconds. */
export function delayAfter(failures: number): number {
  return Math.min(longestDelay, firstDelay * 2 ** (failures - 1));
}

/**
 * Returns the failures that a call has returned.
 *
 * @throws {TypeError} If the result is something else.
 */
export function failuresIn(result: unknown): readonly TargetFailure[] {
  if (result === undefined || result === null) return [];
  if (Array.isArray(result) && result.every(isFailure)) return result;
  throw new TypeError('onEffective must return nothing, or a list of failures: [{ target, message, retryIn? }]');
}

function isFailure(failure: Partial<TargetFailure> | null): boolean {
  const { target, message, retryIn = 0 } = failure ?? {};
  return typeof target === 'string' && typeof message === 'string' && retryIn >= 0; // Not NaN: it would never be due.
}
