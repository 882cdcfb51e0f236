import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runOn, startCluster } from './cluster.fixture.ts';
import { runWith } from './run.fixture.ts';

const routing = 'gateway.networking.k8s.io';
const object = (apiVersion: string, kind: string, name: string, spec: object) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'shop' },
  spec,
});
const gateway = object(`${routing}/v1`, 'Gateway', 'g', {
  gatewayClassName: 'c',
  listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
});
const parentRefs = [{ name: 'g' }];
const retries = (kind: string, name: string) =>
  object('gateway.envoyproxy.io/v1alpha1', 'BackendTrafficPolicy', `on-${name}`, {
    targetRefs: [{ group: routing, kind, name }],
    retry: { numRetries: 2 },
  });
const plain = object(`${routing}/v1`, 'HTTPRoute', 'plain', { parentRefs, rules: [{ name: 'main' }] });
const chat = object('aigateway.envoyproxy.io/v1alpha1', 'AIGatewayRoute', 'chat', { parentRefs });
const voice = object('example.com/v1', 'VoiceRoute', 'voice', { parentRefs });
const guarantee = {
  apiVersion: 'verify.policy-machinery/v1alpha1',
  kind: 'Guarantee',
  metadata: { name: 'retried' },
  spec: { holds: 'has(policies.BackendTrafficPolicy)' },
};

const run = (args: readonly string[], ...objects: readonly object[]) =>
  runWith([...args, '-f', '-'], { stdin: objects.map((it) => stringify(it)).join('---\n') });
const created = 'which a controller creates for AIGatewayRoute shop/chat';

describe('a route that a controller creates', () => {
  it.each([
    ['HTTPRoute', 'chat', `/spec/targetRefs/0: targets HTTPRoute shop/chat, ${created}.`],
    ['Gateway', 'g', `HTTPRoute shop/chat, ${created}, is not in this input.`],
  ])('leaves a policy on a %s undecided, as a note', async (kind, name, message) => {
    const { stdout, exitCode } = await run(['lint', '-o', 'json'], gateway, chat, retries(kind, name));
    const { items } = JSON.parse(stdout);
    expect(items).toEqual([
      expect.objectContaining({ code: 'undecided', severity: 'note', message: expect.stringContaining(message) }),
    ]);
    expect(exitCode).toBe(0);
  });

  it.each([
    ['with another route', [plain, retries('HTTPRoute', 'plain')]],
    ['without any', [retries('HTTPRoute', 'chat')]],
  ])('leaves guarantees undecided, %s', async (_, others) => {
    const { stdout } = await run(['verify'], gateway, chat, ...others, guarantee);
    expect(stdout).toContain(`HTTPRoute shop/chat, ${created}, is not in this input`);
    const whole = object(`${routing}/v1`, 'HTTPRoute', 'chat', { parentRefs });
    const all = await run(['verify'], gateway, chat, ...others, whole, retries('Gateway', 'g'), guarantee);
    expect(all.stdout).toMatch(/retried +holds/);
  });

  it('is named in the answer about a request', async () => {
    const { stderr } = await run(['request', 'http://shop.example.com/'], gateway, chat, plain);
    expect(stderr).toContain(`Undecided: HTTPRoute shop/chat, ${created}, is not in this input.`);
    const issuer = object('cert-manager.io/v1', 'Issuer', 'le', {
      acme: { solvers: [{ http01: { gatewayHTTPRoute: { parentRefs } } }] },
    });
    const at = (path: string) => run(['request', `http://shop.example.com${path}`], gateway, issuer, plain);
    expect((await at('/')).stderr).not.toContain('Undecided');
    expect((await at('/.well-known/acme-challenge/x')).stderr).toContain('creates for Issuer shop/le');
  });
});

describe('a route of an unknown kind', () => {
  const hidden = 'the effect of VoiceRoute shop/voice on requests is not known';

  it('leaves guarantees about its Gateway undecided, and the answer about a request', async () => {
    const others = [gateway, voice, plain, retries('HTTPRoute', 'plain')];
    const { stdout } = await run(['verify'], ...others, guarantee);
    expect(stdout).toMatch(/retried +undecided/);
    expect(stdout).toContain(hidden);
    expect((await run(['request', 'http://shop.example.com/'], ...others)).stderr).toContain(`Undecided: ${hidden}.`);
  });
});

describe('a cluster with an AIGatewayRoute', () => {
  const kind = { group: 'aigateway.envoyproxy.io', kind: 'AIGatewayRoute', plural: 'aigatewayroutes' };

  it('never lacks the target of a policy on the route that is created', async () => {
    const server = await startCluster({ kinds: [{ ...kind, versions: ['v1alpha1'], scope: 'Namespaced' }] });
    for (const it of [gateway, retries('HTTPRoute', 'chat')]) server.create(it);
    const lint = async () => (await runOn(server, ['lint', '--only', 'namespace=shop'])).stdout;
    expect(await lint()).toContain('targets HTTPRoute shop/chat, which does not exist');
    server.create(chat);
    expect(await lint()).toContain(`targets HTTPRoute shop/chat, ${created}.`);
  });
});
