import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from './api-server.ts';
import { accessTo, kubectl } from './cluster.ts';
import { installGatewayApi } from './gateway-api.ts';
import { type Ran, startGwpolicy } from './gwpolicy/run.ts';
import { installSystems } from './gwpolicy/systems.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 200 };

const shop = readFileSync(join(import.meta.dirname, 'gwpolicy/shop.yaml'), 'utf8');

const hurried = `
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: hurried, namespace: shop }
spec:
  targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: cart }]
  timeout: { http: { requestTimeout: 1s } }
`;

const routeToCorrect = JSON.stringify({ spec: { targetRef: { name: 'checkout' } } });

const acceptedStatus = JSON.stringify({
  status: {
    ancestors: [
      {
        ancestorRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'public', namespace: 'infra' },
        controllerName: 'example.com/edge',
        conditions: [
          {
            type: 'Accepted',
            status: 'True',
            reason: 'Accepted',
            message: 'Accepted.',
            lastTransitionTime: '2026-01-01T00:00:00Z',
            observedGeneration: 1,
          },
        ],
      },
    ],
  },
});

/** The rights of the user `reader`: to read all that gwpolicy reads, but for RateLimitPolicies. */
const rights = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules:
  - { apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [list] }
  - { apiGroups: [gateway.networking.k8s.io, gateway.envoyproxy.io], resources: ["*"], verbs: [list] }
  - { apiGroups: [kuadrant.io], resources: [authpolicies, dnspolicies, tlspolicies], verbs: [list] }
  - { apiGroups: [""], resources: [namespaces, services], verbs: [list] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: reader }]
`;

describe.runIf(inject('cluster').isOwn)('gwpolicy on a real API server with Kuadrant and Envoy Gateway', () => {
  let server: ApiServer;
  const run = (args: readonly string[], input?: string) => kubectl(accessTo(server.kubeconfig), args, input);
  const start = (args: readonly string[], input?: string) =>
    startGwpolicy([...args, '--kubeconfig', server.kubeconfig], input);
  const gwpolicy = (args: readonly string[], input?: string): Promise<Ran> => start(args, input).end;

  beforeAll(async () => {
    server = await startApiServer({ users: ['reader'] });
    const cluster = accessTo(server.kubeconfig);
    await installGatewayApi(cluster);
    await installSystems(cluster);
    // Kinds are served a moment after their definitions.
    await vi.waitFor(() => run(['apply', '-f', '-'], shop), patience);
    await run(['apply', '-f', '-'], rights);
    await run(
      'patch backendtrafficpolicies patient -n shop --subresource status --type merge -p'
        .split(' ')
        .concat(acceptedStatus),
    );
  });
  afterAll(async () => {
    await server?.close();
  });

  it('lists the policy kinds', async () => {
    const { stdout, stderr, code } = await gwpolicy(['kinds']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Where merging is not known, [^\n]*\n$/)]);
    expect(stdout).toMatchInlineSnapshot(`
      "KIND                   GROUP                       SYSTEM          CLASS       MERGING   FOUND BY   SCHEMA    POLICIES
      AuthPolicy             kuadrant.io                 Kuadrant        Inherited   known     table      cluster   0
      BackendTLSPolicy       gateway.networking.k8s.io   Gateway API     Direct      known     table      cluster   0
      BackendTrafficPolicy   gateway.envoyproxy.io       Envoy Gateway   Inherited   known     table      cluster   2
      ClientTrafficPolicy    gateway.envoyproxy.io       Envoy Gateway   Inherited   known     table      cluster   0
      DNSPolicy              kuadrant.io                 Kuadrant        Direct      known     table      cluster   0
      EnvoyExtensionPolicy   gateway.envoyproxy.io       Envoy Gateway   Inherited   known     table      cluster   0
      EnvoyPatchPolicy       gateway.envoyproxy.io       Envoy Gateway   Inherited   unknown   table      cluster   0
      RateLimitPolicy        kuadrant.io                 Kuadrant        Inherited   known     table      cluster   3
      SecurityPolicy         gateway.envoyproxy.io       Envoy Gateway   Inherited   known     table      cluster   0
      TLSPolicy              kuadrant.io                 Kuadrant        Direct      known     table      cluster   0
      "
    `);
  });

  it('lists the outcome of each policy', async () => {
    const { stdout, stderr, code } = await gwpolicy(['get', '-A']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
      "NAMESPACE   NAME          KIND                   TARGETS              OUTCOME            AGE
      infra       house-rules   BackendTrafficPolicy   Gateway public       partly-enforced    AGE
      shop        patient       BackendTrafficPolicy   HTTPRoute checkout   enforced           AGE
      infra       ceiling       RateLimitPolicy        Gateway public       enforced           AGE
      shop        cart          RateLimitPolicy        HTTPRoute cart       partly-enforced    AGE
      shop        typo          RateLimitPolicy        HTTPRoute chekout    target-not-found   AGE
      "
    `);
  });

  it('uses the namespace default unless another one is named', async () => {
    expect(await gwpolicy(['get'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No policies found in the namespace default.\n',
    });
  });

  it('explains the effective policies of a route, by policies of two systems', async () => {
    const { stdout, stderr, code } = await gwpolicy(['explain', 'httproute/checkout', '-n', 'shop']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
      "HTTPRoute shop/checkout#pay
        BackendTrafficPolicy through GatewayClass edge > Gateway infra/public#http
          timeout.http.connectionIdleTimeout
            1m   infra/house-rules  on Gateway infra/public
          timeout.http.requestTimeout
            60s  shop/patient       on HTTPRoute shop/checkout
            10s  infra/house-rules  lost: shop/patient is more specific, and mergeType
                                    is StrategicMerge (Custom)
        RateLimitPolicy through GatewayClass edge > Gateway infra/public#http
          limits.per-client.rates
            [{ limit: 100, window: 1m }]
              infra/ceiling  override on Gateway infra/public
      "
    `);
  });

  it('explains who lost a field to an override', async () => {
    const { stdout } = await gwpolicy(['explain', 'httproute/shop/cart', '/limits']);
    expect(stdout).toMatchInlineSnapshot(`
      "HTTPRoute shop/cart#all
        RateLimitPolicy through GatewayClass edge > Gateway infra/public#http
          limits.baskets.rates
            [{ limit: 5, window: 1s }]
              shop/cart      default on HTTPRoute shop/cart
          limits.per-client.rates
            [{ limit: 100, window: 1m }]
              infra/ceiling  override on Gateway infra/public
            [{ limit: 500, window: 1m }]
              shop/cart      lost: infra/ceiling is less specific and prevails, and
                             overrides.strategy is merge (Custom)
      "
    `);
  });

  it('finds faults', async () => {
    const { stdout, stderr, code } = await gwpolicy(['lint', '-A']);
    expect([code, stderr]).toEqual([1, '1 error, 4 notes in 5 policies.\n']);
    expect(stdout).toMatchInlineSnapshot(`
      "WHERE                                                          SEVERITY   MESSAGE                                                                                                                           CODE
      backendtrafficpolicy.gateway.envoyproxy.io:infra/house-rules   note       Its status is missing: no controller has reported it.                                                                             status-missing
      ratelimitpolicy.kuadrant.io:infra/ceiling                      note       Its status is missing: no controller has reported it.                                                                             status-missing
      ratelimitpolicy.kuadrant.io:shop/cart                          note       Its status is missing: no controller has reported it.                                                                             status-missing
      ratelimitpolicy.kuadrant.io:shop/typo                          note       Its status is missing: no controller has reported it.                                                                             status-missing
      ratelimitpolicy.kuadrant.io:shop/typo /spec/targetRef          error      targets HTTPRoute shop/chekout, which does not exist; create it or correct the reference; did you mean HTTPRoute shop/checkout?   missing-target
      "
    `);
  });

  it('names a namespace without faults', async () => {
    const args = ['lint', '--only', 'namespace=infra', '--ignore-status'];
    expect(await gwpolicy(args)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing is wrong in 2 policies in the namespace infra.\n',
    });
  });

  it('compares statuses with computed ones', async () => {
    const { stdout, stderr, code } = await gwpolicy(['status', '-A']);
    expect([code, stderr]).toEqual([
      1,
      'The statuses of 4 of 5 policies differ from the computed outcomes; -o wide shows why.\n',
    ]);
    expect(stdout).toMatchInlineSnapshot(`
      "NAMESPACE   POLICY                             ANCESTOR               CONDITION   SAYS      COMPUTED
      infra       BackendTrafficPolicy house-rules   Gateway infra/public   Accepted    nothing   True (Accepted)
      infra       RateLimitPolicy ceiling            <none>                 Accepted    nothing   True (Accepted)
      shop        RateLimitPolicy cart               <none>                 Accepted    nothing   True (Accepted)
      shop        RateLimitPolicy typo               <none>                 Accepted    nothing   False (TargetNotFound)
      "
    `);
  });

  it('lists the effects of a policy in all namespaces, and applies nothing', async () => {
    const { stdout, stderr, code } = await gwpolicy(['impact', '-f', '-'], hurried);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatchInlineSnapshot(`
      "1 effective policy changes, 1 other outcome changes.

      HTTPRoute shop/cart#all
        BackendTrafficPolicy through GatewayClass edge > Gateway infra/public#http
          -  timeout.http.connectionIdleTimeout  1m        shop/hurried replaces infra/house-rules      stdin:5
          ~  timeout.http.requestTimeout         10s → 1s  set by shop/hurried (was infra/house-rules)  stdin:7

      Policies
        BackendTrafficPolicy shop/hurried  new  →  enforced  In force in all scopes.
      "
    `);
    expect(await run(['get', 'backendtrafficpolicies', '-A', '-o', 'name'])).not.toContain('hurried');
  });

  it('puts a policy without a namespace where kubectl puts it', async () => {
    const withoutNamespace = hurried.replace(', namespace: shop', '');
    const { stdout, code } = await gwpolicy(['impact', '-f', '-', '-n', 'shop'], withoutNamespace);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/10s → 1s {2}set by shop\/hurried .* stdin:7\n/)]);
  });

  it('reports no change for objects that are applied already', async () => {
    expect(await gwpolicy(['impact', '-f', '-'], shop)).toEqual({
      code: 0,
      stdout: 'Nothing changes for any policy.\n',
      stderr: '',
    });
  });

  it('shows a policy that changes with -w, until it is interrupted', async () => {
    const watch = start(['get', '-n', 'shop', '-w']);
    await vi.waitFor(() => expect(watch.output()).toMatch(/^typo .* target-not-found {3}AGE\n/m), patience);
    await run(['patch', 'ratelimitpolicies', 'typo', '-n', 'shop', '--type', 'merge', '-p', routeToCorrect]);
    await vi.waitFor(() => expect(watch.output()).toMatch(/^typo .* HTTPRoute checkout .*\n/m), patience);
    watch.interrupt();
    const { stdout, stderr, code } = await watch.end;
    expect([code, stderr]).toEqual([130, '']);
    expect(stdout).toMatchInlineSnapshot(`
      "NAME      KIND                   TARGETS              OUTCOME            AGE
      patient   BackendTrafficPolicy   HTTPRoute checkout   enforced           AGE
      cart      RateLimitPolicy        HTTPRoute cart       partly-enforced    AGE
      typo      RateLimitPolicy        HTTPRoute chekout    target-not-found   AGE
      typo      RateLimitPolicy        HTTPRoute checkout   enforced           AGE
      "
    `);
  });

  it('names a kind that the user may not read, and says that the answer may be incomplete', async () => {
    const { stdout, stderr, code } = await gwpolicy(['get', '-A', '--context', 'reader']);
    expect(stderr).toMatchInlineSnapshot(`
      "warning: the answer may be incomplete: you may not read ratelimitpolicies.kuadrant.io in all namespaces (-v lists them)
      "
    `);
    expect(stdout).toMatchInlineSnapshot(`
      "NAMESPACE   NAME          KIND                   TARGETS              OUTCOME           AGE
      infra       house-rules   BackendTrafficPolicy   Gateway public       partly-enforced   AGE
      shop        patient       BackendTrafficPolicy   HTTPRoute checkout   enforced          AGE
      "
    `);
    expect(code).toBe(0);
    expect((await gwpolicy(['get', '-A', '--context', 'reader', '--strict'])).code).toBe(2);
  });

  it.each([
    [
      ['explain', 'httproute/shop/checkou'],
      'HTTPRoute shop/checkou does not exist; did you mean HTTPRoute shop/checkout?',
    ],
    [['get', '--context', 'staging'], 'error: context "staging" does not exist'],
  ])('exits with 2 for %j, and says why', async (args, message) => {
    const { stdout, stderr, code } = await gwpolicy(args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });
});
