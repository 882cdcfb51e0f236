const group = 'gateway.networking.k8s.io';

/** Returns a route to the Gateway. */
export const route = (name: string, more = '') => `---
apiVersion: ${group}/v1
kind: HTTPRoute
metadata: { name: ${name}, namespace: shop${more} }
spec:
  hostnames: [${name}.example.com]
  parentRefs: [{ name: public, namespace: infra }]
  rules: [{ backendRefs: [{ name: ${name}, port: 80 }] }]
`;

/** Returns a SecurityPolicy: its name, its target such as `HTTPRoute cart`, and its fields. */
export const policy = (name: string, target: string, spec: string) => `---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: SecurityPolicy
metadata: { name: ${name.split('/')[1]}, namespace: ${name.split('/')[0]} }
spec: { targetRefs: [{ group: ${group}, kind: ${target.split(' ')[0]}, name: ${target.split(' ')[1]} }], ${spec} }
`;

/** Returns the Gateway, with annotations. */
export const edge = (annotations = '{}') => `---
apiVersion: ${group}/v1
kind: Gateway
metadata: { name: public, namespace: infra, annotations: ${annotations} }
spec:
  gatewayClassName: eg
  listeners:
    - { name: https, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: c }] }, allowedRoutes: { namespaces: { from: All } } }
`;

/** The authentication of the Gateway. */
export const login = policy(
  'infra/login',
  'Gateway public',
  'jwt: { providers: [{ name: a, remoteJWKS: { uri: "https://a" } }] }',
);
/** A policy of a route that replaces the authentication. */
export const cors = policy('shop/cors', 'HTTPRoute cart', 'cors: { allowOrigins: ["https://a.example.com"] }');
/** Two routes that the Gateway protects. */
export const good = `${edge()}${login}${route('cart')}${route('search')}`;
/** The same routes, of which one loses its authentication. */
export const bad = `${good}${cors}`;
