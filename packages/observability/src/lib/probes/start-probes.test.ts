import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { isLocal } from './debug.ts';
import { type Probes, startProbes } from './start-probes.ts';

const host = '127.0.0.1';
const started: Probes[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((probes) => probes.close()));
});

async function serve(content: Partial<Parameters<typeof startProbes>[0]> = {}): Promise<Probes> {
  const probes = await startProbes({ port: 0, host, ...content });
  started.push(probes);
  return probes;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

function ask(
  { port }: Probes,
  path: string,
  options: { method?: string; agent?: Agent; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, ...options }, async (response) => {
      let body = '';
      for await (const chunk of response.setEncoding('utf8')) body += chunk;
      resolve({ status: response.statusCode ?? 0, body, headers: response.headers });
    });
    sent.on('error', reject).end();
  });
}

const well = (name: string) => ({ name, check: () => undefined });
const broken = (name: string, fault: string) => ({ name, check: () => fault });

describe('/healthz and /readyz', () => {
  it('answer ok as long as the process does, without checks', async () => {
    const probes = await serve();
    for (const path of ['/healthz', '/readyz', '/healthz/', '/readyz/ping']) {
      expect(await ask(probes, path)).toMatchObject({ status: 200, body: 'ok' });
    }
  });

  it('drop a client that does not finish its request, soon after the time is over', async () => {
    const { port } = await serve({ requestTimeout: 100 });
    const socket = connect({ host, port }).resume();
    socket.on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\n');
    const dropped = once(socket, 'close').then(() => 'dropped');
    // Node by itself would look after half a minute.
    const late = new Promise((resolve) => setTimeout(resolve, 25_000, 'late').unref());
    expect(await Promise.race([dropped, late])).toBe('dropped');
  });

  it('have separate checks', async () => {
    const probes = await serve({ checks: { healthz: [well('loop')], readyz: [broken('sources', 'not read yet')] } });
    expect((await ask(probes, '/healthz')).status).toBe(200);
    expect((await ask(probes, '/readyz')).status).toBe(500);
  });

  it('name the fault and its reason', async () => {
    const fault = 'HTTPRoute.gateway.networking.k8s.io: forbidden;\n  add "list"';
    const probes = await serve({ checks: { readyz: [well('lease'), broken('sources', fault)] } });
    expect(await ask(probes, '/readyz')).toMatchObject({
      status: 500,
      body: [
        '[+]lease ok',
        '[-]sources failed: HTTPRoute.gateway.networking.k8s.io: forbidden; add "list"',
        'readyz check failed',
        '',
      ].join('\n'),
    });
  });

  it('run the checks for each request', async () => {
    let fault: string | undefined = 'starting';
    const probes = await serve({ checks: { readyz: [{ name: 'sources', check: () => fault }] } });
    expect((await ask(probes, '/readyz')).status).toBe(500);
    fault = undefined;
    expect((await ask(probes, '/readyz')).status).toBe(200);
    fault = 'gone';
    expect((await ask(probes, '/readyz')).status).toBe(500);
  });

  it('show each check with ?verbose', async () => {
    const probes = await serve({ checks: { healthz: [well('loop'), well('credentials')] } });
    expect(await ask(probes, '/healthz?verbose')).toMatchObject({
      status: 200,
      body: '[+]loop ok\n[+]credentials ok\nhealthz check passed\n',
    });
  });

  it('leave checks out with ?exclude', async () => {
    const checks = { readyz: [well('lease'), broken('sources', 'no'), broken('webhook', 'no')] };
    const probes = await serve({ checks });
    expect((await ask(probes, '/readyz?exclude=sources')).status).toBe(500);
    expect(await ask(probes, '/readyz?exclude=sources&exclude=webhook')).toMatchObject({ status: 200, body: 'ok' });
    expect((await ask(probes, '/readyz?verbose&exclude=sources&exclude=webhook&exclude=socks')).body).toBe(
      [
        '[+]lease ok',
        '[+]sources excluded: ok',
        '[+]webhook excluded: ok',
        'warn: some health checks cannot be excluded: no matches for "socks"',
        'readyz check passed',
        '',
      ].join('\n'),
    );
  });

  it('show one check by its name', async () => {
    const probes = await serve({ checks: { readyz: [well('lease'), broken('sources', 'not read yet')] } });
    expect(await ask(probes, '/readyz/lease')).toMatchObject({ status: 200, body: 'ok' });
    expect(await ask(probes, '/readyz/sources')).toMatchObject({
      status: 500,
      body: 'internal server error: not read yet\n',
    });
    expect((await ask(probes, '/readyz/webhook')).status).toBe(404);
    expect((await ask(probes, '/healthz/lease')).status).toBe(404);
  });

  it('count a check that throws as failed', async () => {
    const check = () => {
      throw new Error('no sources');
    };
    const probes = await serve({ checks: { healthz: [{ name: 'sources', check }] } });
    expect((await ask(probes, '/healthz')).body).toContain('[-]sources failed: no sources');
  });

  it.each([
    [[well('a b')], 'cannot be the name of a check'],
    [[well('a/b')], 'cannot be the name of a check'],
    [[well('a'), well('b'), well('a')], 'two checks have the name "a"'],
  ])('refuse checks with unusable names', async (readyz, message) => {
    await expect(serve({ checks: { readyz } })).rejects.toThrow(message);
  });
});

describe('/metrics', () => {
  it('shows the metrics of the meter', async () => {
    const contentType = 'text/plain; version=0.0.4; charset=utf-8';
    const probes = await serve({ metrics: { scrape: async () => ({ contentType, body: 'up 1\n' }) } });
    const { status, body, headers } = await ask(probes, '/metrics');
    expect({ status, body, type: headers['content-type'] }).toEqual({ status: 200, body: 'up 1\n', type: contentType });
  });

  it('is not there if the meter sends its metrics itself', async () => {
    expect((await ask(await serve({ metrics: {} }), '/metrics')).status).toBe(404);
    expect((await ask(await serve(), '/metrics')).status).toBe(404);
  });

  it('explains why there are none', async () => {
    const probes = await serve({ metrics: { scrape: () => Promise.reject(new Error('a collector failed')) } });
    expect(await ask(probes, '/metrics')).toMatchObject({ status: 500, body: 'a collector failed\n' });
    expect((await ask(probes, '/healthz')).status).toBe(200);
  });
});

describe('/debug', () => {
  const known = 'httproute.gateway.networking.k8s.io:shop/cart#rule-1';
  const policies = async (locator: string) => (locator === known ? { paths: 2n, locator } : undefined);
  const debug = { state: () => ({ sources: { '<b>': 3n } }), pages: { policies, report: () => '<h1>Report</h1>' } };

  it('shows the state of the process as text, with links to the pages', async () => {
    const { status, body, headers } = await ask(await serve({ debug }), '/debug');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('&quot;&lt;b&gt;&quot;: &quot;3&quot;');
    expect(body).toContain('<a href="/debug/policies">policies</a> <a href="/debug/report">report</a>');
  });

  it('shows the value of a page as JSON, and a string as HTML', async () => {
    const probes = await serve({ debug });
    for (const path of [known.replace('#', '%23'), encodeURIComponent(known)]) {
      const { status, body, headers } = await ask(probes, `/debug/policies/${path}`);
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('application/json');
      expect(JSON.parse(body)).toEqual({ paths: '2', locator: known });
    }
    const report = await ask(probes, '/debug/report');
    expect(report.body).toBe('<h1>Report</h1>');
    expect(report.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('names the subjects that a page lacks', async () => {
    const probes = await serve({ debug });
    expect(await ask(probes, '/debug/policies/service:shop/cart')).toMatchObject({
      status: 404,
      body: '/debug/policies has nothing about "service:shop/cart"\n',
    });
    for (const path of ['/debug/others', '/debug/toString', '/debug/policies']) {
      expect((await ask(probes, path)).status).toBe(404);
    }
  });

  it('answers clients on this machine alone, and no page of another site', async () => {
    const probes = await serve({ debug });
    const asked = (headers: Record<string, string>) => ask(probes, '/debug/report', { headers });
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      expect((await asked({ host: `${name}:${probes.port}` })).status).toBe(200);
    }
    const { status, body } = await asked({ host: `rebound.example.com:${probes.port}` });
    expect([status, body]).toEqual([403, expect.stringContaining('kubectl port-forward')]);
    for (const remoteAddress of ['10.1.2.3', '::ffff:10.1.2.3', 'fe80::1', undefined]) {
      expect(isLocal({ socket: { remoteAddress }, headers: { host: 'localhost:8081' } })).toBe(false);
    }
    for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect(isLocal({ socket: { remoteAddress }, headers: { host: 'localhost:8081' } })).toBe(true);
    }
  });

  it('does not exist unless it is enabled', async () => {
    expect((await ask(await serve(), `/debug/policies/${known}`)).status).toBe(404);
    expect((await ask(await serve(), '/debug')).status).toBe(404);
  });
});

describe('startProbes', () => {
  it('answers 404 to unknown paths, and lists the known ones', async () => {
    const probes = await serve({ metrics: { scrape: async () => ({ contentType: 'text/plain', body: '' }) } });
    for (const path of ['/', '/healthzz', '/metrics/more', '/readyz/../healthz', '/debug/policies/x']) {
      expect(await ask(probes, path)).toMatchObject({
        status: 404,
        body: '404 page not found; there are /healthz, /readyz, /metrics\n',
      });
    }
  });

  it('answers 400 to paths that cannot be decoded', async () => {
    expect((await ask(await serve(), '/readyz/%E0%A4%A')).status).toBe(400);
  });

  it('answers HEAD without a body, and 405 to other methods', async () => {
    const probes = await serve();
    expect(await ask(probes, '/healthz', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect(await ask(probes, '/healthz', { method })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    }
  });

  it('lets nothing be cached, and keeps no connection', async () => {
    const { headers } = await ask(await serve(), '/readyz', { agent: new Agent({ keepAlive: true }) });
    expect(headers).toMatchObject({ 'cache-control': expect.stringContaining('no-cache'), connection: 'close' });
  });

  it('takes a port that is free', async () => {
    const [one, other] = [await serve(), await serve()];
    expect(one.port).not.toBe(other.port);
  });

  it('listens on all addresses unless it is given one', async () => {
    const probes = await startProbes({ port: 0 });
    started.push(probes);
    expect((await ask(probes, '/healthz')).status).toBe(200);
  });

  it.each([
    [
      'the port is taken',
      async () => ({ port: (await serve()).port, host }),
      'EADDRINUSE',
      'another process has the port',
    ],
    [
      'the address is not of this machine',
      async () => ({ port: 0, host: '192.0.2.1' }),
      'EADDRNOTAVAIL',
      'leave host out',
    ],
  ])('rejects with the remedy if %s', async (_name, options, code, message) => {
    const { port, host: address } = await options();
    const error: unknown = await startProbes({ port, host: address }).catch((it: unknown) => it);
    expect(error).toMatchObject({
      code,
      message: expect.stringContaining(`probes cannot listen on ${address}:${port}: `),
    });
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
  });

  it('ends all connections when it is closed, also those that send nothing', async () => {
    const probes = await serve({ grace: 600_000 });
    const agent = new Agent({ keepAlive: true });
    await ask(probes, '/healthz', { agent });
    const silent = connect(probes.port, host);
    await once(silent, 'connect');
    const ended = once(silent, 'close');
    await Promise.all([probes.close(), probes.close()]);
    await ended;
    await expect(ask(probes, '/healthz', { agent })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    agent.destroy();
  });

  it('finishes answers that are under way when it is closed', async () => {
    let finish = (_body: string) => {};
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const scrape = () =>
      new Promise<{ contentType: string; body: string }>((resolve) => {
        finish = (body) => resolve({ contentType: 'text/plain', body });
        begin();
      });
    const probes = await serve({ metrics: { scrape }, grace: 600_000 });
    const answer = ask(probes, '/metrics');
    await begun;
    const closed = probes.close();
    const closing = performance.now();
    while (performance.now() - closing < 50) await setImmediate();
    finish('the last\n');
    expect((await answer).body).toBe('the last\n');
    await closed;
  });

  it('cuts off an answer that never comes', async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const state = () => {
      begin();
      return new Promise(() => {});
    };
    const probes = await serve({ debug: { state }, grace: 10 });
    const answer = ask(probes, '/debug').catch((error: unknown) => error);
    await begun;
    await probes.close();
    expect(await answer).toMatchObject({ code: 'ECONNRESET' });
  });
});
