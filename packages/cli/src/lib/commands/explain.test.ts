import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from '../changes/cli.fixture.ts';
import { cluster, runWith } from '../run.fixture.ts';

const service = `
apiVersion: v1
kind: Service
metadata: { name: carts, namespace: shop }
spec: { ports: [{ port: 80 }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: basket, namespace: shop }
spec:
  parentRefs: [{ name: public, namespace: infra }]
  rules: [{ name: show, backendRefs: [{ name: carts, port: 80 }] }]
`;

describe('gwpolicy explain', () => {
  it('names the routes above a Service with policies that requests meet', async () => {
    const own = retries('shop/own', 'HTTPRoute basket', 'attempts: 5');
    const folder = folderWith({ 'a.yaml': [routes, service, retryPolicyDefinition, own].join('\n---\n') });
    const { stdout, stderr } = await folder.gwpolicy('explain', 'service/carts', '-n', 'shop', '-f', '@');
    expect(stdout).toBe('Requests meet policies of the routes above\n  HTTPRoute shop/basket  RetryPolicy shop/own\n');
    expect(stderr).toContain('No policy in this input affects Service shop/carts itself.');
    const json = await folder.gwpolicy('explain', 'service/carts', '-n', 'shop', '-f', '@', '-o', 'json');
    expect(JSON.parse(json.stdout).routes).toEqual([
      {
        route: expect.objectContaining({ kind: 'HTTPRoute', name: 'basket' }),
        policies: [{ group: 'policies.example.com', kind: 'RetryPolicy', name: 'shop/own' }],
      },
    ]);
  });

  it('says in one line that a policy loses everything, except for one of its fields', async () => {
    const house = retries('infra/house', 'Gateway public', 'attempts: 3\nperTry: 2s');
    const own = retries('shop/own', 'HTTPRoute cart', 'attempts: 5');
    const folder = folderWith({ 'a.yaml': [routes, retryPolicyDefinition, house, own].join('\n---\n') });
    const { stdout } = await folder.gwpolicy('explain', 'httproute/cart', '-n', 'shop', '-f', '@');
    expect(stdout.match(/^.*infra\/house.*$/gm)).toEqual([
      '    infra/house loses all 2 fields: shop/own is more specific (Atomic defaults)',
    ]);
    const field = await folder.gwpolicy('explain', 'httproute/cart', '/perTry', '-n', 'shop', '-f', '@');
    expect(field.stdout).toMatch(/perTry +unset\n +2s +infra\/house +lost: shop\/own is more specific/);
  });

  it('gives a reason once where several fields were lost for it', async () => {
    const fields = 'attempts: 3\n  perTry: 2s';
    const house = retries('infra/house', 'Gateway public', `defaults:\n  strategy: patch\n  budget: 10%\n  ${fields}`);
    const own = retries('shop/own', 'HTTPRoute cart', 'defaults:\n  attempts: 5\n  perTry: 1s');
    const definition = retryPolicyDefinition.replace(
      'perTry: *perTry',
      'perTry: *perTry\n                    budget: *perTry',
    );
    const folder = folderWith({ 'a.yaml': [routes, definition, house, own].join('\n---\n') });
    const { stdout } = await folder.gwpolicy('explain', 'httproute/cart', '-n', 'shop', '-f', '@');
    expect([...stdout.matchAll(/infra\/house +(lost.*)/g)].map(([, why]) => why)).toEqual([
      expect.stringMatching(/^lost: shop\/own is more specific/),
      'lost for the same reason',
    ]);
  });

  it.each([80, 60, 120])('fits a terminal of %i columns', async (columns) => {
    const { stdout } = await runWith(['explain', 'httproute/checkout', '-n', 'shop', '-f', cluster], {
      isTTY: true,
      columns,
      env: { NO_COLOR: '1' },
    });
    const widths = stdout.split('\n').map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    expect(Math.max(...widths)).toBeGreaterThan(columns * 0.7);
  });

  it('lists policies without effect at the target and above, with the reasons', async () => {
    const house = retries('infra/house', 'Gateway public', 'overrides: { strategy: nope, attempts: 3 }');
    const own = retries('shop/own', 'HTTPRoute cart', 'overrides: { strategy: nope, attempts: 5 }');
    const elsewhere = retries('shop/elsewhere', 'HTTPRoute checkout', 'overrides: { strategy: nope, attempts: 5 }');
    const folder = folderWith({ 'a.yaml': [routes, retryPolicyDefinition, house, own, elsewhere].join('\n---\n') });
    const { stdout } = await folder.gwpolicy('explain', 'httproute/cart', '-n', 'shop', '-f', '@');
    expect(stdout).toMatchInlineSnapshot(`
      "Attached, but without effect
        RetryPolicy shop/own  invalid  /spec/overrides/strategy: the strategy "nope"
                                       is not supported for overrides; supported:
                                       "atomic", "patch".

      Attached above, but without effect
        RetryPolicy infra/house  invalid  /spec/overrides/strategy: the strategy
                                          "nope" is not supported for overrides;
                                          supported: "atomic", "patch".
      "
    `);
    const { withoutEffect } = JSON.parse(
      (await folder.gwpolicy('explain', 'httproute/cart', '-n', 'shop', '-f', '@', '-o', 'json')).stdout,
    );
    expect(
      withoutEffect.map((it: { policy: { name: string }; targets: unknown }) => [it.policy.name, it.targets]),
    ).toEqual([
      ['own', ['HTTPRoute cart']],
      ['house', ['Gateway public']],
    ]);
  });
});
