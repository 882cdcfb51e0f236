import { Verifier, type VerifyInput } from '../live/verifier.ts';
import type { Guarantee } from '../model/guarantee.ts';
import type { Verdict } from './verdict.ts';

/**
 * Verifies guarantees: whether each holds for every request that a route takes.
 *
 * The answer is never a guess. All requests that a match of a rule takes meet the same policies, so each match is a class of requests; a match is not
 * considered if all of its requests go to earlier matches. A guarantee that does not hold for a class is broken, with a request of the class; if
 * facts that are not known decide whether there is such a request, such as regular expressions and ages, it is undecided.
 *
 * @param input The topology and the effective policies.
 * @returns The verdicts, in the order of the guarantees. O(m log m) for m matches, with a rule's backends and the policies that differ.
 * @throws {PolicyMachineryError} `invalid-guarantee`, with all faults of the guarantees, such as an expression that reads an unknown variable.
 * @example
 * ```ts
 * const [verdict] = verify({ topology, kinds: [verifiedKind(effective)] }, [
 *   { name: 'authenticated', holds: 'has(policies.AuthPolicy)' },
 * ]);
 * if (verdict?.answer === 'broken') for (const example of verdict.counterexamples) console.log(formatRequest(example));
 * ```
 */
export function verify(input: VerifyInput, guarantees: readonly Guarantee[]): readonly Verdict[] {
  return Verifier.make(input, false).verdicts(guarantees);
}
