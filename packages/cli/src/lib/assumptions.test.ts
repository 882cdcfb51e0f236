import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { folderWith } from './changes/cli.fixture.ts';
import { runWith } from './run.fixture.ts';

const routing = 'gateway.networking.k8s.io';
const object = (apiVersion: string, kind: string, name: string, spec: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'shop' },
  spec,
});
const service = (name: string, spec: object) =>
  object('v1', 'Service', name, { ports: [{ port: 80 }], selector: { app: 'cart' }, ...spec });
const gateway = object(`${routing}/v1`, 'Gateway', 'g', {
  gatewayClassName: 'c',
  listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
});
const route = object(`${routing}/v1`, 'HTTPRoute', 'r', {
  parentRefs: [{ name: 'g' }],
  rules: [{ backendRefs: [{ name: 'cart', port: 80 }] }],
});
const retries = object('gateway.envoyproxy.io/v1alpha1', 'BackendTrafficPolicy', 'p', {
  targetRefs: [{ group: routing, kind: 'Gateway', name: 'g' }],
  retry: { numRetries: 2 },
});
const gatewayClass = { apiVersion: `${routing}/v1`, kind: 'GatewayClass', metadata: { name: 'c' } };
const ofEnvoy = { ...gatewayClass, spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' } };
const ofNginx = object('gateway.nginx.org/v1alpha1', 'ClientSettingsPolicy', 'c', {
  targetRef: { group: routing, kind: 'HTTPRoute', name: 'r' },
  body: { maxSize: '1m' },
});
const guarantee = {
  apiVersion: 'verify.policy-machinery/v1alpha1',
  kind: 'Guarantee',
  metadata: { name: 'retried' },
  spec: { holds: 'has(policies.BackendTrafficPolicy)' },
};
const base = [gateway, route, service('cart', {}), retries, guarantee];
const yaml = (...objects: readonly object[]) => objects.map((it) => stringify(it)).join('---\n');
const run = (args: readonly string[], ...more: readonly object[]) =>
  runWith([...args, '-f', '-'], { stdin: yaml(...base, ...more) });

describe('a guarantee that holds', () => {
  it.each<[string, object, string]>([
    ['an Ingress', object('networking.k8s.io/v1', 'Ingress', 'i'), 'no request is routed by Ingress shop/i'],
    [
      'a VirtualService',
      object('networking.istio.io/v1', 'VirtualService', 'v'),
      'no request is routed by VirtualService shop/v',
    ],
    [
      'a patch',
      object('gateway.envoyproxy.io/v1alpha1', 'EnvoyPatchPolicy', 'e', {
        targetRef: { group: routing, kind: 'Gateway', name: 'g' },
        type: 'JSONPatch',
        jsonPatches: [],
      }),
      'EnvoyPatchPolicy shop/e changes nothing that the guarantee is about',
    ],
    [
      'a route that is older than its file says',
      { ...route, metadata: { ...route.metadata, name: 'dated', creationTimestamp: '2026-01-01T00:00:00Z' } },
      'creation times in files are right: HTTPRoute shop/dated',
    ],
    [
      'a Service that is open to the same Pods',
      service('open', { type: 'NodePort' }),
      'no request reaches the Pods of routes by NodePort Service shop/open',
    ],
  ])('assumes that requests cannot bypass it by %s', async (_, other, assumption) => {
    const { stdout, exitCode } = await run(['verify', '--strict'], ofEnvoy, other);
    expect(stdout).toMatch(/retried +holds/);
    expect(stdout).toContain(`retried holds\n  assumes that ${assumption}\n`);
    expect(exitCode).toBe(0);
  });

  it.each([
    ['selects other Pods', { type: 'LoadBalancer', selector: { app: 'track' } }],
    ['is open inside the cluster alone', {}],
    ['selects none', { type: 'LoadBalancer', selector: {} }],
  ])('assumes nothing about a Service that %s', async (_, spec) => {
    expect((await run(['verify'], ofEnvoy, service('other', spec))).stdout).not.toContain('Service');
  });

  it('names three assumptions, and all with -v and for programs', async () => {
    const more = ['VirtualService', 'EnvoyFilter'].map((kind) => object('networking.istio.io/v1', kind, 'x'));
    const others = [...more, object('networking.k8s.io/v1', 'Ingress', 'i'), service('open', { type: 'NodePort' })];
    const lines = async (...args: readonly string[]) =>
      (await run(['verify', ...args], ...others)).stdout.split('\n').filter((line) => line.startsWith('  '));
    expect(await lines()).toHaveLength(4);
    expect((await lines()).at(-1)).toBe('  and 3 more, which -v names');
    expect(await lines('-v')).toHaveLength(6);
    const { items } = JSON.parse((await run(['verify', '-o', 'json'], ...others)).stdout);
    expect(items[0].assumes).toHaveLength(6);
  });

  it('assumes that a class that is not in the input belongs to the only system with policies', async () => {
    expect((await run(['verify'])).stdout).toContain(
      'retried holds\n  assumes that class c belongs to Envoy Gateway\n',
    );
    const { stdout } = await run(['verify'], ofNginx);
    expect(stdout).toMatch(/retried +undecided/);
    expect(stdout).toContain(
      'GatewayClass c is not in this input, so it may belong to Envoy Gateway or NGINX Gateway Fabric',
    );
    expect((await run(['verify'], ofNginx, ofEnvoy)).stdout).toMatch(/retried +holds/);
  });
});

describe('the release of a definition that is not in the input', () => {
  const assumption = 'assumes that policies have the fields of Envoy Gateway v';
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'backendtrafficpolicies.gateway.envoyproxy.io' },
    spec: {
      group: 'gateway.envoyproxy.io',
      names: { kind: 'BackendTrafficPolicy', plural: 'backendtrafficpolicies' },
      scope: 'Namespaced',
      versions: [{ name: 'v1alpha1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };

  it('is an assumption of guarantees that read the kind, and of requests that meet its policies', async () => {
    expect((await run(['verify'], ofEnvoy)).stdout).toContain(assumption);
    expect((await run(['request', 'http://shop.example.com/'], ofEnvoy)).stderr).toContain(assumption);
  });

  it.each([
    [['get', 'policies']],
    [['get', 'httproutes']],
    [['get', 'gateways,policies']],
    [['lint']],
    [['explain', 'httproute/shop/r']],
    [['tree']],
    [['coverage']],
  ])('is an assumption of the outcomes that %j shows, as the class is', async (args) => {
    expect((await run(args)).stderr).toContain(
      'The answer assumes that class c belongs to Envoy Gateway.\nThe answer assumes that policies have the fields of Envoy Gateway v',
    );
    expect((await run(args, ofNginx)).stderr).toContain(
      'Undecided: GatewayClass c is not in this input, so it may belong to Envoy Gateway or NGINX Gateway Fabric.\n',
    );
    expect((await run(args, ofEnvoy, definition)).stderr).not.toContain('assumes');
  });

  it('is none if the definition is in the input, or no policy of the kind counts', async () => {
    expect((await run(['verify'], ofEnvoy, definition)).stdout).not.toContain(assumption);
    expect((await run(['request', 'http://shop.example.com/'], definition)).stderr).not.toContain(assumption);
    const other = { ...guarantee, spec: { holds: 'route.name == "r"' } };
    expect((await run(['verify'], ofEnvoy, other)).stdout).not.toContain(assumption);
  });
});

describe('lint', () => {
  it('names the objects that route requests and are not considered', async () => {
    const ingresses = ['i', 'j', 'k'].map((name) => object('networking.k8s.io/v1', 'Ingress', name));
    const { items } = JSON.parse((await run(['lint', '-o', 'json'], ...ingresses)).stdout);
    expect(items).toEqual([
      {
        code: 'not-considered',
        severity: 'note',
        message: '3 Ingresses are not considered, and may route requests: shop/i, shop/j, shop/k',
      },
    ]);
  });
});

describe('a guarantee about input that is not read', () => {
  const rollout = (plugin: object) =>
    object('argoproj.io/v1alpha1', 'Rollout', 'r', {
      strategy: { canary: { trafficRouting: { plugins: { plugin } } } },
    });
  const files = { 'all.yaml': yaml(...base, ofEnvoy) };
  const release = (name: string, values: object) =>
    yaml(object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', name, { values }));

  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a template',
      { 'chart/templates/a.yaml': 'apiVersion: v1\nkind: {{ .Values.kind }}\n{{- end }}\n' },
      'a template in',
    ],
    ['a chart with routes', { 'release.yaml': release('shop', { route: { enabled: true } }) }, 'HelmRelease in'],
    ['a chart with values about other things', { 'release.yaml': release('db', { replicas: 2 }) }, 'HelmRelease in'],
    ...Object.entries({
      ResourceSet: 'fluxcd.controlplane.io/v1',
      App: 'kappctrl.k14s.io/v1alpha1',
      PackageInstall: 'packaging.carvel.dev/v1alpha1',
      GitRepo: 'fleet.cattle.io/v1alpha1',
      RootSync: 'configsync.gke.io/v1beta1',
      RepoSync: 'configsync.gke.io/v1beta1',
    }).map(([kind, version]): [string, Readonly<Record<string, string>>, string] => {
      return [`templates of ${kind}`, { 'other.yaml': yaml(object(version, kind, 'o')) }, `${kind} in`];
    }),
    ['patches', { 'kustomization.yaml': 'resources: [all.yaml]\npatches: [{ path: p.yaml }]\n' }, ': patches in'],
    [
      'weights that Argo Rollouts sets',
      { 'rollout.yaml': yaml(rollout({ httpRoutes: [{ name: 'r' }] })) },
      'trafficRouting in',
    ],
    [
      'routes that Argo Rollouts selects',
      { 'rollout.yaml': yaml(rollout({ httpRouteSelector: {} })) },
      'trafficRouting',
    ],
    [
      'a variable',
      { 'track.yaml': yaml(object(`${routing}/v1`, 'HTTPRoute', 'track', { hostnames: [`\${HOST}`] })) },
      'HTTPRoute shop/track is not rendered: a variable in',
    ],
    ['an excluded file', { '.gwpolicyignore': 'other.yaml\n', 'other.yaml': yaml(ofNginx) }, '1 file is excluded'],
    ['a faulty file', { 'faulty.yaml': 'apiVersion: v1\nkind: [\n' }, 'faulty.yaml'],
  ])('is undecided because of %s, which the verdict names', async (_, more, named) => {
    const { path } = folderWith({ ...files, ...more });
    const { stdout, exitCode } = await runWith(['verify', '--strict', '-R', '-f', path]);
    expect(stdout).toMatch(/retried +undecided/);
    expect(stdout).toContain(named);
    expect(exitCode).toBe(named === 'faulty.yaml' ? 2 : 4);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['a namespace of kustomize', { 'kustomization.yaml': 'resources: [all.yaml]\nnamespace: shop\n' }],
    ['weights of another route', { 'rollout.yaml': yaml(rollout({ httpRoute: 'other', grpcRoute: 'r' })) }],
    ['weights in another namespace', { 'rollout.yaml': yaml(rollout({ httpRoute: 'r', namespace: 'other' })) }],
    ['a variable of a workload', { 'job.yaml': yaml(object('batch/v1', 'Job', 'j', { image: `\${IMAGE}` })) }],
  ])('holds in spite of %s', async (_, more) => {
    const { path } = folderWith({ ...files, ...more });
    expect((await runWith(['verify', '-R', '-f', path])).stdout).toMatch(/retried +holds/);
  });
});

describe('HTTPS listeners of one port', () => {
  const https = (name: string, hostname: string) => ({
    ...{ name, port: 443, protocol: 'HTTPS', hostname },
    tls: { certificateRefs: [{ name: 'certificate' }] },
  });
  const secured = (...hostnames: readonly string[]) => ({
    ...gateway,
    metadata: { name: 'secure', namespace: 'shop' },
    spec: { ...gateway.spec, listeners: hostnames.map((hostname, index) => https(`l${index}`, hostname)) },
  });

  it.each([
    [['a.example.com', '*.example.com'], true],
    [['a.example.com'], false],
  ])(
    'are assumed to have their certificates if their hostnames differ, and nothing about server names is: %j',
    async (names, isAssumed) => {
      const { stdout } = await run(['verify'], secured(...names));
      const assumption = 'assumes that HTTPS listeners have their certificates at Gateway shop/secure port 443';
      expect(stdout.includes(assumption)).toBe(isAssumed);
      expect(stdout).not.toContain('server name');
    },
  );
});

describe('the listeners of a Gateway that is not in the input', () => {
  const elsewhere = {
    ...route,
    metadata: { name: 'other', namespace: 'shop' },
    spec: { parentRefs: [{ name: 'public' }] },
  };

  it('are not offered to a request at another port', async () => {
    const { stdout, stderr } = await run(['request', 'https://a.example.com/'], elsewhere);
    expect(`${stdout}${stderr}`).toContain(
      'listens for a.example.com at port 443; there are listeners at 80, and the listeners of Gateway shop/public are not in this input.',
    );
  });

  it('are not offered in place of a section that nothing refers to', async () => {
    const { stderr } = await run(['explain', 'gateway/public#https', '-n', 'shop'], elsewhere);
    expect(stderr).toContain('Gateway shop/public is not in this input, and nothing refers to its section https');
    expect(stderr).not.toContain('http-80');
  });
});

describe('a kind of policies without a CustomResourceDefinition', () => {
  const quota = object('quota.example.com/v1', 'QuotaPolicy', 'q', {
    targetRef: { group: routing, kind: 'Gateway', name: 'g' },
    limit: 3,
  });
  const definition = {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'quotapolicies.quota.example.com' },
    spec: {
      ...{ group: 'quota.example.com', scope: 'Namespaced', names: { kind: 'QuotaPolicy', plural: 'quotapolicies' } },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };

  it('is named by lint, because its fields are not checked', async () => {
    const message =
      'the fields of QuotaPolicy are not checked, because its CustomResourceDefinition is not in this input';
    expect((await run(['lint'], quota)).stdout).toContain(message);
    expect((await run(['lint'], quota, definition)).stdout).not.toContain('not checked');
  });

  it('is named under a guarantee about it that holds', async () => {
    const assumed = 'assumes that the CustomResourceDefinition of QuotaPolicy, which is not in this input';
    const about = { ...guarantee, metadata: { name: 'limited' }, spec: { holds: 'has(policies.QuotaPolicy)' } };
    const { stdout } = await run(['verify', '-v'], quota, about);
    expect(stdout.match(new RegExp(assumed, 'g'))).toHaveLength(1);
    expect((await run(['verify', '-v'], quota, about, definition)).stdout).not.toContain(assumed);
  });
});

describe('the answer about a request', () => {
  const ask = async (...objects: readonly object[]) => {
    const { stdout } = await runWith(['request', 'http://a.example/', '-o', 'json', '-f', '-'], {
      stdin: yaml(...objects),
    });
    return JSON.parse(stdout).notKnown;
  };
  const withSpec = (more: object) => ({ ...route, spec: { ...route.spec, ...more } });

  const withMissing = withSpec({ rules: [{ backendRefs: [{ name: 'missing', port: 80 }] }] });
  const ofBackend = object(`${routing}/v1`, 'BackendTLSPolicy', 'tls', {
    targetRefs: [{ group: '', kind: 'Service', name: 'cart' }],
    validation: { hostname: 'cart.example', wellKnownCACertificates: 'System' },
  });

  it('depends on a policy that does not name its namespace', async () => {
    const { metadata, ...unnamed } = object('gateway.envoyproxy.io/v1alpha1', 'SecurityPolicy', 'anywhere', {
      targetRefs: [{ group: routing, kind: 'HTTPRoute', name: 'r' }],
      cors: { maxAge: '1s' },
    });
    const policy = { ...unnamed, metadata: { name: metadata.name } };
    expect((await run(['request', 'http://a.example/'], policy)).stderr).toContain(
      'Undecided: SecurityPolicy default/anywhere targets HTTPRoute default/r, which is not in this input.',
    );
  });

  it('does not depend on a backend that is not in the input, without policies on backends', async () => {
    expect(await ask(gateway, retries, withMissing)).toBeUndefined();
  });

  it('does not depend on anything that is not known if everything is there', async () => {
    const unrelated = object(`${routing}/v1`, 'HTTPRoute', 'other', {
      ...{ parentRefs: [{ name: 'missing' }], hostnames: ['b.example'] },
      rules: [{ backendRefs: [{ name: 'missing', port: 80 }] }],
    });
    expect(await ask(...base, ofEnvoy, unrelated)).toBeUndefined();
  });

  it.each([
    ['a variable', [withSpec({ hostnames: [`\${HOST}`] })], 'HTTPRoute shop/r is not rendered: a variable'],
    [
      'a Gateway that is not in the input',
      [withSpec({ parentRefs: [{ name: 'g' }, { name: 'h' }] })],
      'the listeners of Gateway shop/h are not in this input',
    ],
    [
      'a backend that is not in the input, with policies on backends',
      [withMissing, ofBackend],
      'HTTPRoute shop/r#rule-1 refers to Service shop/missing, which is not in this input',
    ],
    [
      'a class that is not in the input, with policies of two systems',
      [route, ofNginx],
      'GatewayClass c is not in this input, so it may belong to Envoy Gateway or NGINX Gateway Fabric',
    ],
    [
      'a chart with routes',
      [
        route,
        object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'chart', {
          chart: {},
          values: { route: { enabled: true } },
        }),
      ],
      'is not rendered, and may contain routes',
    ],
  ])('names %s', async (_, objects, reason) => {
    const notKnown = await ask(gateway, service('cart', {}), retries, ...objects);
    expect(notKnown).toEqual(expect.arrayContaining([expect.stringContaining(reason)]));
  });
});

describe('Gateways of one class of Envoy Gateway', () => {
  const group = 'gateway.envoyproxy.io';
  const parametersRef = { group, kind: 'EnvoyProxy', namespace: 'shop', name: 'shared' };
  const withProxy = { ...ofEnvoy, spec: { ...ofEnvoy.spec, parametersRef } };
  const proxy = (spec: object) => object(`${group}/v1alpha1`, 'EnvoyProxy', 'shared', spec);
  const other = (hostname?: string, port = 80) =>
    object(`${routing}/v1`, 'Gateway', 'h', {
      gatewayClassName: 'c',
      listeners: [{ name: 'http', port, protocol: 'HTTP', hostname }],
    });
  const share = 'Gateway shop/g and Gateway shop/h share their proxies, and take hosts in common at port 80';

  it('are taken not to be merged if the class is not in the input', async () => {
    const client = object(`${group}/v1alpha1`, 'ClientTrafficPolicy', 'client', {
      targetRefs: [{ group: routing, kind: 'Gateway', name: 'g' }],
      tcpKeepalive: { probes: 3 },
    });
    const { stdout } = await run(['get', 'clienttrafficpolicies', '-o', 'json'], client, other());
    expect(JSON.parse(stdout).items).toMatchObject([{ outcome: 'enforced' }]);
  });

  it.each<[string, readonly object[], string]>([
    ['that share proxies', [withProxy, proxy({ mergeGateways: true }), other('a.example')], share],
    [
      'that may',
      [withProxy, other()],
      'whether Gateway shop/g and Gateway shop/h share their proxies depends on EnvoyProxy shop/shared, which is not in this input',
    ],
  ])('%s leave a guarantee and the answer to a request undecided', async (_, more, why) => {
    const { stdout, exitCode } = await run(['verify'], ...more);
    expect(stdout).toContain(`retried is undecided\n  ${why}\n`);
    expect(exitCode).toBe(4);
    expect((await run(['request', 'http://a.example/'], ...more)).stderr).toContain(why);
  });

  it.each<[string, readonly object[], string]>([
    ['share proxies, but no hosts', [withProxy, proxy({ mergeGateways: true }), other('a.example', 81)], ''],
    ['do not share proxies', [withProxy, proxy({ mergeGateways: false }), other()], ''],
    ['are as the controller says', [withProxy, proxy({}), other()], 'assumes that Gateways of class c are not merged'],
  ])('that %s do not', async (_, more, assumption) => {
    const { stdout } = await run(['verify', '--strict'], ...more);
    expect(stdout).toMatch(/retried +holds/);
    expect(/assumes that (?!policies have).*|$/.exec(stdout)?.[0]).toBe(assumption);
  });
});
