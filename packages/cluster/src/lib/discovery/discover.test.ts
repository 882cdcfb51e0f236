import { createFakeApiServer, createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { discover, type Transport } from '../../index.ts';

const kind = { group: 'example.com', kind: 'Thing', versions: ['v2', 'v1'], scope: 'Cluster' as const };

const createServer = () => createFakeApiServer({ clock: createFakeClock(), kinds: [kind] });

/** Takes away the headers that ask for aggregated discovery, as an old server ignores them. */
const plain = (transport: Transport): Transport => ({
  request: (request) => transport.request({ ...request, headers: { accept: 'application/json' } }),
});

describe('discover', () => {
  it.each([
    ['in one answer', (transport: Transport) => transport],
    ['group by group', plain],
  ])('finds all kinds %s', async (_, through) => {
    const resources = await discover(through(createServer().transport));
    const things = resources.filter((each) => each.kind === 'Thing');
    expect(things.map(({ version }) => version).sort()).toEqual(['v1', 'v2']);
    expect(things[0]).toMatchObject({
      group: 'example.com',
      resource: 'things',
      namespaced: false,
      subresources: ['status'],
    });
    expect(things[0]?.verbs).toEqual(expect.arrayContaining(['list', 'watch', 'patch']));
    expect(resources).toContainEqual(
      expect.objectContaining({ group: '', version: 'v1', kind: 'Service', resource: 'services', namespaced: true }),
    );
  });

  it('finds the same both ways', async () => {
    const { transport } = createServer();
    const names = async (through: Transport) =>
      (await discover(through)).map(({ group, version, resource }) => `${group}/${version}/${resource}`).sort();
    expect(await names(transport)).toEqual(await names(plain(transport)));
  });

  it('does not take a failure for an absence', async () => {
    const server = createServer();
    server.addFaults({ at: 'get /apis/example.com/v1', do: { status: 503 } });
    await expect(discover(plain(server.transport))).rejects.toMatchObject({ name: 'StatusError', code: 503 });
  });

  it.each([
    ['a page of a load balancer', { status: 404, text: '<html>404 Not Found</html>' }],
    ['the text of a load balancer in Go', { status: 404, text: '404 page not found\n' }],
    ['an answer without kinds', { status: 200, text: '{}' }],
  ])('does not take %s for an absence', async (_, fault) => {
    for (const [at, through] of [
      ['get /apis', (transport: Transport) => transport],
      ['get /apis/example.com/v1', plain],
    ] as const) {
      const server = createServer();
      server.addFaults({ at, do: fault });
      await expect(discover(through(server.transport))).rejects.toThrow(/^GET \/apis/);
    }
  });

  it('asks for at most ten groups and versions at a time', async () => {
    const kinds = Array.from({ length: 40 }, (_, index) => ({ ...kind, group: `group${index}.example.com` }));
    const { transport } = createFakeApiServer({ clock: createFakeClock(), kinds });
    const asked = new Set<string>();
    let most = 0;
    const counting: Transport = {
      async request(request) {
        if (request.path.startsWith('/apis/')) asked.add(request.path);
        most = Math.max(most, asked.size);
        const response = await transport.request(request);
        asked.delete(request.path);
        return response;
      },
    };
    const resources = await discover(plain(counting));
    expect([resources.filter((each) => each.kind === 'Thing').length, most]).toEqual([80, 10]);
  });

  it('leaves out a version that was just removed', async () => {
    const server = createServer();
    const { transport } = server;
    const gone: Transport = {
      request(request) {
        if (request.path === '/apis/example.com/v1') server.uninstall(kind);
        return transport.request(request);
      },
    };
    const resources = await discover(plain(gone));
    expect(resources.some(({ group, version }) => group === 'example.com' && version === 'v1')).toBe(false);
  });
});
