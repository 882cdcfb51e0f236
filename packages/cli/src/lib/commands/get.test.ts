import { describe, expect, it } from 'vitest';
import { folderWith } from '../changes/cli.fixture.ts';
import { cluster, runWith } from '../run.fixture.ts';

const get = (...args: readonly string[]) => runWith(['get', ...args, '-f', cluster]);

describe('gwpolicy get', () => {
  it.each([
    [['httproute/cart']],
    [['httproute', 'cart']],
    [['httproute/shop/cart']],
    [['httproute', 'shop/cart']],
    [['HTTPRoute shop/cart']],
    [['httproute.gateway.networking.k8s.io:shop/cart']],
    [['httproute/shop/cart', '-n', 'infra']],
  ])('lists one object that is named as other commands name it: %j', async (args) => {
    const { stdout, exitCode } = await get(...args, '-o', 'name');
    expect([exitCode, stdout]).toEqual([0, 'httproute.gateway.networking.k8s.io/cart\n']);
  });

  it.each([
    [['policies/ceiling']],
    [['policies', 'infra/ceiling']],
    [['policies/infra/ceiling', '-n', 'shop']],
    [['ratelimitpolicies/infra/ceiling']],
  ])('lists the policies of a name: %j', async (args) => {
    const { stdout, exitCode } = await get(...args, '-o', 'name');
    expect([exitCode, stdout]).toEqual([0, 'ratelimitpolicy.kuadrant.io/ceiling\n']);
  });

  it('knows a kind by the short name in its CustomResourceDefinition, as kubectl does', async () => {
    const [short, full] = await Promise.all(['cp', 'cachepolicies'].map((kind) => get(kind, '-A', '-o', 'name')));
    expect(short?.stdout).toContain('cachepolicy.');
    expect(short).toEqual(full);
  });

  it('lists several kinds, in the order of the arguments', async () => {
    const { stdout } = await get('gateways,httproutes', '-n', 'shop', '-o', 'name');
    const [gateways, routes] = await Promise.all(
      ['gateways', 'httproutes'].map(async (kind) => (await get(kind, '-n', 'shop', '-o', 'name')).stdout),
    );
    expect(stdout).toBe(`${gateways}${routes}`);
    expect((await get('gtw,httproutes,cachepolicies', '-n', 'infra')).stdout).toMatchInlineSnapshot(`
      "Gateway
      NAME       POLICIES                                                               AGE
      internal   ClientSettingsPolicy infra/uploads                                     150d
      public     BackendTrafficPolicy infra/house-rules, CachePolicy infra/everything   150d

      CachePolicy
      NAME         KIND          TARGETS          OUTCOME      AGE
      everything   CachePolicy   Gateway public   not-merged   61d
      "
    `);
    expect(JSON.parse((await get('policies,httproutes', '-o', 'json')).stdout)).toMatchObject({
      kind: 'List',
      items: expect.arrayContaining([
        expect.objectContaining({ policy: expect.anything() }),
        expect.objectContaining({ target: expect.anything() }),
      ]),
    });
  });

  it('names the routes that name a policy among its targets', async () => {
    const folder = folderWith({
      'shop.json': JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [
          {
            apiVersion: 'gateway.networking.k8s.io/v1',
            kind: 'HTTPRoute',
            metadata: { name: 'cart', namespace: 'shop' },
            spec: {
              rules: [
                {
                  name: 'pay',
                  filters: [
                    {
                      type: 'ExtensionRef',
                      extensionRef: { group: 'gateway.kgateway.dev', kind: 'TrafficPolicy', name: 'slow' },
                    },
                  ],
                },
              ],
            },
          },
          ...['slow', 'idle'].map((name) => ({
            apiVersion: 'gateway.kgateway.dev/v1alpha1',
            kind: 'TrafficPolicy',
            metadata: { name, namespace: 'shop' },
            spec: { timeouts: { request: '9s' } },
          })),
        ],
      }),
    });
    const { stdout } = await folder.gwpolicy('get', 'policies', '-A', '-f', '@', '-o', 'json');
    expect(
      (JSON.parse(stdout) as { items: readonly { targets: unknown }[] }).items.map(({ targets }) => targets),
    ).toEqual([[], ['HTTPRoute cart names it']]);
  });

  it('says once that there is nothing of several kinds', async () => {
    const { stdout, stderr } = await get('gateways,httproutes', '-n', 'nowhere');
    expect([stdout, stderr]).toEqual([
      '',
      'Not in the input, and assumed to accept routes: Gateway infra/pubic.\nNo objects found in the namespace nowhere.\n',
    ]);
  });

  it.each([
    [['httproute/infra/cart'], 'HTTPRoute infra/cart is not in this input; did you mean HTTPRoute shop/cart?'],
    [['policies/shop/ceiling'], 'no policy is called ceiling in the namespace shop'],
  ])('says which name is not in the input: %j', async (args, message) => {
    const { stdout, stderr, exitCode } = await get(...args);
    expect([exitCode, stdout, stderr]).toEqual([2, '', `gwpolicy: ${message}\n`]);
  });
});
