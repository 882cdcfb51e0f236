import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { restricted, runOn, startCluster } from './cluster.fixture.ts';
import { runWith } from './run.fixture.ts';

const apiVersion = 'gateway.networking.k8s.io/v1';
const metadata = (name: string) => ({ name, namespace: 'shop' });
const objectsWith = (backend: { readonly group: string; readonly version: string; readonly kind: string }) => [
  {
    apiVersion,
    kind: 'Gateway',
    metadata: metadata('g'),
    spec: { gatewayClassName: 'c', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
  },
  {
    apiVersion,
    kind: 'HTTPRoute',
    metadata: metadata('r'),
    spec: {
      parentRefs: [{ name: 'g' }],
      rules: [{ name: 'main', backendRefs: [{ group: backend.group, kind: backend.kind, name: 'b', port: 80 }] }],
    },
  },
  {
    apiVersion: `${backend.group}/${backend.version}`,
    kind: backend.kind,
    metadata: metadata('b'),
    spec: {},
  },
];
const yaml = (...objects: readonly object[]) => objects.map((it) => stringify(it)).join('---\n');

describe.each([
  { group: 'gateway.envoyproxy.io', version: 'v1alpha1', kind: 'Backend' },
  { group: 'gateway.kgateway.dev', version: 'v1alpha1', kind: 'Backend' },
  { group: 'agentgateway.dev', version: 'v1alpha1', kind: 'AgentgatewayBackend' },
  { group: 'gateway.networking.x-k8s.io', version: 'v1alpha1', kind: 'XBackend' },
  { group: 'inference.networking.k8s.io', version: 'v1', kind: 'InferencePool' },
  { group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'ServiceImport' },
  { group: 'store.example.com', version: 'v1', kind: 'Bucket' },
])('a backend of the kind $kind, without any policy', (backend) => {
  const stdin = yaml(...objectsWith(backend));

  it('is not a finding of lint', async () => {
    expect(await runWith(['lint', '-f', '-', '-o', 'json'], { stdin })).toMatchObject({
      stdout: expect.stringContaining('"items": []'),
      exitCode: 0,
    });
  });

  it('is where requests go', async () => {
    const { stdout } = await runWith(['request', 'http://shop.example.com/', '-f', '-'], { stdin });
    expect(stdout).toContain(`HTTPRoute shop/r#main > ${backend.kind} shop/b`);
  });

  it('is part of the hierarchy', async () => {
    const { stdout } = await runWith(['tree', '-A', '-f', '-'], { stdin });
    expect(stdout).toContain(`#main\n         └─ ${backend.kind} shop/b`);
  });
});

const backend = { group: 'gateway.envoyproxy.io', version: 'v1alpha1', kind: 'Backend' };

describe('a backend in another namespace', () => {
  const grant = {
    apiVersion: 'gateway.networking.k8s.io/v1beta1',
    kind: 'ReferenceGrant',
    metadata: { name: 'shop', namespace: 'stores' },
    spec: {
      from: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'shop' }],
      to: [{ group: backend.group, kind: backend.kind }],
    },
  };
  const [gateway, route, object] = objectsWith(backend) as [object, object, object];
  const ref = { group: backend.group, kind: backend.kind, name: 'b', namespace: 'stores' };
  const rules = {
    'the backendRef': [{ backendRefs: [ref] }],
    'a filter': [{ filters: [{ type: 'RequestMirror', requestMirror: { backendRef: ref } }] }],
  };

  it.each(Object.entries(rules))(
    'is reached by %s with a grant, which is not in this input otherwise',
    async (_, spec) => {
      const input = [
        gateway,
        { ...route, spec: { parentRefs: [{ name: 'g' }], rules: spec } },
        { ...object, metadata: { name: 'b', namespace: 'stores' } },
      ];
      const lint = (...more: readonly object[]) =>
        runWith(['lint', '-f', '-', '-o', 'json'], { stdin: yaml(...input, ...more) });
      expect((await lint(grant)).stdout).toContain('"items": []');
      const { stdout, exitCode } = await lint();
      expect(stdout).toContain('and no ReferenceGrant in namespace stores permits it in this input');
      expect(exitCode).toBe(0);
    },
  );
});

describe('a backend on a cluster', () => {
  it.each(['with', 'without'])('is found %s the right to read definitions', async (rights) => {
    const server = await startCluster({
      kinds: [{ ...backend, plural: 'backends', versions: [backend.version], scope: 'Namespaced' }],
    });
    for (const object of objectsWith(backend)) server.create(object);
    const more = rights === 'with' ? {} : restricted(server, (path) => path.endsWith('/customresourcedefinitions'));
    const { stdout } = await runOn(server, ['tree', 'gateway/shop/g'], more);
    expect(stdout).toContain('Backend shop/b');
  });
});
