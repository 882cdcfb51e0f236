import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from '../changes/cli.fixture.ts';

const thousand = Array.from({ length: 1000 }, (_, index) =>
  `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: r-${index}, namespace: shop }
spec:
  parentRefs: [{ name: public, namespace: infra }]
  rules: [{ name: all, matches: [{ path: { type: PathPrefix, value: /r-${index} } }] }]
`.trim(),
);
const house = retries('infra/house', 'Gateway public', 'defaults: { attempts: 3 }');
const folder = folderWith({ 'a.yaml': [routes, retryPolicyDefinition, house, ...thousand].join('\n---\n') });
const request = (...args: readonly string[]) => folder.gwpolicy('request', ...args, '-f', '@a.yaml');

describe('gwpolicy request with a thousand routes', () => {
  it('answers on one screen, the rule and its policies first', async () => {
    const { stdout } = await request('http://any.example.com/cart');
    const lines = stdout.split('\n');
    expect(lines.length).toBeLessThan(24);
    expect(lines.slice(0, 5).join('\n')).toContain('HTTPRoute shop/cart#show');
    expect(stdout).toContain('RetryPolicy');
  });

  it('sums up mismatches by reason, and has all of them as JSON', async () => {
    const { stdout, code } = await request('http://any.example.com/nowhere');
    expect(code).toBe(1);
    expect(stdout.split('\n').length).toBeLessThan(24);
    expect(stdout).toMatch(/\n {4}and 998 more: 998 does not match: path\n/);
  });
});

describe('gwpolicy request, of a host with a route that a listener refuses', () => {
  const names = ['cart', 'pay', 'search', 'track', 'trade'];
  const route = (name: string, hostname: string) => `---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name}, namespace: shop }
spec: { hostnames: [${hostname}], parentRefs: [{ name: eg, namespace: infra }], rules: [{}] }
`;
  const gateway = `---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: eg, namespace: infra }
spec: { gatewayClassName: eg, listeners: [{ name: http, port: 80, protocol: HTTP }] }
`;
  const asked = async (...manifests: readonly string[]) => {
    const { stdout, stderr } = await folderWith({ 'a.yaml': manifests.join('') }).gwpolicy(
      ...['request', 'http://shop.example.com:80/', '-f', '@a.yaml'],
    );
    return `${stdout}${stderr}`;
  };

  it('names the route, the listener and its reason', async () => {
    expect(await asked(gateway, route('cart', '"*.example.com"'), route('other', 'other.example.org'))).toContain(
      'Gateway infra/eg#http refuses HTTPRoute shop/cart: the listener takes routes from namespace "infra" only, not from "shop".\n',
    );
    expect(await asked(gateway, route('other', 'other.example.org'))).not.toContain('refuses');
  });

  it('names some of many', async () => {
    const text = await asked(gateway, ...names.map((name) => route(name, 'shop.example.com')));
    expect(text.match(/refuses HTTPRoute/g)).toHaveLength(3);
    expect(text).toContain('and 2 more refusals.');
  });
});
