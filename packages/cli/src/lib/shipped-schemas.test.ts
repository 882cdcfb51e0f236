import { describe, expect, it } from 'vitest';
import { folderWith } from './changes/cli.fixture.ts';
import { runWith } from './run.fixture.ts';

const shop = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: public, namespace: shop }
spec: { gatewayClassName: edge, listeners: [{ name: http, port: 80, protocol: HTTP }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec: { parentRefs: [{ name: public }], rules: [{ backendRefs: [{ name: cart, port: 80 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: cart, namespace: shop }
spec: { ports: [{ port: 80 }] }
`;

const onCart = 'targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: cart }]';

const policy = (kind: string, apiVersion: string, spec: string) => `
---
apiVersion: ${apiVersion}
kind: ${kind}
metadata: { name: p, namespace: shop, creationTimestamp: "2026-01-12T09:00:00Z" }
spec: { ${spec} }
`;

const backendTraffic = (spec: string) =>
  policy('BackendTrafficPolicy', 'gateway.envoyproxy.io/v1alpha1', `${onCart}, ${spec}`);

const rateLimit = (spec: string) =>
  policy('RateLimitPolicy', 'kuadrant.io/v1', `${onCart.replace('Refs: [', 'Ref: ').replace(']', '')}, ${spec}`);

const guarantee = (spec: string) => `
apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: g }
spec: ${spec}
`;

/** A definition in the input, with one field. */
const definition = `
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: backendtrafficpolicies.gateway.envoyproxy.io }
spec:
  group: gateway.envoyproxy.io
  names: { kind: BackendTrafficPolicy, plural: backendtrafficpolicies }
  scope: Namespaced
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                targetRefs:
                  type: array
                  items: { type: object, x-kubernetes-preserve-unknown-fields: true }
                futureField: { type: string }
`;

interface Line {
  readonly severity: string;
  readonly code: string;
  readonly resource?: string;
  readonly pointer?: string;
  readonly message: string;
}

async function lint(input: string): Promise<readonly Line[]> {
  const { stdout } = await runWith(['lint', '-A', '-f', '-', '-o', 'json'], { stdin: input });
  return JSON.parse(stdout).items;
}

describe('a field that the shipped schema does not have', () => {
  it.each([
    ['an Envoy Gateway policy', backendTraffic('corss: {}'), '/spec/corss', 'Envoy Gateway v1.9.0'],
    [
      'a policy, within a field',
      backendTraffic('timeout: { http: { requestTimout: 5s } }'),
      '/spec/timeout/http/requestTimout',
      'Envoy Gateway v1.9.0',
    ],
    ['a route', shop.replace('rules:', 'rulez:'), '/spec/rulez', 'Gateway API v1.6.1'],
    [
      'a limit of Kuadrant',
      rateLimit('limits: { all: { rates: [{ limit: 1, window: 1m }], conditions: ["true"] } }'),
      '/spec/limits/all/conditions',
      'Kuadrant v1.5.2',
    ],
  ])('is a warning in %s, with the release', async (_what, input, pointer, release) => {
    const text = input.includes('rulez') ? input : shop + input;
    const findings = (await lint(text)).filter(({ code }) => code === 'field-not-in-release');
    expect(findings).toMatchObject([{ severity: 'warning', pointer }]);
    expect(findings[0]?.message).toContain(`the schema of ${release} that gwpolicy ships`);
  });

  it('is one finding if no release has it', async () => {
    const tls = policy(
      'BackendTLSPolicy',
      'gateway.networking.k8s.io/v1',
      'targetRef: { group: "", kind: Service, name: cart }, validation: { hostname: a, wellKnownCACertificates: System }',
    );
    const findings = (await lint(shop + tls)).filter(({ pointer }) => pointer === '/spec/targetRef');
    expect(findings.map(({ code }) => code)).toEqual(['dropped-field']);
  });

  it('still counts, because the release in use may have it', async () => {
    const { stdout } = await runWith(['explain', 'httproute/cart', '-n', 'shop', '-f', '-'], {
      stdin: shop + backendTraffic('corss: on, mergeType: StrategicMerge'),
    });
    expect(stdout).toContain('corss');
  });

  it('is not a fault if the definition in the input has it', async () => {
    const findings = await lint(shop + backendTraffic('futureField: x') + definition);
    expect(findings.filter(({ resource }) => resource?.includes('backendtraffic'))).toEqual([]);
  });

  it('is dropped if the definition in the input does not have it', async () => {
    const findings = await lint(shop + backendTraffic('corss: x') + definition);
    expect(findings).toMatchObject([{ code: 'unknown-field', pointer: '/spec/corss' }]);
  });

  it('leaves the outcome of a policy undecided that has nothing else', async () => {
    const { stdout } = await runWith(['get', 'policies', '-A', '-f', '-', '-o', 'json'], {
      stdin: shop + backendTraffic('corss: {}'),
    });
    expect(JSON.parse(stdout).items).toMatchObject([
      { outcome: 'undecided', message: expect.stringContaining('/spec/corss') },
    ]);
  });

  it('is named beside the outcome of a policy that has other fields', async () => {
    const { stdout } = await runWith(['get', 'policies', '-A', '-f', '-', '-o', 'json'], {
      stdin: shop + backendTraffic('corss: {}, timeout: { http: { requestTimeout: 5s } }'),
    });
    expect(JSON.parse(stdout).items).toMatchObject([
      { outcome: 'enforced', message: expect.stringContaining('/spec/corss') },
    ]);
  });
});

describe('a guarantee that would hold', () => {
  const hasTimeout = '{ holds: has(policies.BackendTrafficPolicy.spec.timeout) }';
  const timeout = 'timeout: { http: { requestTimeout: 5s } }';
  const verify = async (input: string, spec: string) => {
    const folder = folderWith({ 'shop.yaml': input, 'g.yaml': guarantee(spec) });
    const { code, stdout, stderr } = await folder.gwpolicy('verify', '@g.yaml', '-f', '@shop.yaml');
    return { code, text: stdout + stderr };
  };

  it('holds if all fields of the policies are in the schema', async () => {
    expect(await verify(shop + backendTraffic(timeout), hasTimeout)).toMatchObject({ code: 0 });
  });

  it.each([
    [
      'a policy that it reads',
      shop + backendTraffic(`${timeout}, corss: {}`),
      /BackendTrafficPolicy shop\/p has \/spec\/corss/,
    ],
    [
      'a route',
      shop.replace('rules: [{ ', 'rules: [{ retrys: 3, ') + backendTraffic(timeout),
      /HTTPRoute shop\/cart has \/spec\/rules\/0\/retrys/,
    ],
  ])('is undecided if a field of %s is not', async (_what, input, reason) => {
    expect(await verify(input, hasTimeout)).toMatchObject({ code: 4, text: expect.stringMatching(reason) });
  });

  it('is undecided if the schema refuses a policy that it reads', async () => {
    const refused = backendTraffic('timeout: { http: { requestTimeout: 5seconds } }');
    const { code, text } = await verify(shop + refused, '{ holds: "!has(policies.BackendTrafficPolicy)" }');
    expect([code, text]).toEqual([4, expect.stringContaining('BackendTrafficPolicy shop/p is refused by the schema')]);
  });

  it('does not depend on policies that it does not read', async () => {
    const target = 'targetRefs: [{ group: gateway.networking.k8s.io, kind: Gateway, name: public }]';
    const other = policy('ClientTrafficPolicy', 'gateway.envoyproxy.io/v1alpha1', `${target}, corss: {}`);
    expect(await verify(shop + backendTraffic(timeout) + other, hasTimeout)).toMatchObject({ code: 0 });
  });
});

describe('a value that the shipped schema refuses', () => {
  it.each([
    [
      'a pattern',
      backendTraffic('timeout: { http: { requestTimeout: 5seconds } }'),
      '/spec/timeout/http/requestTimeout',
    ],
    ['a rule', backendTraffic('loadBalancer: { type: ConsistentHash }'), '/spec/loadBalancer'],
  ])('is an error, by %s', async (_what, input, pointer) => {
    expect(await lint(shop + input)).toContainEqual(
      expect.objectContaining({
        code: 'invalid-spec',
        severity: 'error',
        pointer,
        message: expect.stringContaining('that gwpolicy ships'),
      }),
    );
  });
});

describe('the shipped schemas', () => {
  it('decide nothing about objects of a cluster, which its API server accepts', async () => {
    const refused = backendTraffic('corss: {}, timeout: { http: { requestTimeout: 5seconds } }');
    const inCluster = refused.replace('name: p,', 'name: p, resourceVersion: "7",').replace('---', '').trim();
    const list = `apiVersion: v1\nkind: List\nitems:\n  - ${inCluster.replaceAll('\n', '\n    ')}`;
    const findings = await lint(`${shop}---\n${list}`);
    expect(findings.filter(({ resource }) => resource?.startsWith('backendtraffic'))).toEqual([]);
  });

  it('give short names', async () => {
    const { stdout } = await runWith(['get', 'btp', '-A', '-f', '-'], {
      stdin: shop + backendTraffic('timeout: { http: { requestTimeout: 5s } }'),
    });
    expect(stdout).toMatch(/shop +p +BackendTrafficPolicy/);
  });

  it('fill in defaults, as API servers do', async () => {
    const { stdout } = await runWith(['explain', 'httproute/cart', '-n', 'shop', '-f', '-'], {
      stdin: shop + backendTraffic('retry: {}'),
    });
    expect(stdout).toMatch(/retry\.numRetries +2/);
  });

  it('are named by kinds, and give way to the definitions in the input', async () => {
    const input = shop + backendTraffic('futureField: x');
    const kinds = async (stdin: string) =>
      JSON.parse((await runWith(['kinds', '-f', '-', '-o', 'json'], { stdin })).stdout).items;
    expect(await kinds(input)).toMatchObject([{ schema: { from: 'shipped', release: 'Envoy Gateway v1.9.0' } }]);
    expect(await kinds(input + definition)).toMatchObject([{ schema: { from: 'input' } }]);
  });

  it('say that a kind is without conversion: two served versions of it are one', async () => {
    const both = ['v1', 'v1beta1'].map((version, index) =>
      policy('AuthorizationPolicy', `security.istio.io/${version}`, 'action: ALLOW').replace(
        'name: p',
        `name: p${index}`,
      ),
    );
    expect((await lint(shop + both.join(''))).filter(({ code }) => code === 'other-version')).toEqual([]);
  });
});

describe('a target that a system does not support', () => {
  it.each<[string, string, string]>([
    ['by a rule of the schema on the whole spec', 'ClientTrafficPolicy', onCart],
    [
      'by rules on the reference',
      'RateLimitPolicy',
      'targetRef: { group: "", kind: Service, name: cart }, limits: { a: { rates: [{ limit: 1, window: 1s }] } }',
    ],
  ])('is reported once, although the schema refuses it, too: %s', async (_, kind, spec) => {
    const group = kind === 'RateLimitPolicy' ? 'kuadrant.io/v1' : 'gateway.envoyproxy.io/v1alpha1';
    const { stdout } = await runWith(['lint', '-A', '-f', '-', '-o', 'json'], {
      stdin: shop + policy(kind, group, spec),
    });
    const { items } = JSON.parse(stdout) as {
      readonly items: readonly { readonly code: string; readonly severity: string }[];
    };
    expect(items.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
      'unsupported-target',
    ]);
  });

  it('is reported beside other faults of the spec', async () => {
    const spec = `${onCart}, tcpKeepalive: { probes: many }`;
    const file = shop + policy('ClientTrafficPolicy', 'gateway.envoyproxy.io/v1alpha1', spec);
    const { stdout } = await runWith(['lint', '-A', '-f', '-'], { stdin: file });
    for (const code of ['unsupported-target', 'invalid-spec']) expect(stdout).toContain(code);
  });
});
