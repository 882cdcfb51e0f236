import { describe, expect, it } from 'vitest';
import { type Credentials, cachedCredentials } from './credentials.ts';

const tokenCredentials = (token: string): Credentials => ({ headers: { authorization: token }, tls: {} });

describe('cachedCredentials', () => {
  it('reads again after a minute, or when fresh ones are requested', async () => {
    let now = 0;
    let count = 0;
    const read = cachedCredentials(
      () => tokenCredentials(`token ${++count}`),
      () => now,
    );
    const token = async (fresh?: boolean) => (await read(fresh)).headers.authorization;
    expect(await token()).toBe('token 1');
    now = 59_999;
    expect(await token()).toBe('token 1');
    now = 60_000;
    expect(await token()).toBe('token 2');
    expect(await token(true)).toBe('token 3');
  });

  it('keeps the last ones while they cannot be read', async () => {
    let isBroken = false;
    const read = cachedCredentials(
      () => {
        if (isBroken) throw new Error('no such file');
        return tokenCredentials('token');
      },
      () => 0,
    );
    expect(await read()).toEqual(tokenCredentials('token'));
    isBroken = true;
    expect(await read(true)).toEqual(tokenCredentials('token'));
  });
});
