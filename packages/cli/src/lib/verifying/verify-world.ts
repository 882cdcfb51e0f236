import { type Verdict, verify } from '@policy-machinery/guarantees';
import { PolicyMachineryError } from '@policy-machinery/resource';
import { commonExpressions } from '../answers/regular-expressions.ts';
import type { World } from '../model/world.ts';
import { type GuaranteeSource, notUsable } from './read-guarantees.ts';
import { verifiedKinds } from './verified-kinds.ts';

/**
 * Verifies guarantees. Of a world that could not be read completely, nothing is proved.
 *
 * @param world The world.
 * @param source The guarantees.
 * @returns The verdicts, in the order of the guarantees.
 * @throws {UsageError} If an expression of a guarantee is faulty, with file and line.
 */
export function verifyWorld(world: World, { guarantees, locate }: GuaranteeSource): readonly Verdict[] {
  const input = { topology: world.topology, kinds: verifiedKinds(world), regularExpression: commonExpressions() };
  try {
    return verify(input, guarantees).map((verdict) => asFarAsRead(verdict, world));
  } catch (error) {
    if (!(error instanceof PolicyMachineryError) || error.code !== 'invalid-guarantee') throw error;
    throw notUsable(error.issues.map(locate));
  }
}

/** Returns a verdict about a world that could not be read completely: it proves nothing. */
export function asFarAsRead(verdict: Verdict, { gaps }: World): Verdict {
  if (gaps.length === 0) return verdict;
  return { ...verdict, answer: 'undecided', errors: [...verdict.errors, ...gaps] };
}
