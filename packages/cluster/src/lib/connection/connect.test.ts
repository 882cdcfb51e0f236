import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeApiServer, createFakeClock } from '@policy-machinery/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Connection, connect, createSources, kubectlTransport } from '../../index.ts';
import { cert, key } from './certificate.fixture.ts';
import { connectInCluster } from './in-cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
let server: Server;
let port = 0;
let validToken = 'first';

beforeAll(async () => {
  server = createServer({ key, cert }, (request, response) => {
    const { authorization = 'none', 'user-agent': agent } = request.headers;
    response.statusCode = authorization === `Bearer ${validToken}` ? 200 : 401;
    response.end(JSON.stringify({ path: request.url, agent }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function write(file: string, text: string): string {
  writeFileSync(join(folder, file), text);
  return join(folder, file);
}

async function get(connection: Connection, path = '/version') {
  const response = await connection.request({ method: 'GET', path });
  return [response.status, await response.json()];
}

describe('a pod', () => {
  const options = () => ({
    env: { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(port) },
    folder,
    userAgent: 'timeouts',
  });

  it('connects by its service account, and follows its token', async () => {
    validToken = 'first';
    write('token', 'first\n');
    write('ca.crt', cert);
    write('namespace', 'policies\n');
    const connection = await connectInCluster(options());
    expect(connection).toMatchObject({ server: `https://127.0.0.1:${port}`, namespace: 'policies' });
    expect(await get(connection)).toEqual([200, { path: '/version', agent: 'timeouts' }]);
    validToken = 'second';
    write('token', 'second\n');
    expect((await get(connection))[0]).toBe(200);
    connection.close();
  });

  it('reports missing parts', async () => {
    const there = options();
    await expect(connectInCluster({ ...there, folder: join(folder, 'nowhere') })).rejects.toMatchObject({
      code: 'no-service-account',
      message: expect.stringContaining('automountServiceAccountToken: true'),
    });
  });

  it('does not talk to a server with another certificate', async () => {
    write('ca.crt', '');
    const connection = await connectInCluster(options());
    await expect(get(connection)).rejects.toMatchObject({ name: 'TransportError' });
    connection.close();
  });

  it('trusts a new authority as soon as the file has it', async () => {
    validToken = 'first';
    write('token', 'first');
    write('ca.crt', '');
    const connection = await connectInCluster(options());
    await expect(get(connection)).rejects.toMatchObject({ name: 'TransportError' });
    write('ca.crt', cert);
    expect((await get(connection))[0]).toBe(200);
    connection.close();
  });
});

describe('connect', () => {
  const kubeconfig = (context = 'test', user: object = { token: 'from-kubeconfig' }) =>
    write(
      'config.json',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': context,
        clusters: [
          {
            name: 'here',
            cluster: {
              server: `https://127.0.0.1:${port}`,
              'certificate-authority-data': Buffer.from(cert).toString('base64'),
            },
          },
        ],
        users: [{ name: 'me', user }],
        contexts: [
          { name: 'test', context: { cluster: 'here', user: 'me', namespace: 'shop' } },
          { name: 'lost', context: { cluster: 'gone', user: 'me' } },
        ],
      }),
    );

  it('uses a kubeconfig', async () => {
    validToken = 'from-kubeconfig';
    const connection = await connect({ kubeconfig: kubeconfig(), userAgent: 'timeouts' });
    expect(connection).toMatchObject({ server: `https://127.0.0.1:${port}`, namespace: 'shop' });
    expect(await get(connection, '/api')).toEqual([200, { path: '/api', agent: 'timeouts' }]);
    connection.close();
  });

  it('reads the tokenFile of a kubeconfig, and again when the token is refused', async () => {
    write('user-token', 'first\n');
    validToken = 'first';
    const connection = await connect({ kubeconfig: kubeconfig('test', { tokenFile: 'user-token' }) });
    expect((await get(connection))[0]).toBe(200);
    validToken = 'second';
    write('user-token', 'second\n');
    expect((await get(connection))[0]).toBe(200);
    connection.close();
  });

  it('runs the program of a kubeconfig for a token, and again when the token is refused', async () => {
    const token = write('exec-token', 'first');
    const credential =
      '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}';
    const args = ['-c', `printf '${credential}' "$(cat ${token})"`];
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh', args, interactiveMode: 'Never' };
    validToken = 'first';
    const connection = await connect({ kubeconfig: kubeconfig('test', { exec }) });
    expect(await get(connection, '/api')).toMatchObject([200, { path: '/api' }]);
    validToken = 'second';
    write('exec-token', 'second');
    expect(await get(connection, '/apis')).toMatchObject([200, { path: '/apis' }]);
    connection.close();
  });

  it('names the package that a kubeconfig needs, if it is not installed', async () => {
    vi.doMock('@kubernetes/client-node', () => {
      throw new Error('Cannot find package');
    });
    try {
      await expect(connect({ kubeconfig: kubeconfig() })).rejects.toMatchObject({
        code: 'no-client-node',
        message: expect.stringContaining('npm install @kubernetes/client-node@^1.4'),
      });
    } finally {
      vi.doUnmock('@kubernetes/client-node');
    }
  });

  it.each([
    ['a missing file', { kubeconfig: '/nowhere/config' }, 'cannot connect by /nowhere/config'],
    ['a missing context', { context: 'prod' }, 'it does not have the context "prod", but test, lost'],
    ['a context without a cluster', { context: 'lost' }, 'context "lost" does not have a cluster'],
  ])('explains the fault of %s', async (_, options, message) => {
    await expect(connect({ kubeconfig: kubeconfig(), ...options })).rejects.toMatchObject({
      code: 'invalid-kubeconfig',
      message: expect.stringContaining(message),
    });
  });

  it('uses the address of a server that needs no credentials', async () => {
    const clock = createFakeClock();
    const kind = { group: 'example.com', kind: 'Thing', versions: ['v1'] };
    const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'one', namespace: 'shop' } };
    const fake = createFakeApiServer({ clock, kinds: [kind], objects: [thing] });
    const { url, close } = await fake.listen();
    const connection = await connect({ server: url });
    const sources = createSources(connection, [kind]);
    for await (const { upsert } of sources) if (upsert.length > 0) break;
    expect(sources.get('thing.example.com:shop/one')).toMatchObject(thing);
    sources.close();
    connection.close();
    await close();
  });

  it('proves a server by given certificates, and leaves credentials to the requests', async () => {
    validToken = 'viewer';
    const url = `https://127.0.0.1:${port}`;
    const connection = await connect({ server: url, ca: cert });
    const asked = { method: 'GET', path: '/version' };
    const headers = { authorization: 'Bearer viewer' };
    expect((await connection.request({ ...asked, headers })).status).toBe(200);
    expect((await connection.request(asked)).status).toBe(401);
    connection.close();
    await expect((await connect({ server: url })).request({ ...asked, headers })).rejects.toThrow(/certificate/);
  });

  it('refuses an invalid address', async () => {
    await expect(connect({ server: 'localhost 80' })).rejects.toMatchObject({ code: 'invalid-server' });
  });
});

describe('kubectlTransport', () => {
  /** A program in the place of kubectl. It gets `get --raw PATH`. */
  const kubectl = (program: string) =>
    kubectlTransport({ command: process.execPath, args: [write('kubectl.cjs', program)] });

  it('reads by kubectl get --raw', async () => {
    const transport = kubectl('console.log(JSON.stringify(process.argv.slice(2)))');
    const response = await transport.request({ method: 'GET', path: '/api/v1/pods', query: { limit: '5' } });
    expect([response.status, await response.json()]).toEqual([200, ['get', '--raw', '/api/v1/pods?limit=5']]);
  });

  it('reads lines as they come, and throws when kubectl fails in the middle', async () => {
    const transport = kubectl('console.log("{}"); setImmediate(() => process.exit(1))');
    const response = await transport.request({ method: 'GET', path: '/x' });
    const lines: string[] = [];
    const read = (async () => {
      for await (const line of response.lines()) lines.push(line);
    })();
    await expect(read).rejects.toMatchObject({ code: 'EKUBECTL' });
    expect(lines).toEqual(['{}']);
  });

  it.each([
    ['Error from server (NotFound): the server could not find the requested resource', 404, 'NotFound'],
    ['Error from server (Forbidden): pods is forbidden: User "jane" cannot list', 403, 'Forbidden'],
    ['Error from server (Expired): too old resource version', 410, 'Expired'],
    ['error: You must be logged in to the server (Unauthorized)', 401, 'Unauthorized'],
  ])('answers as the API server has: %s', async (text, code, reason) => {
    const transport = kubectl(`console.error(${JSON.stringify(text)}); process.exit(1)`);
    const response = await transport.request({ method: 'GET', path: '/x' });
    expect(response.status).toBe(code);
    expect(await response.json()).toMatchObject({ kind: 'Status', code, reason });
  });

  it('rejects without an answer of kubectl, without kubectl, and for everything but GET', async () => {
    const refused = kubectl('console.error("The connection to the server was refused"); process.exit(1)');
    await expect(refused.request({ method: 'GET', path: '/x' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const missing = kubectlTransport({ command: join(folder, 'no-kubectl') });
    await expect(missing.request({ method: 'GET', path: '/x' })).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(missing.request({ method: 'PATCH', path: '/x' })).rejects.toMatchObject({ code: 'EREADONLY' });
  });

  it('ends kubectl when the signal aborts', async () => {
    const transport = kubectl('console.log("{}"); setInterval(() => {}, 1000)');
    const controller = new AbortController();
    const response = await transport.request({ method: 'GET', path: '/x', signal: controller.signal });
    const reason = new Error('enough');
    const read = (async () => {
      for await (const _ of response.lines()) controller.abort(reason);
    })();
    await expect(read).rejects.toBe(reason);
  });
});
