import { describe, expect, it } from 'vitest';
import type { FaultAction } from '../../../index.ts';
import { allRoutes, route, routes, setUp } from '../server.fixture.ts';

describe('faults of a watch', () => {
  it.each<[FaultAction, readonly string[]]>([
    ['drop', ['ADDED a', 'ECONNRESET']],
    ['halfOpen', ['ADDED a']],
    ['gone', ['ADDED a', 'ERROR 410', 'end']],
    ['garbage', ['ADDED a', 'garbage', 'ADDED b', 'ADDED c']],
    ['duplicate', ['ADDED a', 'ADDED b', 'ADDED b', 'ADDED c']],
    ['forget', ['ADDED a', 'ADDED c']],
  ])('%s affects one event, after the given number of events', async (action, events) => {
    const { server, clock, watch } = setUp();
    server.addFaults({ at: 'watch httproutes', after: 1, do: action });
    const told = await watch();
    server.create(route('a'), route('b'), route('c'));
    await clock.advance(0);
    expect(told).toEqual(events);
  });

  it('affects the given number of matching requests', async () => {
    const { server, clock, watch } = setUp();
    server.addFaults({ at: 'watch httproutes', times: 2, do: 'forget' }, { at: 'watch gateways', do: 'drop' });
    const told = await watch();
    server.create(route('a'), route('b'), route('c'));
    await clock.advance(0);
    expect(told).toEqual(['ADDED c']);
  });

  it('is taken back', async () => {
    const { server, clock, watch } = setUp();
    server.addFaults({ at: '*', times: 99, do: 'forget' })();
    const told = await watch();
    server.create(route('a'));
    await clock.advance(0);
    expect(told).toEqual(['ADDED a']);
  });
});

describe('faults of a request', () => {
  const create = { body: route('a') };

  it('refuse only has the effect of an error', async () => {
    const { server, request } = setUp({ faults: [{ at: 'create httproutes', do: 'refuse' }] });
    await expect(request('POST', routes, create)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(server.list({ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' })).toEqual([]);
    expect((await request('POST', routes, create)).status).toBe(201);
  });

  it('drop carries the request out, and loses the answer', async () => {
    const { request } = setUp({ faults: [{ at: '* httproutes', do: 'drop' }] });
    await expect(request('POST', routes, create)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await request('POST', routes, create)).status).toBe(409);
  });

  it('halfOpen carries the request out, and never answers', async () => {
    const { request, clock, server } = setUp({ faults: [{ at: 'create', do: 'halfOpen' }] });
    const controller = new AbortController();
    const answer = request('POST', routes, { ...create, signal: controller.signal });
    await clock.advance(3_600_000);
    controller.abort(new Error('given up'));
    await expect(answer).rejects.toThrow('given up');
    expect(server.requests.at(-1)).toMatchObject({ verb: 'create', resource: 'httproutes' });
    expect(server.requests.at(-1)?.status).toBeUndefined();
  });

  it('gone is 410 for a list', async () => {
    const { request } = setUp({ faults: [{ at: 'list httproutes', do: 'gone' }] });
    const answer = await request('GET', allRoutes);
    expect([answer.status, await answer.json()]).toMatchObject([410, { reason: 'Expired' }]);
  });

  it('a status comes with its reason and Retry-After, and the request is not carried out', async () => {
    const { request } = setUp({ faults: [{ at: 'create httproutes', do: { status: 429, retryAfter: 2 } }] });
    const answer = await request('POST', routes, create);
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '2' } });
    expect(await answer.json()).toMatchObject({ reason: 'TooManyRequests', code: 429 });
    expect((await request('POST', routes, create)).status).toBe(201);
  });

  it('a delay holds the answer back', async () => {
    const { request, clock } = setUp({ faults: [{ at: 'get /readyz', do: { delay: 5000 } }] });
    const start = clock.monotonic();
    const answered = request('GET', '/readyz').then(() => clock.monotonic() - start);
    await clock.advance(10_000);
    expect(await answered).toBe(5000);
  });

  it('matches subresources with the resource, or one subresource alone', async () => {
    const { request, server } = setUp({ objects: [route('a')] });
    server.addFaults({ at: 'patch httproutes/status', do: { status: 503 } });
    expect((await request('PATCH', `${routes}/a`, { body: {} })).status).toBe(200);
    expect((await request('PATCH', `${routes}/a/status`, { body: {} })).status).toBe(503);
    server.addFaults({ at: 'patch httproutes', do: { status: 503 } });
    expect((await request('PATCH', `${routes}/a/status`, { body: {} })).status).toBe(503);
  });

  it('must name requests', () => {
    const { server } = setUp();
    expect(() => server.addFaults({ at: 'httproutes watch now', do: 'drop' })).toThrow(
      '"httproutes watch now" names no requests; write "watch httproutes"',
    );
  });
});
