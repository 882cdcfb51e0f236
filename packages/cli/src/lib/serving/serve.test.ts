import { once } from 'node:events';
import { cpSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { LiveData } from '@policy-machinery/report';
import type { KubernetesObject } from '@policy-machinery/resource';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startCluster } from '../cluster.fixture.ts';
import { loadWorld } from '../input/load.ts';
import { cluster, now, runWith, type TestEnvironment, testEnvironment } from '../run.fixture.ts';
import { guarantees } from '../verifying/guarantee-resources.ts';
import { Contents } from './contents.ts';

/** A page that is served. */
interface Page {
  readonly address: URL;
  readonly stderr: () => string;
  /** Asks for something beside the page. */
  ask(path: string, options?: Asked): Promise<Answered>;
  /** Opens the stream of events, and returns a function that waits for the next version. */
  events(): Promise<() => Promise<number>>;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answered {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let ended: Promise<unknown>;
let end: AbortController;
let folder: string;

beforeEach(() => {
  end = new AbortController();
  folder = mkdtempSync(join(tmpdir(), 'gwpolicy-serve-'));
  cpSync(cluster, folder, { recursive: true });
});
afterEach(async () => {
  end.abort();
  await ended;
});

function send(address: URL, { method = 'GET', headers = {} }: Asked): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false };
    request(address, options, resolve).on('error', reject).end();
  });
}

/** Starts the program, and waits for the address that it prints. */
async function serving(args: readonly string[], surroundings: TestEnvironment = {}): Promise<Page> {
  let stderr = '';
  const printed = new Promise<string>((resolve, reject) => {
    const run = runWith(['serve', ...args], { ...surroundings, signal: end.signal, onOutput: resolve });
    ended = run.then((ran) => {
      stderr = ran.stderr;
      reject(new Error(ran.stderr));
      return ran.exitCode;
    });
  });
  const address = new URL((await printed).trim());
  return {
    address,
    stderr: () => stderr,
    async ask(path, asked = {}) {
      const response = await send(new URL(path, address), asked);
      return { status: response.statusCode, headers: response.headers, body: await text(response) };
    },
    async events() {
      const response = (await send(new URL('events', address), {})).setEncoding('utf8');
      let unread = '';
      return async () => {
        for (;;) {
          const event = /event: (?:change\ndata: |patch\ndata: \{"version":)(\d+).*\n\n/.exec(unread);
          if (event !== null) {
            unread = unread.slice(event.index + event[0].length);
            return Number(event[1]);
          }
          const [chunk] = await once(response, 'data');
          unread += chunk;
        }
      };
    },
  };
}

async function worldOf(path: string) {
  const options = { filename: [path] };
  return { options, world: await loadWorld(options, testEnvironment().environment, () => {}) };
}

const timeout = (seconds: string) => `
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: fresh, namespace: shop }
spec:
  targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: cart }]
  timeout: { http: { requestTimeout: ${seconds} } }
`;

const guaranteeOf = (holds: string): KubernetesObject => ({
  apiVersion: 'verify.policy-machinery/v1alpha1',
  kind: 'Guarantee',
  metadata: { name: 'held' },
  spec: { holds },
});

/** The guarantees on the page, each with its answer. */
function answersIn(body: string): readonly string[] {
  const { texts, verdicts } = JSON.parse(body);
  return verdicts.map(([name, , answer]: readonly number[]) => `${texts[name ?? -1]}: ${texts[answer ?? -1]}`);
}

const policyNames = (body: string): readonly string[] =>
  JSON.parse(body).policies.flatMap((row: readonly [unknown, unknown, string] | null) => row?.[2] ?? []);

describe('gwpolicy serve', () => {
  it('serves a page that reads its data from its server, and allows itself nothing else', async () => {
    const { ask, address } = await serving(['-f', folder]);
    const page = await ask('');
    expect(page.status).toBe(200);
    expect(page.body).toContain("connect-src 'self'");
    expect(page.body).not.toContain('id="data"');
    const data = await ask('data');
    expect(data.headers.etag).toBe('"1"');
    expect(JSON.parse(data.body).notes).toEqual([`Files: ${folder}.`]);
    const response = await send(new URL('data', address), { headers: { 'accept-encoding': 'gzip' } });
    expect(gunzipSync(await buffer(response)).toString()).toBe(data.body);
  });

  it('follows the files of a folder', async () => {
    const { ask, events } = await serving(['-f', folder]);
    const next = await events();
    expect(await next()).toBe(1);
    writeFileSync(join(folder, 'fresh.yaml'), timeout('7s'));
    let version = await next();
    while (!policyNames((await ask('data')).body).includes('fresh')) version = await next();
    writeFileSync(join(folder, 'fresh.yaml'), timeout('8s'));
    expect(await next()).toBeGreaterThan(version);
    while (!(await ask('data')).body.includes('8s')) await next();
  });

  it('follows a file that an editor replaces', async () => {
    const file = join(folder, 'routes.yaml');
    const { ask, events } = await serving(['-f', file]);
    const next = await events();
    await next();
    const copy = join(folder, 'copy');
    writeFileSync(copy, timeout('7s'));
    renameSync(copy, file);
    await next();
    while (!policyNames((await ask('data')).body).includes('fresh')) await next();
    expect(policyNames((await ask('data')).body)).toEqual(['fresh']);
  });

  it('follows the objects of a cluster', async () => {
    const server = await startCluster();
    const { ask, events } = await serving([], { transport: server.transport, kubectl: () => 'shop' });
    const next = await events();
    await next();
    expect(policyNames((await ask('data')).body)).toContain('staff-only');
    server.delete('authpolicy.kuadrant.io:shop/staff-only');
    while (policyNames((await ask('data')).body).includes('staff-only')) await next();
  });

  it('follows the guarantees of a cluster, and says if it has none', async () => {
    const server = await startCluster({ kinds: [guarantees] });
    server.create(guaranteeOf('!has(policies.AuthPolicy) || size(policies.AuthPolicy.origins) < 99'));
    const { ask, events } = await serving([], { transport: server.transport, kubectl: () => 'shop' });
    const next = await events();
    await next();
    while (answersIn((await ask('data')).body).join() !== 'held: holds') await next();
    server.update(guaranteeOf(''), ({ metadata }) => ({ ...guaranteeOf('false'), metadata }));
    while (answersIn((await ask('data')).body).join() !== 'held: broken') await next();
    server.update(guaranteeOf(''), ({ metadata }) => ({ ...guaranteeOf('policies.Typo == 1'), metadata }));
    while (answersIn((await ask('data')).body).length > 0) await next();
    expect((await ask('data')).body).toContain('policies does not have the field Typo');
  });

  it('makes data once for all who ask, and none for changes that nobody asks about', async () => {
    const { world, options } = await worldOf(folder);
    const told: LiveData[] = [];
    const contents = new Contents(world, options, () => now, {
      isWatched: () => false,
      onData: (data) => told.push(data),
      onFault: (error) => expect.unreachable(String(error)),
    });
    const first = contents.data();
    expect(contents.data()).toBe(first);
    for (let change = 0; change < 100; change += 1) contents.take(world);
    const second = contents.data();
    expect(second.version).toBe(2);
    expect(told).toEqual([second]);
  });

  it('ends with its signal, also while pages are open', async () => {
    const { events } = await serving(['-f', folder]);
    await events();
    end.abort();
    expect(await ended).toBe(0);
  });
});

describe('the server of the page', () => {
  const random = /^\/[\w-]{32}\/$/;

  it('listens on loopback alone, with a token in the address that differs each time', async () => {
    const { address } = await serving(['-f', folder]);
    expect(address.hostname).toBe('127.0.0.1');
    expect(address.pathname).toMatch(random);
    end.abort();
    await ended;
    end = new AbortController();
    expect((await serving(['-f', folder])).address.pathname).not.toBe(address.pathname);
  });

  it.each([
    ['without the token', '/', {}, 404],
    ['with another token', `/${'a'.repeat(32)}/`, {}, 404],
    ['with the beginning of the token', '..', {}, 404],
    ['for anything else beside the page', 'other', {}, 404],
    ['under a name of others, which leads here by DNS rebinding', '', { headers: { host: 'evil.example' } }, 403],
    ['under a name that only looks like an address', '', { headers: { host: '127.0.0.1.evil.example' } }, 403],
    ['under a name behind a user', '', { headers: { host: '127.0.0.1@evil.example' } }, 403],
    ['by another site', 'data', { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty' } }, 403],
    ['by another port of this machine', 'data', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
    ['to write', '', { method: 'POST' }, 405],
    ['to delete', 'data', { method: 'DELETE' }, 405],
  ])('refuses requests %s', async (_what, path, asked: Asked, status) => {
    const { ask, address } = await serving(['-f', folder]);
    const { status: got, body } = await ask(path, asked);
    expect(got).toBe(status);
    expect(body).not.toContain(address.pathname.slice(1, -1));
    expect(body).not.toContain('cart');
  });

  it.each(['127.0.0.1', 'localhost', '[::1]'])('answers under the name %s', async (name) => {
    const { ask, address } = await serving(['-f', folder]);
    expect((await ask('data', { headers: { host: `${name}:${address.port}` } })).status).toBe(200);
  });

  it.each(['', 'data', '/'])('forbids to keep, frame or embed %j', async (path) => {
    const { ask } = await serving(['-f', folder]);
    expect((await ask(path)).headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  it('keeps at most 32 pages up to date', async () => {
    const { ask, events } = await serving(['-f', folder]);
    const open = await Promise.all(Array.from({ length: 32 }, events));
    await Promise.all(open.map((next) => next()));
    expect((await ask('events')).status).toBe(503);
  });

  it('warns about an address that others can reach', async () => {
    const page = await serving(['-f', folder, '--address', '0.0.0.0']);
    expect((await page.ask('data')).status).toBe(200);
    end.abort();
    await ended;
    expect(page.stderr()).toContain('it is not encrypted');
  });

  it.each([
    [['--port', '70000'], '--port 70000 is not a port'],
    [['--port', 'http'], '--port http is not a port'],
    [['-f', '-'], 'standard input can be read only once'],
    [['-f', '/no/such/folder'], 'no/such/folder'],
  ])('does not start with %j', async (args, message) => {
    const { stderr, exitCode } = await runWith(['serve', ...(args.includes('-f') ? [] : ['-f', folder]), ...args]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
    ended = Promise.resolve();
  });
});
