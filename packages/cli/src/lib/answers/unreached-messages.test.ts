import { describe, expect, it } from 'vitest';
import { folderWith } from '../changes/cli.fixture.ts';

const group = 'gateway.networking.k8s.io';
const object = (kind: string, name: string, spec: string) => `---
apiVersion: ${group}/v1
kind: ${kind}
metadata: { name: ${name}, namespace: shop }
spec: ${spec}
`;
const gateway = (protocol: string, kind: string) =>
  object(
    'Gateway',
    'edge',
    `{ gatewayClassName: c, listeners: [{ name: web, port: 80, protocol: ${protocol}, allowedRoutes: { kinds: [{ kind: ${kind} }] } }] }`,
  );
const route = (parentRefs: string) => object('HTTPRoute', 'cart', `{ parentRefs: ${parentRefs}, rules: [{}] }`);
const policy = `---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: SecurityPolicy
metadata: { name: login, namespace: shop }
spec: { targetRefs: [{ group: ${group}, kind: HTTPRoute, name: cart }], basicAuth: { users: { name: u } } }
`;

/** What commands answer about the policy. */
async function answersAbout(...manifests: readonly string[]): Promise<readonly string[]> {
  const folder = folderWith({ 'a.yaml': [...manifests, policy].join('') });
  const commands = [
    ['get', 'policies', '-A', '-o', 'json'],
    ['reach', 'securitypolicy/shop/login', '-o', 'json'],
    ['lint', '-o', 'json'],
    ['report'],
  ];
  const answers = await Promise.all(commands.map((command) => folder.gwpolicy(...command, '-f', '@a.yaml')));
  return answers.map(({ stdout }) => stdout);
}

describe('the reason why no path leads to the target of a policy', () => {
  it.each<[string, readonly string[], string]>([
    [
      'a listener that refuses it',
      [gateway('HTTP', 'GRPCRoute'), route('[{ name: edge }]')],
      'No path leads to HTTPRoute shop/cart. Gateway shop/edge#web refuses it: the listener does not allow HTTPRoute',
    ],
    [
      'a listener that does not exist',
      [gateway('HTTP', 'HTTPRoute'), route('[{ name: edge, sectionName: wbe }]')],
      'No path leads to HTTPRoute shop/cart. Gateway shop/edge#wbe does not exist.',
    ],
    [
      'that it does not name a parent, and nothing refers to it',
      [gateway('HTTP', 'HTTPRoute'), route('[]')],
      'No path leads to HTTPRoute shop/cart. It does not name a parent, and nothing refers to it.',
    ],
  ])('is %s', async (_, manifests, reason) => {
    for (const answer of await answersAbout(...manifests)) expect(answer).toContain(reason);
  });
});
