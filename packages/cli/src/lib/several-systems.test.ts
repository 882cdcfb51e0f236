import { describe, expect, it } from 'vitest';
import { runWith } from './run.fixture.ts';

/** One route on a Gateway of Envoy Gateway, and on one of a controller. */
const routeOn = (controllerName: string) => `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: envoy }
spec: { controllerName: gateway.envoyproxy.io/gatewayclass-controller }
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: second }
spec: { controllerName: ${controllerName} }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: old, namespace: shop }
spec: { gatewayClassName: second, listeners: [{ name: http, port: 80, protocol: HTTP }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: new, namespace: shop }
spec: { gatewayClassName: envoy, listeners: [{ name: http, port: 80, protocol: HTTP }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec: { parentRefs: [{ name: old }, { name: new }], rules: [{ name: all }] }
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: SecurityPolicy
metadata: { name: cors, namespace: shop }
spec: { targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: cart }], cors: { maxAge: 1m } }
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: retries, namespace: shop }
spec: { targetRefs: [{ group: gateway.networking.k8s.io, kind: Gateway, name: old }], retry: { numRetries: 3 } }
---
apiVersion: gateway.nginx.org/v1alpha1
kind: ClientSettingsPolicy
metadata: { name: uploads, namespace: shop }
spec: { targetRef: { group: gateway.networking.k8s.io, kind: HTTPRoute, name: cart }, body: { maxSize: 1m } }
---
apiVersion: kuadrant.io/v1
kind: AuthPolicy
metadata: { name: keys, namespace: shop }
spec: { targetRef: { group: gateway.networking.k8s.io, kind: HTTPRoute, name: cart }, rules: { authentication: { keys: { anonymous: {} } } } }
`;

/** Returns the kinds of policies that a request meets at the second Gateway. */
async function metAt(controllerName: string): Promise<readonly string[]> {
  const args = ['request', 'http://shop.example.com/', '--gateway', 'shop/old', '-f', '-'];
  const { stdout } = await runWith(args, { stdin: routeOn(controllerName) });
  return [...stdout.matchAll(/^ *(\w+Policy) for /gm)].map(([, kind = '']) => kind);
}

describe('policies of several systems on one route', () => {
  it.each([
    ['gateway.envoyproxy.io/gatewayclass-controller', ['AuthPolicy', 'BackendTrafficPolicy', 'SecurityPolicy']],
    ['gateway.nginx.org/nginx-gateway-controller', ['ClientSettingsPolicy']],
    ['istio.io/gateway-controller', ['AuthPolicy']],
    ['io.cilium/gateway-controller', []],
    ['example.com/own', ['AuthPolicy', 'BackendTrafficPolicy', 'ClientSettingsPolicy', 'SecurityPolicy']],
  ])('count at a Gateway of %s: %j', async (controllerName, kinds) => {
    expect(await metAt(controllerName)).toEqual(kinds);
  });

  it('do not have an effect without a Gateway of their system above their targets', async () => {
    const { stdout } = await runWith(['get', '-A', '-o', 'wide', '-f', '-'], {
      stdin: routeOn('io.cilium/gateway-controller'),
    });
    expect(stdout).toMatch(
      /retries +BackendTrafficPolicy .* not-in-any-path .* Its targets are left to other controllers\.$/m,
    );
    expect(stdout).toMatch(/uploads +ClientSettingsPolicy .* not-in-any-path /m);
    expect(stdout).toMatch(/cors +SecurityPolicy .* enforced /m);
  });

  it('are left to other controllers also on the ListenerSet of their Gateway', async () => {
    const stdin = `${routeOn('io.cilium/gateway-controller').replace('listeners:', 'allowedListeners: { namespaces: { from: Same } }, listeners:')}
---
apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: { name: more, namespace: shop }
spec: { parentRef: { name: old }, listeners: [{ name: http, port: 8080, protocol: HTTP }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: more, namespace: shop }
spec: { parentRefs: [{ kind: ListenerSet, group: gateway.networking.k8s.io, name: more }], rules: [{}] }
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: more, namespace: shop }
spec: { targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: more }], retry: { numRetries: 3 } }
`;
    const { stdout } = await runWith(['get', '-A', '-o', 'wide', '-f', '-'], { stdin });
    expect(stdout).toMatch(
      /more +BackendTrafficPolicy .* not-in-any-path .* Its targets are left to other controllers\.$/m,
    );
  });

  it('break a guarantee where requests come through the Gateway of another system', async () => {
    const guarantee = `
apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: cors }
spec: { holds: has(policies.SecurityPolicy) }
---`;
    const verified = (controllerName: string) =>
      runWith(['verify', '-f', '-'], { stdin: guarantee + routeOn(controllerName) });
    const broken = await verified('gateway.nginx.org/nginx-gateway-controller');
    expect(broken.stdout).toContain('GatewayClass second > Gateway shop/old#http > HTTPRoute shop/cart#all');
    expect(broken.exitCode).toBe(1);
    expect((await verified('gateway.envoyproxy.io/gatewayclass-controller')).exitCode).toBe(0);
  });
});
