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

  it('sums up what does not match, by reason, and has all of it as JSON', async () => {
    const { stdout, code } = await request('http://any.example.com/nowhere');
    expect(code).toBe(1);
    expect(stdout.split('\n').length).toBeLessThan(24);
    expect(stdout).toMatch(/\n {4}and 998 more: 998 does not match: path\n/);
  });
});
