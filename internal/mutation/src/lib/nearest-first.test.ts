import { expect, it } from 'vitest';
import { nearestFirst } from './nearest-first.ts';

it('puts the tests beside a file first, then the tests of its package', () => {
  const tests = ['/p/x/other/b.test.ts', '/q/c.test.ts', '/p/x/lib/a.test.ts', '/p/x/other/d.test.ts'];
  expect(nearestFirst('/p/x/lib/a.ts', tests, String)).toEqual([
    '/p/x/lib/a.test.ts',
    '/p/x/other/b.test.ts',
    '/p/x/other/d.test.ts',
    '/q/c.test.ts',
  ]);
});
