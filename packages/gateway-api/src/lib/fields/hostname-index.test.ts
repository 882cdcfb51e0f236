import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { narrower } from './hostname.ts';
import { hostnameTest } from './hostname-index.ts';

const name = fc
  .array(fc.constantFrom('a', 'b', 'cc'), { minLength: 1, maxLength: 4 })
  .map((labels) => labels.join('.'));
const hostname = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 4, arbitrary: name.map((it) => `*.${it}`) },
  fc.constantFrom('*', undefined),
);

describe('hostnameTest', () => {
  it('returns the same for many hostnames as comparing them one by one', () => {
    fc.assert(
      fc.property(fc.array(hostname, { maxLength: 40 }), hostname, (others, sought) => {
        const isMet = others.some((other) => narrower(sought, other) !== undefined);
        expect(hostnameTest(others)(sought)).toBe(isMet);
        expect(hostnameTest([...others, ...Array(20).fill(undefined)])(sought)).toBe(isMet); // Few, and then many.
      }),
    );
  });
});
