import { describe, expect, it } from 'vitest';
import { runOn, startCluster } from './cluster.fixture.ts';
import { runWith } from './run.fixture.ts';

const mesh = `
{ apiVersion: v1, kind: Namespace, metadata: { name: istio-system } }
---
{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }
---
{ apiVersion: v1, kind: Pod, metadata: { name: cart-0, namespace: shop, labels: { app: cart } } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: public, namespace: shop }
spec: { gatewayClassName: istio, listeners: [{ name: http, port: 80, protocol: HTTP }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec: { parentRefs: [{ name: public }], rules: [{ name: all }] }
---
apiVersion: security.istio.io/v1
kind: AuthorizationPolicy
metadata: { name: health, namespace: istio-system }
spec: { rules: [{ to: [{ operation: { paths: [/healthz] } }] }] }
---
apiVersion: security.istio.io/v1
kind: AuthorizationPolicy
metadata: { name: no-strangers, namespace: shop }
spec: { action: DENY, targetRefs: [{ group: gateway.networking.k8s.io, kind: Gateway, name: public }], rules: [{}] }
---
apiVersion: security.istio.io/v1
kind: PeerAuthentication
metadata: { name: default, namespace: istio-system }
spec: { mtls: { mode: STRICT } }
---
apiVersion: security.istio.io/v1
kind: PeerAuthentication
metadata: { name: cart, namespace: shop }
spec: { selector: { matchLabels: { app: cart } }, mtls: { mode: UNSET }, portLevelMtls: { "8080": { mode: DISABLE } } }
---
apiVersion: telemetry.istio.io/v1
kind: Telemetry
metadata: { name: sampling, namespace: shop }
spec: { tracing: [{ randomSamplingPercentage: 10 }] }
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: patient, namespace: shop }
spec: { targetRefs: [{ group: gateway.networking.k8s.io, kind: Gateway, name: public }], retry: { numRetries: 3 } }
`;

const onMesh = (...args: readonly string[]) => runWith([...args, '-f', '-'], { stdin: mesh });

describe('policies of Istio', () => {
  it('count together, or replace single modes, for a workload', async () => {
    const { stdout } = await onMesh('explain', 'pod/shop/cart-0');
    expect(stdout).toMatchInlineSnapshot(`
      "Pod shop/cart-0
        AuthorizationPolicy through Mesh istio-system > Namespace shop
          ALLOW.istio-system/health.rules
            [{ to: [{ operation: { paths: [/healthz] } }] }]
              istio-system/health  on Mesh istio-system
        PeerAuthentication through Mesh istio-system > Namespace shop
          mtls.mode
            STRICT   istio-system/default  default on Mesh istio-system
          portLevelMtls.8080.mode
            DISABLE  shop/cart             default on Pod shop/cart-0
        Telemetry through Mesh istio-system > Namespace shop
          tracing.CLIENT.randomSamplingPercentage
            10  shop/sampling  default on Namespace shop
          tracing.SERVER.randomSamplingPercentage
            10  shop/sampling  default on Namespace shop
      "
    `);
  });

  it('apply to a Gateway that has policies of other systems too', async () => {
    const { stdout } = await onMesh('explain', 'gateway/public', '-n', 'shop', '-o', 'yaml');
    for (const name of ['istio-system/health', 'shop/no-strangers', 'shop/patient']) expect(stdout).toContain(name);
    const { stdout: route } = await onMesh('explain', 'httproute/cart', '-n', 'shop');
    expect(route).not.toContain('AuthorizationPolicy');
  });

  it('apply to the requests that come through the Gateway', async () => {
    const { stdout } = await onMesh('request', 'http://shop.example.com/');
    expect(stdout).toContain('AuthorizationPolicy for Gateway shop/public\n');
    expect(stdout).toContain('BackendTrafficPolicy for HTTPRoute shop/cart');
  });

  const denial = (metadata: string, spec: string) =>
    `${mesh}---\n{ apiVersion: security.istio.io/v1, kind: AuthorizationPolicy, metadata: { name: deny${metadata} }, spec: { action: DENY${spec} } }`;
  const ofPods = ', selector: { matchLabels: { gateway.networking.k8s.io/gateway-name: public } }';
  const ofGateway = ', targetRefs: [{ group: gateway.networking.k8s.io, kind: Gateway, name: public }]';

  it.each([
    ['is without a namespace, with the Gateway as its target', denial('', ofGateway), 'default/deny targets Gateway'],
    ['is without a namespace', denial('', ''), 'default/deny targets Namespace default, which is not in this input'],
    ['selects Pods that may run the Gateway', denial(', namespace: shop', ofPods), 'shop/deny selects Pod'],
    ['selects Pods in all namespaces', denial(', namespace: istio-system', ofPods), 'istio-system/deny selects Pod'],
    [
      'may be in the namespace of the Gateway',
      denial(', namespace: other', '').replaceAll(', namespace: shop', ''),
      'other/deny may be in the namespace of a Gateway that does not name one',
    ],
  ])('leave a request undecided if one %s', async (_, stdin, doubt) => {
    const { stderr } = await runWith(['request', 'http://shop.example.com/', '-f', '-'], { stdin });
    expect(stderr).toContain(`Undecided: AuthorizationPolicy ${doubt}`);
  });

  it.each([
    ['of other namespaces', denial(', namespace: other', ofPods)],
    ['with another Gateway as their target', denial('', ofGateway.replace('public', 'private'))],
  ])('do not leave a request undecided %s', async (_, stdin) => {
    const { stderr } = await runWith(['request', 'http://shop.example.com/', '-f', '-'], { stdin });
    expect(stderr).not.toContain('Undecided');
  });

  it('apply to the requests if they select the Pods of the Gateway', async () => {
    const pod = `{ apiVersion: v1, kind: Pod, metadata: { name: p, namespace: shop, labels: { gateway.networking.k8s.io/gateway-name: public } } }`;
    const stdin = `${denial(', namespace: shop', ofPods)}\n---\n${pod}`;
    const { stdout } = await runWith(['request', 'http://shop.example.com/', '-f', '-'], { stdin });
    expect(stdout).toContain('AuthorizationPolicy for Pod shop/p\n');
    expect(stdout).toContain('DENY.shop/deny\n');
  });

  it('have a separate hierarchy', async () => {
    const { stdout } = await onMesh('tree');
    expect(stdout).toMatchInlineSnapshot(`
      "Gateway shop/public        BackendTrafficPolicy patient
      └─ #http
         └─ HTTPRoute shop/cart
            └─ #all
      Mesh istio-system          AuthorizationPolicy health, PeerAuthentication default
      └─ Namespace shop          Telemetry sampling
         ├─ Gateway shop/public  AuthorizationPolicy no-strangers
         └─ Pod shop/cart-0      PeerAuthentication cart
      "
    `);
  });

  it('are listed with objects of any hierarchy', async () => {
    const { stdout } = await onMesh('get', 'gateways', '-o', 'json');
    const [gateway] = JSON.parse(stdout).items;
    expect(gateway.policies.map(({ kind }: { readonly kind: string }) => kind)).toEqual(
      expect.arrayContaining(['BackendTrafficPolicy', 'AuthorizationPolicy', 'Telemetry']),
    );
  });

  it('are shown side by side if merging is not known', async () => {
    const plugin = {
      apiVersion: 'extensions.istio.io/v1alpha1',
      kind: 'WasmPlugin',
      metadata: { name: 'p', namespace: 'shop' },
    };
    const stdin = `${mesh}\n---\n${JSON.stringify({ ...plugin, spec: { url: 'oci://example.com/plugin' } })}`;
    const { stdout, stderr } = await runWith(['kinds', '-f', '-'], { stdin });
    expect(stdout).toMatch(/^WasmPlugin .* unknown /m);
    expect(stdout).toMatch(/^Telemetry .* known /m);
    expect(stderr).toContain('--dialect extensions.istio.io/WasmPlugin=gep713');
  });

  it('list the effects of a change on the workloads', async () => {
    const { stdout } = await runWith(
      ['impact', '--against', '-', '--remove', 'peerauthentication/istio-system/default'],
      {
        stdin: mesh,
      },
    );
    expect(stdout).toMatch(/Pod shop\/cart-0\n +PeerAuthentication .*\n +- +mtls\.mode +STRICT/);
  });

  it('cause no findings about the implicit references of Namespaces and Gateways', async () => {
    const { stdout } = await onMesh('lint', '--fail-on', 'none');
    expect(stdout).not.toContain('by labels');
  });

  it.each(['graph', 'report'])('are named by %s, which leaves them out', async (command) => {
    const { stderr } = await onMesh(command);
    expect(stderr).toContain('Policies of a mesh are left out: AuthorizationPolicy, PeerAuthentication, Telemetry.');
  });
});

describe('policies of Istio on the Pods of files', () => {
  const selecting = (app: string) => `
---
apiVersion: security.istio.io/v1
kind: AuthorizationPolicy
metadata: { name: sel, namespace: shop }
spec: { action: DENY, selector: { matchLabels: { app: ${app} } }, rules: [{}] }`;
  const workloads = `
{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: cart-v1, namespace: shop }
spec: { selector: { matchLabels: { app: cart } }, template: { metadata: { labels: { app: cart } } } }
---
{ apiVersion: v1, kind: Service, metadata: { name: cart, namespace: shop }, spec: { selector: { app: cart } } }
---
{ apiVersion: v1, kind: Service, metadata: { name: other, namespace: shop }, spec: { selector: { app: other } } }
---
{ apiVersion: security.istio.io/v1, kind: AuthorizationPolicy, metadata: { name: all, namespace: shop }, spec: {} }`;
  const ask = (files: string, ...args: readonly string[]) =>
    runWith([...args, '-n', 'shop', '-f', '-'], { stdin: files });

  it.each(['service/cart', 'svc/cart', 'deploy/cart-v1', 'po/cart-v1-*'])('are told for %s', async (target) => {
    const { stdout } = await ask(workloads + selecting('cart'), 'explain', target);
    expect(stdout).toMatchInlineSnapshot(`
      "Pod shop/cart-v1-*
        AuthorizationPolicy through Namespace shop
          DENY.shop/sel.rules  [{}]  shop/sel  on Pod shop/cart-v1-*
          ALLOW.shop/all       {}    shop/all  on Namespace shop
      "
    `);
  });

  it.each(['services', 'deployments', 'pods'])('are listed beside %s', async (kind) => {
    const { stdout } = await ask(workloads + selecting('cart'), 'get', kind);
    expect(stdout).toMatch(/^cart\S* +AuthorizationPolicy shop\/all, AuthorizationPolicy shop\/sel /m);
    expect(stdout).not.toMatch(/^other +AuthorizationPolicy/m);
  });

  it.each(['service/cart', 'deploy/cart-v1'])('are told for %s beside the Pods of a cluster', async (target) => {
    const pod = (name: string, app: string) =>
      `\n---\n{ apiVersion: v1, kind: Pod, metadata: { name: ${name}, namespace: shop, labels: { app: ${app} } } }`;
    const files = workloads + selecting('cart') + pod('cart-v1-6f7-x', 'cart') + pod('other-5d-y', 'other');
    const { stdout } = await ask(files, 'explain', target);
    expect(stdout).toMatch(/^Pod shop\/cart-v1-6f7-x\n.*\n +DENY.shop\/sel.rules/);
    expect(stdout).not.toContain('other-5d-y');
  });

  it('are not known for a Service that selects no workload in the files, whether its namespace has others or not', async () => {
    const { stderr } = await ask(workloads, 'explain', 'service/other');
    expect(stderr).toContain('No policy in this input affects Service shop/other itself.');
    expect(stderr).toContain('Whether policies affect Pods of Service shop/other is not known');
  });

  it('are not told for a Service without Pods of a cluster, which has all Pods', async () => {
    const server = await startCluster({
      kinds: [
        {
          group: 'security.istio.io',
          kind: 'AuthorizationPolicy',
          versions: ['v1'],
          plural: 'authorizationpolicies',
          scope: 'Namespaced',
        },
      ],
    });
    const labels = { app: 'till' };
    const metadata = { namespace: 'shop', name: 'till' };
    server.create({ apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels } });
    server.create({ apiVersion: 'security.istio.io/v1', kind: 'AuthorizationPolicy', metadata, spec: {} });
    const { stderr } = await runOn(server, ['explain', 'service/till']);
    expect(stderr).toBe('No policy affects Service shop/till.\n');
  });

  it('are not known without any workload of the namespace, as charts create them', async () => {
    const service = workloads.slice(workloads.indexOf('{ apiVersion: v1, kind: Service'));
    const { stderr } = await ask(service, 'explain', 'service/cart');
    expect(stderr).toContain('No policy in this input affects Service shop/cart itself.');
    expect(stderr).toContain('Whether policies affect Pods of Service shop/cart is not known');
    const { stdout, stderr: notes } = await ask(service, 'reach', 'authorizationpolicy/all');
    expect([stdout, notes]).toEqual([expect.stringContaining('undecided'), '']);
  });

  it('are not a warning if a selector selects none, and the namespace is without workloads: charts create them', async () => {
    const namespace = '{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }';
    const { stdout, exitCode } = await ask(namespace + selecting('cart'), 'lint');
    expect([exitCode, stdout.includes('note'), stdout.includes('warning')]).toEqual([0, true, false]);
    expect((await ask(workloads + selecting('gone'), 'lint')).stdout).toContain('warning');
  });
});
