import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition } from '../changes/cli.fixture.ts';

const gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: public, namespace: shop }
spec:
  gatewayClassName: any
  listeners: [{ name: http, port: 80, protocol: HTTP, hostname: shop.example.com }]
`;
const route = (rules: string) => `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec:
  parentRefs: [{ name: public }]
  rules: ${rules}
`;
const to = (name: string) => `backendRefs: [{ name: ${name}, port: 80 }]`;
const service = (name: string) => `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop }
spec: { ports: [{ port: 80 }] }
`;
const all = [retryPolicyDefinition, gateway, service('old'), service('new')];
const rule = (name: string, path: string, backend: string) =>
  `{ name: ${name}, matches: [{ path: { value: ${path} } }], ${to(backend)} }`;

async function diff(before: readonly string[], after: readonly string[], ...args: readonly string[]) {
  const files = {
    'before/all.yaml': [...all, ...before].join('---\n'),
    'after/all.yaml': [...all, ...after].join('---\n'),
  };
  return folderWith(files).gwpolicy('diff', '@before', '@after', ...args);
}

describe('diff --requests', () => {
  it('lists the requests with a different rule, backend or effective policies', async () => {
    const { code, stdout } = await diff(
      [route(`[${rule('a', '/a', 'old')}, ${rule('b', '/b', 'old')}, ${rule('c', '/c', 'old')}]`)],
      [
        route(`[${rule('a', '/a', 'new')}, ${rule('b', '/b', 'old')}, ${rule('d', '/d', 'old')}]`),
        retries('shop/b', 'HTTPRoute cart', 'attempts: 2'),
      ],
      '--requests',
    );
    expect(code).toBe(1);
    const lines = stdout
      .slice(stdout.indexOf('Requests\n'))
      .split('\n')
      .map((line) => line.trim().replace(/ {2,}/g, ' | '));
    expect(lines.slice(0, 6)).toEqual([
      'Requests',
      '4 of 4 classes of requests are treated differently.',
      'GET http://shop.example.com/a | HTTPRoute shop/cart#a to Service shop/old#80 | → | HTTPRoute shop/cart#a to Service shop/new#80 | backends, policies',
      'GET http://shop.example.com/b | HTTPRoute shop/cart#b to Service shop/old#80 | → | HTTPRoute shop/cart#b to Service shop/old#80 | policies',
      'GET http://shop.example.com/c | HTTPRoute shop/cart#c to Service shop/old#80 | → | no rule | rule, backends',
      'GET http://shop.example.com/d | no rule | → | HTTPRoute shop/cart#d to Service shop/old#80 | rule, backends, policies',
    ]);
  });

  it('reports no difference where files differ only in form', async () => {
    const one = [route(`[${rule('a', '/a', 'old')}, ${rule('b', '/b', 'new')}]`)];
    const other = [route(`[${rule('b', '/b', 'new')}, ${rule('a', '/a', 'old')}]`)];
    const { code, stdout } = await diff(one, other, '--requests');
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 of 2 classes of requests are treated differently.')]);
  });

  it('compares specs whatever the order of their keys', async () => {
    const rules = `[${rule('a', '/a', 'old')}]`;
    const both = ['attempts: 2\nperTry: 1s', 'perTry: 1s\nattempts: 2'].map((spec) => [
      route(rules),
      retries('shop/a', 'HTTPRoute cart', spec),
    ]) as [string[], string[]];
    const { stdout } = await diff(...both, '--requests');
    expect(stdout).toContain('0 of 1 class of requests are treated differently.');
  });

  it('says how much regular expressions hide', async () => {
    const expression = `[{ matches: [{ path: { type: RegularExpression, value: "/(?:a|b)+c{2}" } }], ${to('old')} }]`;
    const { stdout } = await diff([route(expression)], [route(expression.replace('old', 'new'))], '--requests');
    expect(stdout).toContain(
      '0 of 0 classes of requests are treated differently.\n  Regular expressions hide the difference for 2 more.',
    );
  });

  it('compares no requests unless it is asked to', async () => {
    const { stdout } = await diff([], [route(`[{ ${to('old')} }]`)], '-o', 'json');
    expect(JSON.parse(stdout)).not.toHaveProperty('requests');
  });
});
