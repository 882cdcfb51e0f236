import { type AncestorKey, compareParts } from './ancestor.ts';
import type { ConditionUpdate } from './condition.ts';

/**
 * How to handle more ancestors than a status can hold:
 * - `refuse-and-signal`: existing entries stay. Among new entries, those that reject the policy come last; entries that do not
 *   fit are refused, for you to signal elsewhere.
 * - `truncate-aggregated`: the most important entries stay, and the last one reports that there are more.
 */
export type AncestorOverflow = 'refuse-and-signal' | 'truncate-aggregated';

/** An ancestor that needs an entry. */
export interface Candidate {
  readonly key: AncestorKey;
  readonly conditions: readonly ConditionUpdate[];
  /** Whether it already has an entry. */
  readonly isPresent: boolean;
}

interface OverflowRule {
  readonly precedence: (candidate: Candidate) => readonly (string | number)[];
  /** Whether entries that do not fit must be signalled elsewhere. */
  readonly signals: boolean;
  /** The addition to the last entry if others do not fit. */
  readonly onLast: readonly ConditionUpdate[];
}

/** The type of the condition that only this package writes, and removes. */
export const aggregatedType = 'Aggregated';

const aggregated: ConditionUpdate = {
  type: aggregatedType,
  status: 'True',
  reason: 'Aggregated',
  message: 'The policy has more ancestors than its status can hold; the others are left out.',
};

export const overflowRules: Readonly<Record<AncestorOverflow, OverflowRule>> = {
  'refuse-and-signal': {
    precedence: ({ isPresent, conditions, key }) => [isPresent ? 0 : 1, isRejected(conditions) ? 1 : 0, ...key.parts],
    signals: true,
    onLast: [],
  },
  'truncate-aggregated': {
    precedence: ({ conditions, key: { parts } }) => [urgency(conditions), ...parts.slice(2, 4), ...parts],
    signals: false,
    onLast: [aggregated],
  },
};

export function byPrecedence<Item extends Candidate>(
  overflow: AncestorOverflow,
  candidates: readonly Item[],
): readonly Item[] {
  const { precedence } = overflowRules[overflow];
  const ranked = candidates.map((candidate) => ({ candidate, rank: precedence(candidate) }));
  return ranked.sort((a, b) => compareParts(a.rank, b.rank)).map(({ candidate }) => candidate);
}

/** Returns the rank of an entry by urgency: rejected first, then overridden, then the rest. */
function urgency(conditions: readonly ConditionUpdate[]): number {
  if (isRejected(conditions)) return 0;
  return conditions.some(({ reason }) => reason === 'Overridden') ? 1 : 2;
}

function isRejected(conditions: readonly ConditionUpdate[]): boolean {
  return conditions.some(({ type, status }) => type === 'Accepted' && status === 'False');
}
