import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from '../changes/cli.fixture.ts';

describe('gwpolicy explain', () => {
  it('lists policies without effect at the target and above, with the reasons', async () => {
    const house = retries('infra/house', 'Gateway public', 'overrides: { strategy: nope, attempts: 3 }');
    const own = retries('shop/own', 'HTTPRoute cart', 'overrides: { strategy: nope, attempts: 5 }');
    const elsewhere = retries('shop/elsewhere', 'HTTPRoute checkout', 'overrides: { strategy: nope, attempts: 5 }');
    const folder = folderWith({ 'a.yaml': [routes, retryPolicyDefinition, house, own, elsewhere].join('\n---\n') });
    const { stdout } = await folder.gwpolicy('explain', 'httproute/cart', '-n', 'shop', '-f', '@');
    expect(stdout).toMatchInlineSnapshot(`
      "Attached, but without effect
        RetryPolicy shop/own  invalid  /spec/overrides/strategy: the strategy "nope" is not supported for overrides; supported: "atomic", "patch".

      Attached above, but without effect
        RetryPolicy infra/house  invalid  /spec/overrides/strategy: the strategy "nope" is not supported for overrides; supported: "atomic", "patch".
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
