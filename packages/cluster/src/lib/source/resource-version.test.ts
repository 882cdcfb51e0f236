import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareResourceVersions } from './resource-version.ts';

describe('compareResourceVersions', () => {
  it('compares numbers of any length', () => {
    const versions = fc.bigInt({ min: 1n, max: 10n ** 40n });
    fc.assert(
      fc.property(versions, versions, (one, other) => {
        const sign = Math.sign(compareResourceVersions(String(one), String(other)) ?? Number.NaN);
        expect(sign).toBe(one < other ? -1 : one > other ? 1 : 0);
      }),
    );
  });

  it.each([
    ['', '1'],
    ['0', '1'],
    ['01', '1'],
    ['1a', '1'],
    [undefined, '1'],
    ['1', undefined],
  ])('finds no order between %j and %j', (one, other) => {
    expect(compareResourceVersions(one, other)).toBeUndefined();
  });
});
