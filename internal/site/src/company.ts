import { cors, edge, login, policy } from '../../../packages/cli/src/lib/covering/shop.fixture.ts';

/** The routes of a company, by namespace. */
const routes: Readonly<Record<string, string>> = {
  accounts: 'login profile orders addresses newsletter consents sessions',
  logistics: 'tracking returns labels depots routes carriers slots fleet',
  payments: 'cards invoices refunds payouts ledger fraud',
  platform: 'status docs metrics events search',
  shop: 'cart checkout search catalog reviews wishlist prices stock media offers',
};

const keys = 'providers: [{ name: staff, remoteJWKS: { uri: "https://staff.example.com/keys" } }]';

/** Returns the manifests of a company: a Gateway, and routes that are protected or not. */
export function company(): string {
  const all = Object.entries(routes).flatMap(([namespace, names]) =>
    names.split(' ').map((name) => route(namespace, name)),
  );
  return [
    edge(),
    login,
    ...all,
    ...['shop/media', 'shop/catalog', 'logistics/tracking'].map((name) => {
      return cors
        .replace('cors, namespace: shop', `${name.split('/')[1]}-cors, namespace: ${name.split('/')[0]}`)
        .replace('name: cart', `name: ${name.split('/')[1]}`);
    }),
    policy('payments/ledger', 'HTTPRoute ledger', `jwt: { ${keys} }`),
    policy('platform/status', 'HTTPRoute status', `jwt: { optional: true, ${keys} }`),
  ].join('');
}

function route(namespace: string, name: string): string {
  return `---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  hostnames: [${namespace}.example.com]
  parentRefs: [{ name: public, namespace: infra }]
  rules: [{ matches: [{ path: { type: PathPrefix, value: /${name} } }], backendRefs: [{ name: ${name}, port: 80 }] }]
`;
}
