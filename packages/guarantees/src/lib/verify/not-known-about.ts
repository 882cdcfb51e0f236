import type { TargetNode } from '@policy-machinery/topology';
import type { VerifiedState } from '../live/base.ts';
import { compileGuarantees } from '../model/compile.ts';
import type { RequestSelector } from '../model/guarantee.ts';
import { selectionOf } from '../model/selection.ts';
import { NotKnown } from './not-known.ts';

/**
 * Returns the unknown facts that leave guarantees about some requests undecided: about the rules that take them, and the policies that they meet.
 *
 * @param state The topology and the policy kinds.
 * @param taker The rule that takes the requests, so that other backends do not count; `none` if it is not known.
 * @returns The reasons, in sentences without a full stop; none if everything that the requests depend on is given.
 */
export function notKnownAbout(
  { topology, kinds }: Pick<VerifiedState, 'topology' | 'kinds'>,
  requests: RequestSelector,
  taker: TargetNode | 'none',
): readonly string[] {
  const notKnown = new NotKnown(topology, kinds);
  const selected = { ...selectionOf(requests), where: undefined };
  const compiled = compileGuarantees([{ name: 'requests', holds: 'policies == policies' }], { kinds });
  return compiled.flatMap((it) => notKnown.about({ ...it, requests: selected }, undefined, taker));
}
