import { describe, expect, it } from 'vitest';
import { locatorOfRoute, route, routes, setUp } from '../server.fixture.ts';

/** Returns a server with an HTTPRoute that two clients have read, and the first has written. */
async function afterAnotherWrite() {
  const { server, request } = setUp({ objects: [route('cart', { from: 'start' })] });
  const read = await (await request('GET', `${routes}/cart`)).json();
  const put = (from: string, path = `${routes}/cart`) =>
    request('PUT', path, { body: { ...(read as object), spec: { from } } });
  const first = await put('first');
  return { first, put, spec: () => server.get(locatorOfRoute('cart'))?.spec };
}

describe('PUT', () => {
  it('replaces the version that the client has read', async () => {
    const { first, spec } = await afterAnotherWrite();
    expect(first.status).toBe(200);
    expect(spec()).toEqual({ from: 'first' });
  });

  it('is refused with 409 if another client has written meanwhile, and changes nothing', async () => {
    const { put, spec } = await afterAnotherWrite();
    const second = await put('second');
    expect([second.status, await second.json()]).toMatchObject([409, { reason: 'Conflict' }]);
    expect(spec()).toEqual({ from: 'first' });
  });
});
