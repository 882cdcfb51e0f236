import { describe, expect, it } from 'vitest';
import { trustedPath } from './trusted-path.ts';

describe.skipIf(process.platform === 'win32')('the PATH of programs that gwpolicy starts', () => {
  it.each([
    ['/usr/bin:/bin', '/usr/bin:/bin'],
    ['/ci/checkout/node_modules/.bin:/usr/bin', '/usr/bin'],
    ['/ci/checkout/node_modules/.bin/:/ci/node_modules//.bin:/usr/bin', '/usr/bin'],
    ['.:bin:./node_modules/.bin:/usr/bin:', '/usr/bin'],
    ['', ''],
  ])('of %j is %j', (path, expected) => {
    expect(trustedPath(path)).toBe(expected);
  });
});
