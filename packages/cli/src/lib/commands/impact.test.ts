import { describe, expect, it } from 'vitest';
import { retryPolicyDefinition as definition, folderWith, retries, routes } from '../changes/cli.fixture.ts';

const house = retries('infra/house', 'Gateway public', 'defaults: { strategy: patch, attempts: 3, perTry: 2s }');
const steady = retries('parcels/steady', 'HTTPRoute track', 'attempts: 5');
const folder = folderWith({
  'deploy/routes.yaml': routes,
  'deploy/crd.yaml': definition,
  'deploy/policies.yaml': [house, steady].join('---'),
  'change.yaml': retries('shop/careful', 'HTTPRoute cart', 'attempts: 0'),
});
const impact = (...args: string[]) => folder.gwpolicy('impact', ...args, '--against', '@deploy');

describe('gwpolicy impact', () => {
  it('lists the effects of files, with their lines', async () => {
    const { code, stdout } = await impact('-f', '@change.yaml');
    expect(stdout).toMatchInlineSnapshot(`
      "1 effective policy changes, 1 other outcome changes.

      HTTPRoute shop/cart
        RetryPolicy through Gateway infra/public#http
          ~  attempts  3 → 0  set by shop/careful (was infra/house)  change.yaml:7

      Policies
        RetryPolicy shop/careful  new  →  enforced  In force in all scopes.
      "
    `);
    expect(code).toBe(1);
  });

  it('lists the effects of removing a policy', async () => {
    expect((await impact('--remove', 'retrypolicy/house')).stdout).toMatchInlineSnapshot(`
      "4 effective policies change, 1 other outcome changes.

      Gateway infra/public
        RetryPolicy, no longer applies
          -  attempts  3   infra/house is gone  deploy/policies.yaml:7
          -  perTry    2s  infra/house is gone  deploy/policies.yaml:7

      HTTPRoute parcels/track
        RetryPolicy through Gateway infra/public#http
          -  perTry  2s  infra/house is gone  deploy/policies.yaml:7

      HTTPRoute shop/cart, HTTPRoute shop/checkout
        RetryPolicy through Gateway infra/public#http, no longer applies
          -  attempts  3   infra/house is gone  deploy/policies.yaml:7
          -  perTry    2s  infra/house is gone  deploy/policies.yaml:7

      Policies
        RetryPolicy infra/house  partly-enforced  →  gone
      "
    `);
  });

  it('lists the effects of removing a Gateway', async () => {
    const { stdout } = await impact('--remove', 'Gateway infra/public', '--only', 'namespace=parcels');
    expect(stdout).toMatchInlineSnapshot(`
      "1 effective policy changes, 1 policy loses all effect.

      HTTPRoute parcels/track
        RetryPolicy through Gateway infra/public#http, no longer applies
          -  attempts  5   Gateway infra/public is gone  deploy/routes.yaml:2
          -  perTry    2s  Gateway infra/public is gone  deploy/routes.yaml:2

      Policies
        RetryPolicy parcels/steady  enforced  →  not-in-any-path  No path leads to HTTPRoute parcels/track. Gateway infra/public does not exist.
      "
    `);
  });

  it('takes files and removals together', async () => {
    const { stdout } = await impact(
      '-f',
      '@change.yaml',
      '--remove',
      'retrypolicy/steady',
      '--only',
      'target=HTTPRoute',
    );
    expect(stdout).toMatch(/^2 effective policies change\./);
  });

  it.each([
    [[], 'name the change'],
    [['--remove', 'retrypolicy/nothing'], 'RetryPolicy nothing is not in this input'],
    [['--remove', 'widget/a'], 'unknown kind widget'],
    [['-f', '@missing.yaml'], 'missing.yaml'],
  ])('reports the fault of its arguments: %j', async (args, message) => {
    const { code, stderr } = await impact(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('reads the cluster if no files are given', async () => {
    const { code, stderr } = await folder.gwpolicy('impact', '-f', '@change.yaml');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('there is no cluster') });
  });
});
