import { describe, expect, it } from 'vitest';
import type { AssessedRow } from './assess.ts';
import type { Status } from './status.ts';
import { summaryOf } from './summary.ts';

/** Returns one row for each status, each about a route. */
const rowsOf = (...found: readonly Status[]): readonly AssessedRow[] =>
  found.map((status, route) => ({ row: { route }, statuses: new Map([['authentication', status]]) }) as never);

describe('the answer of gwpolicy coverage', () => {
  it.each<[statuses: readonly Status[], sentence: string]>([
    [[], 'No route takes requests from a Gateway.'],
    [['covered'], 'All requests of 1 route meet authentication.'],
    [['covered', 'not-needed'], 'All requests of 2 routes meet authentication.'],
    [['uncovered', 'covered'], '1 route of 2 takes requests without authentication.'],
    [
      ['uncovered', 'uncovered', 'weak', 'unknown', 'accepted'],
      '2 routes of 5 take requests without authentication; for 1 it does not cover all of them, for 1 it is not known, 1 is accepted.',
    ],
    [['absent', 'covered'], '1 route of 2 takes requests without authentication (not required).'],
    [['weak', 'covered'], '1 route of 2 lets some requests pass without authentication.'],
    [
      ['weak', 'weak', 'unknown'],
      '2 routes of 3 let some requests pass without authentication; for 1 it is not known.',
    ],
    [['unknown', 'covered'], 'Whether 1 route of 2 has authentication is not known.'],
    [['unknown', 'unknown', 'accepted'], 'Whether 2 routes of 3 have authentication is not known; 1 is accepted.'],
    [['accepted', 'accepted', 'covered'], 'No other route of 3 takes requests without authentication; 2 are accepted.'],
  ])('about %j', (found, sentence) => {
    expect(summaryOf(rowsOf(...found), 'authentication', false, '')).toBe(sentence);
  });

  it('is limited to the input if objects may be missing', () => {
    expect(summaryOf([], 'authentication', false, ' in this input')).toBe(
      'No route in this input is known to take requests from a Gateway.',
    );
  });
});
