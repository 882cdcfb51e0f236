import { describe, expect, it } from 'vitest';
import { admit } from './admit.ts';

describe('admit', () => {
  const conflicts = (a: string, b: string): boolean => [...a].some((field) => b.includes(field));

  it('lets stay whoever sets nothing that one before it sets; who was rejected rejects nobody (V-N-01, C-13)', () => {
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

  it('keeps the first alone where all are in conflict (E-05)', () => {
    expect(admit([1, 2, 3], () => true)).toEqual({
      admitted: [1],
      rejected: [
        { item: 2, by: 1 },
        { item: 3, by: 1 },
      ],
    });
  });
});
