import type { ConcernName } from '@policy-machinery/policy-kind';
import { UsageError } from '../model/usage-error.ts';
import { concernNamed } from './concern-columns.ts';

/** The findings that make the exit code 1. */
export interface FailOn {
  readonly isOn: boolean;
  /** The concerns that must cover all requests; none for the required ones. */
  readonly concerns: readonly ConcernName[];
}

/**
 * Reads `--fail-on`: `uncovered`, `uncovered:authentication,rate-limit`, or `none`.
 *
 * @throws {UsageError} For anything else.
 */
export function failOnOf(text = 'none'): FailOn {
  const [what, ...names] = text.split(':');
  if (what === 'none' && names.length === 0) return { isOn: false, concerns: [] };
  if (what !== 'uncovered') {
    throw new UsageError(`--fail-on ${text} is not known; write uncovered, uncovered:authentication or none`);
  }
  return { isOn: true, concerns: names.flatMap((name) => name.split(',')).map(concernNamed) };
}
