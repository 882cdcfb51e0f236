import { describe, expect, it } from 'vitest';
import { admit } from './admit.ts';

describe('admit', () => {
  const conflicts = (a: string, b: string): boolean => [...a].some((field) => b.includes(field));

  it('keeps a policy that sets no field of an earlier one; a rejected policy rejects no other (V-N-01, C-13)', () => {
    // B shares x with A, C shares y with B only.
    expect(
      admit(
        ['A:x', 'B:xy', 'C:y'].map((policy) => policy.slice(2)),
        conflicts,
      ),
    ).toEqual({
      admitted: ['x', 'y'],
      rejected: [{ item: 'xy', by: 'x' }],
    });
  });

  it('keeps only the first if all are in conflict (E-05)', () => {
    expect(admit([1, 2, 3], () => true)).toEqual({
      admitted: [1],
      rejected: [
        { item: 2, by: 1 },
        { item: 3, by: 1 },
      ],
    });
  });
});
