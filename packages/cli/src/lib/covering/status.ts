import { type Cell, isInsufficient } from '@policy-machinery/guarantees/coverage';
import type { Colors } from '@policy-machinery/text';

/**
 * Whether requests are protected: by a concern in force (`covered`), or by one that lets some of them pass (`weak`). Requests without the concern are
 * `uncovered` if it is lost, off or required, `accepted` if there is an accepted reason, and otherwise `absent`. Or it is not known, or not needed.
 */
export type Status = 'uncovered' | 'weak' | 'unknown' | 'accepted' | 'absent' | 'covered' | 'not-needed';

export const statuses: readonly Status[] = [
  'uncovered',
  'weak',
  'unknown',
  'accepted',
  'absent',
  'covered',
  'not-needed',
];

const none: Cell = { state: 'none' };

/**
 * Returns the status of requests for a concern.
 *
 * @param cell How the requests meet the concern. Default: nothing is set.
 * @param isRequired Whether the concern is required of them.
 */
export function statusOf(cell: Cell = none, isRequired: boolean): Status {
  const { state, strength = 'full' } = cell;
  if (state === 'not-needed' || state === 'unknown') return state;
  if (state === 'lost' || state === 'off') return 'uncovered';
  if (state === 'none') return isRequired ? 'uncovered' : 'absent';
  return isInsufficient(strength) ? 'weak' : 'covered';
}

/** Returns the worse of two statuses. */
export function worse(a: Status, b: Status): Status {
  return statuses.indexOf(a) <= statuses.indexOf(b) ? a : b;
}

/** The sign of each status: readers without colors can distinguish them. */
export const signs: Readonly<Record<Status, string>> = {
  uncovered: '✕',
  weak: '◐',
  unknown: '?',
  accepted: '∙',
  absent: '○',
  covered: '✓',
  'not-needed': '–',
};

/** The meaning of each sign. */
export const meanings: Readonly<Record<Status, string>> = {
  uncovered: 'lost, off, or missing where required (*)',
  weak: 'some requests pass without it',
  unknown: 'not known',
  accepted: 'missing, and accepted',
  absent: 'none',
  covered: 'all',
  'not-needed': 'not needed',
};

export function paintOf(status: Status, colors: Colors): (text: string) => string {
  const paints: Readonly<Record<Status, (text: string) => string>> = {
    uncovered: colors.red,
    weak: colors.yellow,
    unknown: colors.magenta,
    accepted: colors.dim,
    absent: colors.dim,
    covered: colors.green,
    'not-needed': colors.dim,
  };
  return paints[status];
}
