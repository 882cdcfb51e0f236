import type { ResourceRef } from '@policy-machinery/resource';
import { policyStates } from '../answers/policy-state.ts';
import { unreachedIn } from '../answers/unreached.ts';
import type { StateOutcome } from '../model/state-outcome.ts';
import type { Comparison } from './compare.ts';

export interface OutcomeChange {
  readonly policy: ResourceRef;
  /** The outcome before; `undefined` if the policy does not exist. */
  readonly before: StateOutcome | undefined;
  readonly after: StateOutcome | undefined;
  /** The reason for the outcome after the change; before it, if the policy is removed. */
  readonly message: string;
  /** Whether the policy still exists, and loses all effect. */
  readonly isLost: boolean;
}

/** The outcomes of policies with effect. */
const inForce: ReadonlySet<StateOutcome | undefined> = new Set(['enforced', 'partly-enforced', 'not-merged']);

/** The outcomes that say nothing of an effect: the policy is gone, or the answer depends on a renderer, or on objects that are not in the input. */
const unknown: ReadonlySet<StateOutcome | undefined> = new Set([undefined, 'not-rendered', 'undecided']);

/**
 * Returns the policies with an outcome that changes, also because other routes take the requests of their targets.
 *
 * @returns The policies, sorted by locator.
 */
export function outcomeChanges({ before: old, after: young, impact }: Comparison): readonly OutcomeChange[] {
  const reached = [old, young].map((world) => unreachedIn(world).outcomes);
  const affected = impact.outcomes.map(({ policy }) => policy);
  const policies = new Set([...affected, ...reached.flatMap((outcomes) => [...outcomes.keys()])]);
  const [before, after] = [old, young].map((world, side) => {
    const states = policyStates(world, world.views, policies);
    return new Map(states.map((it) => [it.policy.locator, { ...it, ...reached[side]?.get(it.policy.locator) }]));
  });
  return [...policies].sort().flatMap((locator): readonly OutcomeChange[] => {
    const [was, is] = [before?.get(locator), after?.get(locator)];
    const state = is ?? was;
    if (state === undefined || was?.outcome === is?.outcome) return [];
    const isLost = inForce.has(was?.outcome) && !unknown.has(is?.outcome) && !inForce.has(is?.outcome);
    return [{ policy: state.ref, before: was?.outcome, after: is?.outcome, message: state.message, isLost }];
  });
}
