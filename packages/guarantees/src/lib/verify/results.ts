import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import { describeRule } from '@policy-machinery/effective-policy/inner';
import type { Policy } from '@policy-machinery/policy-kind';
import type { Counterexample } from './verdict.ts';

/** The policies that decide the effective policy, and the others. */
export interface PolicyResults {
  /** The policies that set a field of the effective spec. */
  readonly winners: readonly Policy<unknown>[];
  /** The policies that lost all that they set. */
  readonly lost: readonly LostPolicy[];
}

/** A policy that lost all that it sets. */
export interface LostPolicy {
  readonly policy: Policy<unknown>;
  /** The direct winners, which may have lost in turn. */
  readonly winners: readonly Policy<unknown>[];
  /** Why, as the end of a sentence: `mergeType is not set`. */
  readonly because: string;
}

/** Returns which policies of an effective policy decide, and which lost, with the winners and reasons. Merges the context again. */
export function resultsOf(effective: EffectivePolicy<unknown>): PolicyResults {
  const setters = effective.originsOf('');
  const winners = [...new Set((setters.length > 0 ? setters : effective.layers).map(({ policy }) => policy))];
  const lost = effective.losses.flatMap((loss): readonly LostPolicy[] => {
    const { policy } = loss.layer;
    if (loss.pointer !== '' || winners.includes(policy)) return [];
    const because = loss.because ?? (loss.winners.length === 0 ? describeRule(loss) : `it ${describeRule(loss.rule)}`);
    return [{ policy, winners: loss.winners.map((layer) => layer.policy), because }];
  });
  return { winners, lost };
}

/** Returns the policy that causes a counterexample: the only one that decides about its request; `undefined` without one, or with several. */
export function causingPolicy({ policies }: Pick<Counterexample, 'policies'>): Policy<unknown> | undefined {
  const [first, ...others] = new Set([...policies.values()].flatMap((effective) => resultsOf(effective).winners));
  return others.length > 0 ? undefined : first;
}
