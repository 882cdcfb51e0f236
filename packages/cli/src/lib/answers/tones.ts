import type { Cell, Colors } from '@policy-machinery/text';
import type { StateOutcome } from '../model/state-outcome.ts';

/** The colour of each outcome, by its meaning for the owner of a policy. */
const tones: Readonly<Record<StateOutcome, 'green' | 'yellow' | 'red' | 'dim'>> = {
  enforced: 'green',
  'partly-enforced': 'yellow',
  overridden: 'yellow',
  conflicted: 'red',
  invalid: 'red',
  'target-not-found': 'red',
  'section-not-found': 'red',
  'reference-not-permitted': 'red',
  'not-in-any-path': 'dim',
  pending: 'dim',
  undecided: 'dim',
  'not-merged': 'dim',
  'not-rendered': 'dim',
  'no-requests': 'yellow',
};

export const stateOutcomes: readonly string[] = Object.keys(tones);

export function outcomeCell(outcome: StateOutcome, colors: Colors): Cell {
  return [outcome, colors[tones[outcome]]];
}
