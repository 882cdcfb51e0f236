import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from './changes/cli.fixture.ts';

const gatewayApi = 'gateway.networking.k8s.io';
const policy = (apiVersion: string, kind: string, name: string, spec: string, annotations = '') => `---
apiVersion: ${apiVersion}
kind: ${kind}
metadata: { name: ${name}, namespace: shop${annotations} }
spec: { targetRefs: [{ group: ${gatewayApi}, kind: HTTPRoute, name: cart }], ${spec} }
`;

/** Policies with a secret each, by how it is known to be one. The word `hush` is in each secret. */
const secrets: Readonly<Record<string, (secret: string) => string>> = {
  'a certain field of a known kind': (secret) =>
    policy('agentgateway.dev/v1alpha1', 'AgentgatewayPolicy', 'key', `backend: { auth: { key: ${secret} } }`),
  'a list in a certain field': (secret) =>
    policy(
      'agentgateway.dev/v1alpha1',
      'AgentgatewayPolicy',
      'users',
      `traffic: { basicAuthentication: { users: ["a:${secret}"] } }`,
    ),
  'a header with the name of a secret': (secret) =>
    policy(
      'agentgateway.dev/v1alpha1',
      'AgentgatewayPolicy',
      'header',
      `traffic: { headerModifiers: { request: { set: [{ name: X-Api-Key, value: ${secret} }] } } }`,
    ),
  'a field that the kind does not have': (secret) =>
    policy(
      'extensions.kuadrant.io/v1alpha1',
      'OIDCPolicy',
      'client',
      `provider: { issuerURL: "https://login.example.com", clientID: shop, clientSecret: ${secret} }`,
    ).replace(/targetRefs: \[(.*?)\]/, 'targetRef: $1'),
  'a name, of a kind about which nothing is known': (secret) =>
    policy('example.com/v1', 'LoginPolicy', 'login', `service: { password: ${secret} }`),
};

const password = retryPolicyDefinition.replace(/( +)perTry: .*/g, '$&\n$1phrase: { type: string, format: password }');

const cases: readonly (readonly [what: string, manifests: (secret: string) => string])[] = [
  ...Object.entries(secrets),
  [
    'the format password in a definition',
    (secret) => `---\n${password}---\n${retries('shop/steady', 'HTTPRoute cart', `phrase: ${secret}`)}`,
  ],
];

/** A guarantee that reads all kinds, and that each request breaks. */
const broken = `
apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: none }
spec: { holds: policies.size() < 0 }
`;

const explain = ['explain', 'httproute/shop/cart', '-f', '@before'];
const diff = ['diff', '@before', '@after'];

const commands: readonly (readonly string[])[] = [
  explain,
  diff,
  ['get', 'policies', '-f', '@before'],
  ['request', 'http://shop.example.com/', '-f', '@before'],
  ['lint', '-f', '@before'],
  ['graph', '-f', '@before'],
  ['tree', '-f', '@before'],
  ['coverage', '@before'],
  ['report', '-f', '@before'],
  ['impact', '-f', '@after', '--against', '@before'],
  ['status', '-f', '@before'],
  ['verify', '-f', '@before', '@guarantees.yaml'],
  [...diff, '--requests', '--guarantees', '@guarantees.yaml'],
];

/** Returns the formats in which a command answers, with the default one. */
const formats = (command: string) => (command === 'report' ? ['html'] : ['table', 'json', 'yaml', 'markdown']);

/** Returns a page with its data unpacked. */
function unpacked(text: string): string {
  const [, data] = /application\/gzip" id="data">([^<]*)</.exec(text) ?? [];
  return data === undefined ? text : gunzipSync(Buffer.from(data, 'base64')).toString();
}

async function answers(manifests: (secret: string) => string, asked = commands, ...flags: readonly string[]) {
  const folder = folderWith({
    'before/a.yaml': `${routes}${manifests('hush-1')}`,
    'after/a.yaml': `${routes}${manifests('hush-2')}`,
    'guarantees.yaml': broken,
  });
  const found: { readonly asked: string; readonly text: string }[] = [];
  for (const command of asked) {
    for (const format of formats(command[0] ?? '')) {
      const { stdout, stderr } = await folder.gwpolicy(...command, '-o', format, ...flags);
      found.push({ asked: [...command, format].join(' '), text: `${unpacked(stdout)}${stderr}` });
    }
  }
  return found;
}

describe('secret values', () => {
  it.each(cases)('are in no answer, %s', async (_what, manifests) => {
    const told = (await answers(manifests)).filter(({ text }) => text.includes('hush'));
    expect(told.map(({ asked }) => asked)).toEqual([]);
  });

  it.each(cases)('are shown with --show-secrets, %s', async (_what, manifests) => {
    const told = (await answers(manifests, [explain], '--show-secrets')).filter(({ text }) => text.includes('hush'));
    expect(told.map(({ asked }) => asked)).toEqual(
      expect.arrayContaining(['explain httproute/shop/cart -f @before json']),
    );
  });

  it('differ in a diff, which masks both', async () => {
    const manifests = secrets['a certain field of a known kind'];
    const changes = (await answers(manifests ?? String, [diff])).find(
      ({ asked }) => asked === 'diff @before @after table',
    );
    expect(changes?.text).toContain('*** (before) → *** (after)');
  });
});
