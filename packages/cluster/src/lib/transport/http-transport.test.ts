import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { httpTransport } from './http-transport.ts';
import type { Transport } from './transport.ts';

const servers: Server[] = [];
const transports: Transport[] = [];

afterEach(() => {
  for (const transport of transports.splice(0)) transport.close?.();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

function transportTo(options: Parameters<typeof httpTransport>[0]): Transport {
  const transport = httpTransport(options);
  transports.push(transport);
  return transport;
}

describe('httpTransport', () => {
  it('sends method, path, query, headers and body, and reads the answer', async () => {
    const { url } = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { method, url: path, headers } = request;
        response.writeHead(201, { 'content-type': 'application/json', 'X-Some': 'thing' });
        response.end(
          JSON.stringify({ method, path, body, agent: headers['user-agent'], type: headers['content-type'] }),
        );
      });
    });
    const transport = transportTo({ server: `${url}/prefix/`, userAgent: 'timeouts' });
    const response = await transport.request({
      method: 'PATCH',
      path: '/api/v1/x',
      query: { fieldManager: 'a b', watch: 'false' },
      headers: { 'content-type': 'text/plain' },
      body: 'grüße',
    });
    expect([response.status, response.headers['x-some']]).toEqual([201, 'thing']);
    expect(await response.json()).toEqual({
      method: 'PATCH',
      path: '/prefix/api/v1/x?fieldManager=a+b&watch=false',
      body: 'grüße',
      agent: 'timeouts',
      type: 'text/plain',
    });
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('sends the length of the body with %s', async (method) => {
    const received: string[] = [];
    const { url } = await serve(async (request, response) => {
      request.setEncoding('utf8');
      let body = '';
      for await (const chunk of request) body += chunk;
      received.push(`${request.method} ${request.headers['content-length']} ${body}`);
      response.end('{}');
    });
    const transport = transportTo({ server: url });
    for (const body of ['{"preconditions":{"uid":"ü"}}', 'next']) {
      await (await transport.request({ method, path: '/', body })).text();
    }
    expect(received).toEqual([`${method} 30 {"preconditions":{"uid":"ü"}}`, `${method} 4 next`]);
  });

  it('reads lines as they come, and ends with the body', async () => {
    let proceed = () => {};
    const { url } = await serve(async (_, response) => {
      response.write('{"a":1}\n{"a":');
      await new Promise<void>((resolve) => {
        proceed = resolve;
      });
      response.end('2}\n');
    });
    const lines: string[] = [];
    const response = await transportTo({ server: url }).request({ method: 'GET', path: '/', query: { watch: 'true' } });
    for await (const line of response.lines()) {
      lines.push(line);
      proceed();
    }
    expect(lines).toEqual(['{"a":1}', '{"a":2}']);
  });

  it('shows the beginning of an answer that is not JSON', async () => {
    const { url } = await serve((_, response) => response.end(`<html>\u001b[2J${'x'.repeat(1000)}`));
    const response = await transportTo({ server: url }).request({ method: 'GET', path: '/x' });
    await expect(response.json()).rejects.toThrow(
      /^GET \/x: the answer with the code 200 is not JSON: "<html>\\u001b\[2Jx{246}"$/,
    );
  });

  it('throws when the connection breaks in the middle of the body', async () => {
    const { url } = await serve((_, response) => {
      response.write('{"a":1}\n');
      setImmediate(() => response.destroy());
    });
    const response = await transportTo({ server: url }).request({ method: 'GET', path: '/x' });
    const read = (async () => {
      for await (const line of response.lines()) expect(line).toBe('{"a":1}');
    })();
    await expect(read).rejects.toMatchObject({
      name: 'TransportError',
      code: 'ECONNRESET',
      message: expect.stringContaining('GET /x'),
    });
  });

  it('rejects with the code of the system without an answer', async () => {
    const { url, server } = await serve(() => {});
    await new Promise((resolve) => server.close(resolve));
    await expect(transportTo({ server: url }).request({ method: 'GET', path: '/' })).rejects.toMatchObject({
      name: 'TransportError',
      code: 'ECONNREFUSED',
    });
  });

  it('ends with the reason of the signal: before, while it waits, and while it reads', async () => {
    const { url } = await serve((request, response) => void (request.url === '/lines' && response.write('a\n')));
    const transport = transportTo({ server: url });
    const reason = new Error('enough');
    const aborted = AbortSignal.abort(reason);
    await expect(transport.request({ method: 'GET', path: '/', signal: aborted })).rejects.toBe(reason);

    const waiting = new AbortController();
    const request = transport.request({ method: 'GET', path: '/', signal: waiting.signal });
    setImmediate(() => waiting.abort(reason));
    await expect(request).rejects.toBe(reason);

    const reading = new AbortController();
    const response = await transport.request({ method: 'GET', path: '/lines', signal: reading.signal });
    const read = (async () => {
      for await (const _ of response.lines()) reading.abort(reason);
    })();
    await expect(read).rejects.toBe(reason);
  });

  it('keeps connections for the next request, and sends again when a kept one has ended', async () => {
    const sockets = new Set<unknown>();
    let requests = 0;
    const { url } = await serve((request, response) => {
      sockets.add(request.socket);
      requests += 1;
      // Ends the connection instead of the second answer.
      if (requests === 2) request.socket.destroy();
      else response.end('{}');
    });
    const transport = transportTo({ server: url });
    for (let times = 0; times < 3; times += 1) {
      await (await transport.request({ method: 'GET', path: '/' })).text();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(requests).toBe(4);
    expect(sockets.size).toBe(2);
  });

  it('gives each watch a separate connection, so that other requests need not wait', async () => {
    const { url } = await serve((request, response) => {
      if (request.url?.includes('watch=true')) response.write('{}\n');
      else response.end('{}');
    });
    const transport = transportTo({ server: url });
    const watches = Array.from({ length: 30 }, () =>
      transport.request({ method: 'GET', path: '/', query: { watch: 'true' } }),
    );
    expect((await Promise.all(watches)).map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
    expect((await transport.request({ method: 'GET', path: '/' })).status).toBe(200);
  });

  it('reads the credentials again after 401, and sends the request once more', async () => {
    const tokens = ['old', 'new', 'new'];
    const seen: (string | undefined)[] = [];
    const { url } = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.statusCode = request.headers.authorization === 'Bearer new' ? 200 : 401;
      response.end('{}');
    });
    const credentials = () => ({ headers: { authorization: `Bearer ${tokens.shift()}` }, tls: {} });
    const transport = transportTo({ server: url, credentials });
    expect((await transport.request({ method: 'GET', path: '/' })).status).toBe(200);
    expect(seen).toEqual(['Bearer old', 'Bearer new']);
  });

  it('ends with the reason of the signal while the credentials are read', async () => {
    const { url } = await serve((_, response) => response.end('{}'));
    const transport = transportTo({ server: url, credentials: () => new Promise(() => {}) });
    const controller = new AbortController();
    const failure = transport.request({ method: 'GET', path: '/', signal: controller.signal }).catch(String);
    controller.abort(new Error('the lease is lost'));
    expect(await failure).toBe('Error: the lease is lost');
  });

  it('hands 401 over when the credentials are still the same', async () => {
    let requests = 0;
    const { url } = await serve((_, response) => {
      requests += 1;
      response.writeHead(401).end('{}');
    });
    const credentials = () => ({ headers: { authorization: 'Bearer old' }, tls: {} });
    const response = await transportTo({ server: url, credentials }).request({ method: 'GET', path: '/' });
    expect([response.status, await response.text(), requests]).toEqual([401, '{}', 1]);
  });
});
