import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { readLeaseRecord, renewedRecord } from '../lease/lease-record.ts';
import { readList } from '../source/read-list.ts';
import { systemClock } from '../time/clock.ts';
import { httpTransport } from './http-transport.ts';
import { readStatusError, statusError } from './status-error.ts';
import type { Transport, TransportResponse } from './transport.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server, and returns a transport to it. */
async function transportTo(listener: RequestListener): Promise<Transport> {
  const server = createServer(listener);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return httpTransport({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** Writes until the connection closes. */
function writeForever(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', write);
  write();
}

const request = { method: 'GET', path: '/apis' };

describe('a body without an end', () => {
  it('is not read further than it may be, and its connection is closed', async () => {
    let onClose = () => {};
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const transport = await transportTo((_, response) => {
      response.on('close', onClose);
      writeForever(response);
    });
    const response = await transport.request(request);
    await expect(response.json(1_000_000)).rejects.toMatchObject({
      code: 'EBODYTOOLONG',
      message: 'GET /apis: the answer is longer than 1000000 bytes',
    });
    await closed;
  });

  it('of an error leaves the error itself', async () => {
    const transport = await transportTo((_, response) => writeForever(response.writeHead(503, { 'retry-after': '7' })));
    const error = await readStatusError(await transport.request(request), request);
    expect(error).toMatchObject({
      code: 503,
      retryAfter: 7000,
      message:
        'GET /apis: 503 Service Unavailable: no message; the answer is without a content-type, more than 1048576 bytes',
    });
  });
});

describe('a list without an end', () => {
  const pages = (next: (page: number) => string): Transport => {
    let page = 0;
    const text = () => {
      page += 1;
      const items = Array.from({ length: 10 }, () => ({}));
      return JSON.stringify({ metadata: { resourceVersion: '1', continue: next(page) }, items });
    };
    const response = { status: 200, headers: {}, text: async () => text() } as unknown as TransportResponse;
    return { request: async () => response };
  };
  const list = (transport: Transport) => {
    const { signal } = new AbortController();
    const which = { path: '/api/v1/services', headers: {}, resourceVersion: '', clock: systemClock, signal };
    return readList({ transport, ...which, maxCharacters: 10_000 });
  };

  it.each([
    ['always has another page', (page: number) => `page ${page}`],
    ['has the same page again and again', () => 'again'],
  ])('is not read further than it may be: it %s', async (_what, next) => {
    await expect(list(pages(next))).rejects.toThrow(
      /^GET \/api\/v1\/services: the list is too long, or endless; read fewer/,
    );
  });

  it('is told from one that has many pages', async () => {
    const { items } = await list(pages((page) => (page < 20 ? `page ${page}` : '')));
    expect(items).toHaveLength(200);
  });
});

describe('a number of a server', () => {
  it.each([
    ['7', 7000],
    ['0.5', 500],
    ['99999999999', 300_000],
    ['1e308', 300_000],
    ['Infinity', 300_000],
    ['-1', undefined],
    ['0', undefined],
    ['Wed, 25 Nov 2026 10:00:00 GMT', undefined],
  ])('asks for a delay of at most five minutes: retry-after %s', (retryAfter, expected) => {
    expect(statusError({}, { what: 'GET /', code: 429, retryAfter }).retryAfter).toBe(expected);
    const details = { retryAfterSeconds: Number(retryAfter) };
    expect(statusError({ kind: 'Status', details }, { what: 'GET /', code: 429 }).retryAfter).toBe(expected);
  });

  it.each([
    [410, 410],
    [200, 500],
    [1e9, 500],
    [429.5, 500],
    ['410', 500],
  ])('is a code of errors, or 500: %s', (code, expected) => {
    expect(statusError({ kind: 'Status', code }, { what: 'GET /' }).code).toBe(expected);
  });

  it('cannot make a timer ring at once', () => {
    const timer = vi.spyOn(globalThis, 'setTimeout');
    systemClock.setTimeout(() => {}, 2 ** 40)();
    expect(timer.mock.calls.map(([, ms]) => ms)).toEqual([2 ** 31 - 1]);
    timer.mockRestore();
  });

  it('keeps a lease for an hour at most, and its transitions within the storable range', () => {
    const spec = { holderIdentity: 'other', leaseDurationSeconds: 1e15, leaseTransitions: 1e15 };
    const record = readLeaseRecord({ spec });
    expect([record.leaseDurationSeconds, record.leaseTransitions]).toEqual([3600, 2 ** 31 - 1]);
    const renewed = renewedRecord(record, { identity: 'mine', duration: 15_000, now: 0 });
    expect(renewed.leaseTransitions).toBe(2 ** 31 - 1);
    expect(readLeaseRecord({ spec: { leaseDurationSeconds: -5 } }).leaseDurationSeconds).toBe(0);
  });

  it('of groups and versions does not determine the number of requests', async () => {
    let requests = 0;
    const groups = Array.from({ length: 3000 }, (_, index) => ({ name: `g${index}`, versions: [{ version: 'v1' }] }));
    const transport = await transportTo((asked, response) => {
      requests += 1;
      response.end(JSON.stringify(asked.url === '/apis' ? { kind: 'APIGroupList', groups } : { kind: 'APIVersions' }));
    });
    await expect(discover(transport)).rejects.toThrow(
      'the server names 3000 groups and versions; at most 2000 are asked for',
    );
    expect(requests).toBe(2);
  });
});

it('a message of a server is kept to a few thousand characters', () => {
  const { message } = statusError({ kind: 'Status', message: 'x'.repeat(1_000_000) }, { what: 'GET /', code: 500 });
  expect(message.length).toBeLessThan(5000);
});
