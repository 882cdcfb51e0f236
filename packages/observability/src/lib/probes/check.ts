import { messageOf } from '@policy-machinery/resource';

/** A condition for being healthy or ready. */
export interface Check {
  /** A part of the path: letters, digits, `-`, `_` and `.`. */
  readonly name: string;
  /** Returns the fault and its reason, for people; `undefined` if the check passes. Must be quick. */
  check(): string | undefined;
}

export interface CheckResult {
  readonly name: string;
  /** The fault; `undefined` if the check passes. */
  readonly fault: string | undefined;
}

/** The check that is made without others: that this process answers. */
const ping: Check = { name: 'ping', check: () => undefined };

/**
 * Prepares checks for a path.
 *
 * @param path The path, for messages: `/readyz`.
 * @returns The checks; `ping` if there are none.
 * @throws {RangeError} If a name cannot be part of a path, or two checks have the same name.
 */
export function checksOf(path: string, checks: readonly Check[] = []): readonly Check[] {
  const names = new Set<string>();
  for (const { name } of checks) {
    if (!/^[\w.-]+$/.test(name)) {
      throw new RangeError(`${path}: "${name}" cannot be the name of a check; use letters, digits, "-", "_" and "."`);
    }
    if (names.has(name)) throw new RangeError(`${path}: two checks have the name "${name}"; rename one`);
    names.add(name);
  }
  return checks.length === 0 ? [ping] : checks;
}

/** Runs a check. One that throws has failed. */
export function runCheck(check: Check): CheckResult {
  try {
    return { name: check.name, fault: check.check() };
  } catch (error) {
    return { name: check.name, fault: messageOf(error) };
  }
}
