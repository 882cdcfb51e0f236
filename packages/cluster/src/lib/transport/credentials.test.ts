import { createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { type Credentials, cachedCredentials } from './credentials.ts';

const tokenCredentials = (token: string): Credentials => ({ headers: { authorization: token }, tls: {} });

describe('cachedCredentials', () => {
  it('reads again after a minute, or when fresh ones are requested', async () => {
    const clock = createFakeClock();
    let count = 0;
    const read = cachedCredentials(() => tokenCredentials(`token ${++count}`), clock);
    const token = async (fresh?: boolean) => (await read(fresh)).headers.authorization;
    expect(await token()).toBe('token 1');
    await clock.advance(59_999);
    expect(await token()).toBe('token 1');
    await clock.advance(1);
    expect(await token()).toBe('token 2');
    expect(await token(true)).toBe('token 3');
  });

  it('keeps the last ones while they cannot be read', async () => {
    let isBroken = false;
    const read = cachedCredentials(() => {
      if (isBroken) throw new Error('no such file');
      return tokenCredentials('token');
    }, createFakeClock());
    expect(await read()).toEqual(tokenCredentials('token'));
    isBroken = true;
    expect(await read(true)).toEqual(tokenCredentials('token'));
  });

  it('gives up after half a minute on a program that hangs, and tries again with the next request', async () => {
    const clock = createFakeClock();
    let isHanging = true;
    const read = cachedCredentials(() => (isHanging ? new Promise(() => {}) : tokenCredentials('token')), clock);
    const failure = read().catch((error: Error) => error.message);
    await clock.advance(30_000);
    expect(await failure).toBe('the credentials cannot be read within 30 s');
    isHanging = false;
    expect(await read()).toEqual(tokenCredentials('token'));
  });

  it('keeps the last ones in use while a program hangs, and takes the new ones when it ends', async () => {
    const clock = createFakeClock();
    const answers: ((token: string) => void)[] = [];
    const read = cachedCredentials(
      () => new Promise((resolve) => answers.push((token) => resolve(tokenCredentials(token)))),
      clock,
    );
    const first = read();
    answers[0]?.('old');
    expect(await first).toEqual(tokenCredentials('old'));
    await clock.advance(60_000);
    const renewed = [read(), read()];
    await clock.advance(1000);
    expect(await Promise.all(renewed)).toEqual([tokenCredentials('old'), tokenCredentials('old')]);
    expect(answers).toHaveLength(2);
    answers[1]?.('new');
    await clock.advance(0);
    expect(await read()).toEqual(tokenCredentials('new'));
  });
});
