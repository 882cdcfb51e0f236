import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { type Socket, connect as tcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type PeerCertificate } from 'node:tls';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serveAdmission } from '../../node.ts';
import { keyPairs } from './key-pairs.fixture.ts';

type Name = keyof typeof keyPairs;

let certDir: string;
const put = async (cert: Name, key: Name = cert) => {
  await writeFile(join(certDir, 'tls.key'), keyPairs[key].key);
  await writeFile(join(certDir, 'tls.crt'), keyPairs[cert].cert);
};
beforeEach(async () => {
  certDir = await mkdtemp(join(tmpdir(), 'certificates-'));
  await put('one');
});

const local = { host: '127.0.0.1', port: 0 };
const ca = Object.values(keyPairs).map(({ cert }) => cert);

/** Sends a request, with a client's certificate if one is given. Returns the status and the body of the answer. */
async function send(
  port: number,
  body: string,
  client: object = {},
): Promise<readonly [status: number | undefined, body: string]> {
  const sent = request({ host: '127.0.0.1', port, ca, ...client, method: 'POST', path: '/validate', agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  return [response.statusCode, await text(response)];
}

/** The name in the certificate that a server shows. */
async function servedBy(port: number): Promise<PeerCertificate['subject']['CN']> {
  const socket = connect({ host: '127.0.0.1', port, ca });
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return subject.CN;
}

function writing(socket: Socket, text: string): Socket {
  socket.write(text);
  return socket;
}

const echo = async (it: Request) =>
  new Response(`${it.method} ${new URL(it.url).pathname} ${await it.text()}`, { status: 202 });

describe('serveAdmission', () => {
  it('serves a handler of the Fetch API over HTTPS', async () => {
    await using server = await serveAdmission({ ...local, fetch: echo, certDir });
    expect(await send(server.port, 'hello')).toEqual([202, 'POST /validate hello']);
  });

  it('closes the connection after a body that it reads only in part', async () => {
    const fetch = async () => new Response('enough', { status: 413 });
    await using server = await serveAdmission({ ...local, fetch, certDir });
    expect(await send(server.port, 'x'.repeat(100_000))).toEqual([413, 'enough']);
  });

  it('drops a request if its handler fails, and serves the next', async () => {
    let isBroken = true;
    const fetch = async () => {
      if (isBroken) throw new Error('no answer');
      return new Response('ok');
    };
    await using server = await serveAdmission({ ...local, fetch, certDir });
    await expect(send(server.port, '')).rejects.toThrow(/hang up|reset/);
    isBroken = false;
    expect(await send(server.port, '')).toEqual([200, 'ok']);
  });

  it('admits only clients that have a certificate of the authorities, and says so to the handler', async () => {
    await writeFile(join(certDir, 'client-ca.crt'), keyPairs.two.cert);
    const fetch = async (_: Request, sender: { readonly isApiServer: boolean }) =>
      new Response(`${sender.isApiServer}`);
    const of = (...commonNames: string[]) => ({ ca: 'client-ca.crt', commonNames });
    await using server = await serveAdmission({ ...local, fetch, certDir, clients: of('kube-apiserver', 'two') });
    expect(await send(server.port, '', keyPairs.two)).toEqual([200, 'true']);
    await expect(send(server.port, '')).rejects.toThrow();
    await expect(send(server.port, '', keyPairs.one)).rejects.toThrow();
    await using other = await serveAdmission({ ...local, fetch, certDir, clients: of('kube-apiserver') });
    await expect(send(other.port, '', keyPairs.two)).rejects.toThrow();
    await using open = await serveAdmission({ ...local, fetch, certDir });
    expect(await send(open.port, '', keyPairs.two)).toEqual([200, 'false']);
  });

  it('says so if the authorities of clients cannot be read', async () => {
    const clients = { ca: 'client-ca.crt' };
    await expect(serveAdmission({ ...local, fetch: echo, certDir, clients })).rejects.toThrow(/client-ca.crt/);
    await writeFile(join(certDir, 'client-ca.crt'), 'none');
    await expect(serveAdmission({ ...local, fetch: echo, certDir, clients })).rejects.toThrow(/cannot be used/);
  });

  it.each<[string, (port: number) => Socket]>([
    ['does not secure its connection', (port) => tcp({ host: '127.0.0.1', port })],
    ['sends no request', (port) => connect({ host: '127.0.0.1', port, ca })],
    [
      'stops within the headers',
      (port) => writing(connect({ host: '127.0.0.1', port, ca }), 'POST / HTTP/1.1\r\nhost: a\r\n'),
    ],
    [
      'stops within the body',
      (port) =>
        writing(connect({ host: '127.0.0.1', port, ca }), 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nabc'),
    ],
  ])('drops a client that %s, soon after the time is over', async (_what, open) => {
    await using server = await serveAdmission({ ...local, fetch: echo, certDir, requestTimeout: 100 });
    const socket = open(server.port).resume();
    socket.on('error', () => {});
    const dropped = once(socket, 'close').then(() => 'dropped');
    // Node by itself would look after half a minute, and after two for a connection that is not secured.
    const late = new Promise((resolve) => setTimeout(resolve, 25_000, 'late').unref());
    expect(await Promise.race([dropped, late])).toBe('dropped');
  });

  it('limits its connections', async () => {
    await using server = await serveAdmission({ ...local, fetch: echo, certDir, maxConnections: 1 });
    const first = connect({ host: '127.0.0.1', port: server.port, ca });
    await once(first, 'secureConnect');
    await expect(send(server.port, '')).rejects.toThrow();
    first.destroy();
    await vi.waitFor(async () => expect(await send(server.port, '')).toEqual([202, 'POST /validate ']), {
      timeout: 60_000,
    });
  });

  it('serves a renewed certificate without a restart', async () => {
    await using server = await serveAdmission({ ...local, fetch: echo, certDir });
    expect(await servedBy(server.port)).toBe('one');
    await put('two');
    await vi.waitFor(async () => expect(await servedBy(server.port)).toBe('two'), { timeout: 60_000 });
  });

  it('keeps its certificate while the new one cannot be used', async () => {
    const logged: string[] = [];
    const log = {
      info: (message: string) => void logged.push(message),
      error: (message: string) => void logged.push(message),
    };
    const counts: string[] = [];
    const instrument = (name: string) => ({ add: () => void counts.push(name) });
    const metrics = { counter: ({ name }: { readonly name: string }) => instrument(name) };
    await using server = await serveAdmission({ ...local, fetch: echo, certDir, log, metrics: metrics as never });
    await put('two', 'one');
    await server.reloadCertificate();
    expect(await servedBy(server.port)).toBe('one');
    expect(logged).toContain('the certificate was not renewed; the previous one is served');
    expect(counts).toContain('certwatcher_read_certificate_errors_total');
    await put('two');
    await server.reloadCertificate();
    expect(await servedBy(server.port)).toBe('two');
    expect(logged).toContain('serving with a new certificate');
  });

  it('says nothing when it reads the same certificate again', async () => {
    const logged: string[] = [];
    const log = { info: (message: string) => void logged.push(message), error: () => {} };
    await writeFile(join(certDir, 'client-ca.crt'), keyPairs.two.cert);
    const clients = { ca: 'client-ca.crt' };
    await using server = await serveAdmission({ ...local, fetch: echo, certDir, log, clients });
    await server.reloadCertificate();
    expect(logged).toEqual([]);
  });

  it('admits the clients of new authorities as soon as these are there', async () => {
    await writeFile(join(certDir, 'client-ca.crt'), keyPairs.one.cert);
    const clients = { ca: 'client-ca.crt' };
    await using server = await serveAdmission({ ...local, fetch: echo, certDir, clients });
    await expect(send(server.port, '', keyPairs.two)).rejects.toThrow();
    await writeFile(join(certDir, 'client-ca.crt'), keyPairs.two.cert);
    await server.reloadCertificate();
    expect(await send(server.port, '', keyPairs.two)).toEqual([202, 'POST /validate ']);
  });

  it('names the remedy without a certificate, and for a taken port', async () => {
    await rm(join(certDir, 'tls.key'));
    await expect(serveAdmission({ ...local, fetch: echo, certDir })).rejects.toThrow(
      /mount a Secret with tls.crt and tls.key/,
    );
    await put('one');
    await using server = await serveAdmission({ ...local, fetch: echo, certDir });
    await expect(serveAdmission({ ...local, port: server.port, fetch: echo, certDir })).rejects.toThrow(
      /choose another port/,
    );
  });

  it('answers the requests in flight before it closes', async () => {
    let [ask, release] = [() => {}, () => {}];
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const fetch = async () => {
      ask();
      await released;
      return new Response('late');
    };
    const server = await serveAdmission({ ...local, fetch, certDir });
    const response = send(server.port, '');
    await asked;
    const closed = server.close();
    release();
    expect(await response).toEqual([200, 'late']);
    await closed;
  });
});
