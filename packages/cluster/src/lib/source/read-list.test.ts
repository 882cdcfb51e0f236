import { createFakeApiServer, createFakeClock } from '@policy-machinery/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listObjects } from './list-objects.ts';
import { PageLimit } from './page-limit.ts';
import { readList } from './read-list.ts';
import { boundedTransport } from './world.fixture.ts';

const maxBytes = 10_000;
const path = '/apis/example.com/v1/things';

/** Returns a server with an object of each size: the characters of an annotation. */
function serverWith(sizes: readonly number[]) {
  const clock = createFakeClock();
  const objects = sizes.map((size, index) => ({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { namespace: 'shop', name: `thing-${index}`, annotations: { padding: 'x'.repeat(size) } },
  }));
  const server = createFakeApiServer({ clock, kinds: [{ group: 'example.com', kind: 'Thing' }], objects });
  const limit = new PageLimit();
  const { signal } = new AbortController();
  return {
    server,
    limit,
    /** Returns the names in the list, and the number of requests for it. */
    async read(resourceVersion: string) {
      const before = server.requests.length;
      const transport = boundedTransport(server.transport, maxBytes);
      const { items } = await readList({
        ...{ transport, path, headers: {}, resourceVersion, clock, signal, limit, maxBytes },
      });
      const names = items.map(({ metadata }) => (metadata as { readonly name: string }).name);
      return { names: names.sort(), requests: server.requests.length - before };
    },
  };
}

const namesOf = (sizes: readonly number[]) => sizes.map((_, index) => `thing-${index}`).sort();

/** The most requests for objects of these sizes. Each has up to 500 characters besides. */
function mostRequests(sizes: readonly number[]): number {
  const characters = sizes.reduce((sum, size) => sum + size + 500, 0);
  return sizes.length / 250 + 20 * (characters / maxBytes + 1);
}

describe('a list', () => {
  it('is complete, with each object once, in few requests, whatever sizes its objects have', async () => {
    const size = fc.oneof(fc.nat(50), fc.nat(8000), fc.constant(9000));
    const versions = fc.array(fc.constantFrom('0', ''), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(size, { maxLength: 80 }), versions, async (sizes, lists) => {
        const { read } = serverWith(sizes);
        for (const resourceVersion of lists) {
          const { names, requests } = await read(resourceVersion);
          expect(names).toEqual(namesOf(sizes));
          expect(requests).toBeLessThanOrEqual(mostRequests(sizes));
        }
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 40) },
    );
  });

  it.each([
    ['160 of 9,000 characters', Array(160).fill(9000), 160 + 9],
    ['1,500 of 10 characters', Array(1500).fill(10), 110],
    ['1 of 9,000 among 1,000 of 10 characters', [...Array(500).fill(10), 9000, ...Array(500).fill(10)], 140],
  ])('of objects that are too long for a page is read: %s', async (_, sizes, most) => {
    const { read } = serverWith(sizes);
    for (const resourceVersion of ['0', '0', '']) {
      const { names, requests } = await read(resourceVersion);
      expect(names).toEqual(namesOf(sizes));
      expect(requests).toBeLessThanOrEqual(most);
    }
  });

  it('begins with the page size that was small enough for the last one, and asks for no list from a cache again', async () => {
    const { read, server } = serverWith(Array(40).fill(2000));
    const first = await read('0');
    const second = await read('0');
    expect([first.requests, second.requests]).toEqual([21, 14]);
    const [, ...later] = server.requests.filter(({ verb }) => verb === 'list');
    expect(later.filter(({ query }) => query.resourceVersion !== undefined)).toEqual([]);
  });

  it('has larger pages again when objects are small', async () => {
    const { read, limit } = serverWith([...Array(4).fill(9000), ...Array(400).fill(1)]);
    await read('');
    expect(limit.objects).toBeGreaterThan(4);
  });

  it.each(['0', ''])(
    'with an object that no page has room for is refused, and the message has the remedy: %s',
    async (version) => {
      const { read } = serverWith([10, 10_001, 10]);
      const message = `GET ${path}: the answer is longer than ${maxBytes} bytes, even for a page of one object`;
      await expect(read(version)).rejects.toMatchObject({
        code: 'EBODYTOOLONG',
        message: expect.stringMatching(
          new RegExp(`^${message}; .*labelSelector, fieldSelector or namespaces.*metadataOnly`),
        ),
      });
    },
  );

  it('from a server that ignores limits is refused after a few requests, and then after one', async () => {
    const { server } = serverWith(Array(40).fill(2000));
    const { transport: whole } = server;
    const transport = boundedTransport(
      { request: (request) => whole.request({ ...request, query: { ...request.query, limit: '' } }) },
      maxBytes,
    );
    const limit = new PageLimit();
    const list = () => {
      const { signal } = new AbortController();
      return readList({
        ...{ transport, path, headers: {}, resourceVersion: '', clock: createFakeClock(), signal, limit, maxBytes },
      });
    };
    for (const requests of [9, 10]) {
      await expect(list()).rejects.toMatchObject({ code: 'EBODYTOOLONG' });
      expect(server.requests).toHaveLength(requests);
    }
  });
});

describe('pages that expire', () => {
  it('are read as a whole, or, if that is too long, again from the first one by the next attempt', async () => {
    const { read, server } = serverWith(Array(600).fill(1));
    const { transport } = server;
    const { signal } = new AbortController();
    const clock = createFakeClock();
    const whole = { path, headers: {}, resourceVersion: '', clock, signal };
    server.addFaults({ at: 'list things', after: 1, do: 'gone' });
    expect((await readList({ ...whole, transport })).items).toHaveLength(600);

    server.addFaults({ at: 'list things', after: 20, do: 'gone' });
    await expect(read('')).rejects.toMatchObject({ code: 410 });
    expect((await read('')).names).toHaveLength(600);
  });
});

describe('listObjects', () => {
  it('reads pages with fewer objects if a page is too long', async () => {
    const { server } = serverWith(Array(40).fill(2000));
    const things = { group: 'example.com', version: 'v1', kind: 'Thing', resource: 'things' };
    expect(await listObjects(boundedTransport(server.transport, maxBytes), things)).toHaveLength(40);
  });
});
