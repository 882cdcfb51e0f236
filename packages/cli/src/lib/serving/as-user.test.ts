import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Transport, TransportResponse } from '@policy-machinery/cluster';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startCluster } from '../cluster.fixture.ts';
import { connectWithoutCredentials } from '../input/cluster/without-credentials.ts';
import { cluster, runWith, type TestEnvironment } from '../run.fixture.ts';
import { Viewers } from './viewers.ts';

/** What a review asks about. */
interface Asked {
  readonly namespace?: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
}

/** What the API server knows about a token: what its owner may list, or the status of its refusal. */
type Rights = number | ((asked: Asked) => boolean | number);

function responseOf(status: number, body: unknown): TransportResponse {
  return {
    status,
    headers: {},
    text: async () => JSON.stringify(body),
    json: async () => body,
    async *lines() {},
  };
}

/** An API server that answers reviews about the owners of tokens. */
function reviewing(rights: Readonly<Record<string, Rights>>) {
  const questions: Asked[] = [];
  const transport: Transport = {
    async request({ method, path, headers = {}, body = '' }) {
      expect([method, path]).toEqual(['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews']);
      const asked: Asked = JSON.parse(body).spec.resourceAttributes;
      questions.push(asked);
      const known = rights[(headers.authorization ?? '').replace('Bearer ', '')] ?? 401;
      const answer = typeof known === 'number' ? known : known(asked);
      return typeof answer === 'number' ? responseOf(answer, {}) : responseOf(201, { status: { allowed: answer } });
    },
  };
  return { transport, questions };
}

/** The owner may list everything in one namespace. */
const within =
  (own: string) =>
  ({ namespace, verb }: Asked): boolean =>
    verb === 'list' && namespace === own;

let end: AbortController;
let ended: Promise<unknown>;
beforeEach(() => {
  end = new AbortController();
  ended = Promise.resolve();
});
afterEach(async () => {
  end.abort();
  await ended;
});

/** Serves the page of a cluster with `--as-user`. */
async function serving(rights: Readonly<Record<string, Rights>>, args: readonly string[] = []) {
  const server = await startCluster();
  const { transport, questions } = reviewing(rights);
  const surroundings: TestEnvironment = {
    transport: server.transport,
    withoutCredentials: transport,
    kubectl: () => 'shop',
    signal: end.signal,
  };
  const printed = new Promise<string>((resolve, reject) => {
    const run = runWith(['serve', '--as-user', ...args], { ...surroundings, onOutput: resolve });
    ended = run.then((ran) => reject(new Error(ran.stderr)));
  });
  const address = new URL((await printed).trim());
  const open = (path: string, token?: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      request(new URL(path, address), { headers, agent: false }, resolve).on('error', reject).end();
    });
  /** Sends any request, and returns the status of its answer. */
  const send = (path: string, { body, ...options }: RequestOptions & { readonly body?: string }): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(new URL(path, address), { ...options, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject).end(body);
    });
  return {
    server,
    questions,
    open,
    send,
    async ask(path: string, token?: string) {
      const response = await open(path, token);
      return { status: response.statusCode, headers: response.headers, body: await text(response) };
    },
  };
}

const policyNames = (body: string): readonly string[] =>
  JSON.parse(body).policies.map(([, , name]: readonly [unknown, unknown, string]) => name);

describe('gwpolicy serve --as-user', () => {
  it('shows each viewer what their token may list, and of the rest kinds, namespaces and outcomes', async () => {
    const { ask } = await serving({ team: within('shop'), platform: () => true });
    const [team, platform] = await Promise.all(['team', 'platform'].map((token) => ask('data', token)));
    const everything = policyNames(platform?.body ?? '');
    expect(everything).toEqual(expect.arrayContaining(['ceiling', 'uploads', 'staff-only', 'carts']));
    const shown = policyNames(team?.body ?? '');
    expect(shown).toHaveLength(everything.length);
    expect(shown.filter((name) => !name.startsWith('(hidden'))).toEqual(
      expect.arrayContaining(['staff-only', 'carts', 'patient']),
    );
    // The names of policies and Gateways in the namespace infra, and what these policies say.
    expect(team?.body).not.toMatch(/ceiling|uploads|house-rules|everything|public|internal/);
    expect(platform?.body).toMatch(/ceiling/);
  });

  it('sends nothing without a token that the API server accepts', async () => {
    const { ask } = await serving({ team: within('shop') });
    for (const token of [undefined, 'expired']) {
      for (const path of ['data', 'events']) {
        const { status, headers, body } = await ask(path, token);
        expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
        expect(body).not.toMatch(/shop|cart/);
      }
    }
  });

  it('takes no answer for a yes: a failed review hides the objects, and a page of which nothing is known is not shown', async () => {
    const isKnown = ({ resource }: Asked): boolean => resource === 'namespaces' || resource === 'httproutes';
    const { ask } = await serving({ partly: (asked) => (isKnown(asked) ? true : 500), down: 503 });
    const { body } = await ask('data', 'partly');
    expect(policyNames(body).every((name) => name.startsWith('(hidden'))).toBe(true);
    expect(body).toContain('"cart"');
    expect((await ask('data', 'down')).status).toBe(503);
  });

  it('asks about all namespaces first, then about each that has objects, and once for as long as it remembers', async () => {
    const { ask, questions } = await serving({ team: within('shop'), platform: () => true });
    await ask('data', 'platform');
    expect(questions.every(({ namespace }) => namespace === undefined)).toBe(true);
    await ask('data', 'team');
    const count = questions.length;
    expect(new Set(questions.map(({ namespace }) => namespace))).toEqual(new Set([undefined, 'shop', 'infra']));
    await ask('data', 'team');
    expect(questions).toHaveLength(count);
  });

  it('tells viewers that something has changed, and never what', async () => {
    const { server, open, ask } = await serving({ team: within('shop') });
    const events = (await open('events', 'team')).setEncoding('utf8');
    let told = '';
    const changesTo = async (): Promise<void> => {
      for (const before = told.length; told.slice(before).split('event:').length < 2; )
        told += (await once(events, 'data'))[0];
    };
    await changesTo();
    for (const policy of [
      'ratelimitpolicy.kuadrant.io:infra/ceiling',
      'clientsettingspolicy.gateway.nginx.org:infra/uploads',
    ]) {
      server.delete(policy);
      await changesTo();
    }
    expect(told).toMatch(/^(?:event: change\ndata: \d+\n\n)+$/);
    expect((await ask('data', 'team')).body).not.toContain('ceiling');
  });

  it('takes credentials only as bearer tokens, and no file', async () => {
    const { send, questions } = await serving({ team: within('shop') });
    const kubeconfig = JSON.stringify({ users: [{ name: 'ada', user: { token: 'team' } }] });
    for (const authorization of [
      'Basic dGVhbTp0ZWFt',
      'team',
      'Bearer',
      'Bearer te am',
      'Bearer team, Bearer team',
      `Bearer ${kubeconfig}`,
    ]) {
      expect(await send('data', { headers: { authorization } })).toBe(401);
    }
    expect(await send('data', { method: 'POST', body: kubeconfig })).toBe(405);
    expect(await send('data', { headers: { authorization: `Bearer ${'x'.repeat(20_000)}` } })).toBe(431);
    expect(questions).toEqual([]);
  });

  it('has a parser for kubeconfigs on its page, and no script but those of the page', async () => {
    const { ask } = await serving({});
    const { body } = await ask('');
    const hashes = [...body.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) =>
      createHash('sha256').update(text).digest('base64'),
    );
    expect(hashes).toHaveLength(2);
    expect(body).toContain(`script-src ${hashes.map((hash) => `'sha256-${hash}'`).join(' ')};`);
  });

  it('needs a cluster', async () => {
    const { stderr, exitCode } = await runWith(['serve', '--as-user', '-f', cluster], {
      withoutCredentials: reviewing({}).transport,
    });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--as-user needs a cluster')]);
  });
});

describe('what is known about a viewer', () => {
  it('is asked again after half a minute, since rights can be taken away', async () => {
    let [now, isAllowed] = [0, true];
    const { transport } = reviewing({ token: () => isAllowed });
    const kinds = [{ group: 'example.com', kind: 'Thing', version: 'v1', resource: 'things', namespaced: true }];
    const viewers = new Viewers({ transport, kinds: () => kinds, monotonic: () => now, onFault: () => {} });
    const empty = { links: [], views: [], ways: [], issues: [], verdicts: [], notes: [], title: '', made: '' };
    const requests = { gateways: [], routes: [], routeLists: [], entries: [] };
    const policies = [[0, 1, 'own', 0, 0, []]];
    const data = {
      version: 1,
      json: JSON.stringify({ ...empty, requests, policies, targets: [], texts: ['Thing', 'shop'] }),
    };
    const namesNow = async () => policyNames(String((await viewers.dataFor('token', () => data)).json));
    expect(await namesNow()).toEqual(['own']);
    isAllowed = false;
    expect(await namesNow()).toEqual(['own']);
    now += 30_001;
    expect(await namesNow()).toEqual(['(hidden 1)']);
  });
});

describe('the connection for reviews', () => {
  const kubeconfig = (fields: object) => async () => JSON.stringify({ clusters: [{ cluster: fields }] });

  it.each([
    ['a proxy such as "kubectl proxy", which has rights of its own', { server: 'http://127.0.0.1:8001' }, 'https'],
    ['a server that nothing proves', { server: 'https://a', 'insecure-skip-tls-verify': true }, 'certificates'],
    ['an unknown proxy', { server: 'https://a', 'proxy-url': 'http://b' }, 'proxy'],
  ])('is not made to %s', async (_what, fields, message) => {
    await expect(connectWithoutCredentials([], { kubectl: kubeconfig(fields), env: {} })).rejects.toThrow(message);
  });
});
