import { describe, expect, it } from 'vitest';
import { gateway, gatewayClass, namespace, referenceGrant, route, service } from '../gateway-api.fixture.ts';
import { levelsOf, paint, painted, paintPolicy } from '../policies.fixture.ts';
import { Gateway } from './gateway.ts';
import { HTTPRoute } from './route.ts';

const port = 'service:payments/pay#web';
const pay = service('pay', [{ name: 'web', port: 80 }], 'payments');
const toPay = { name: 'all', backendRefs: [{ name: 'pay', namespace: 'payments', port: 80 }] };
const grants = referenceGrant('payments', [{ kind: 'HTTPRoute', namespace: 'shop' }], [{ group: '', kind: 'Service' }]);
const namespaces = ['infra', 'shop', 'payments'].map((name) => namespace(name));

describe('the order of levels in ingress (H-03, X-28)', () => {
  const listener = { name: 'http', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'All' } } };
  const resources = [
    ...namespaces,
    gatewayClass('edge'),
    gateway('public', { gatewayClassName: 'edge', listeners: [listener] }, 'infra'),
    route('HTTPRoute', 'cart', { parentRefs: [{ name: 'public', namespace: 'infra' }], rules: [toPay] }, 'shop'),
    pay,
    grants,
  ];
  const everywhere = [
    'GatewayClass edge',
    'Namespace infra',
    'Gateway infra/public',
    'Gateway infra/public#http',
    'Namespace shop',
    'HTTPRoute shop/cart',
    'HTTPRoute shop/cart#all',
    'Namespace payments',
    'Service payments/pay',
    'Service payments/pay#web',
  ];
  const policies = everywhere.map((target, index) => paint(`p${index}`, target, { color: target }));

  it('equals the figure: class, Gateway namespace, Gateway, route namespace, route, backend namespace, backend', () => {
    const { effective } = painted(paintPolicy(), {}, [...resources, ...policies]);
    expect(effective.of(port).map(levelsOf)).toEqual([everywhere]);
  });

  it('lets each level yield to the next one, from the class to the port', () => {
    for (let level = everywhere.length; level > 0; level -= 1) {
      const { effective } = painted(paintPolicy(), {}, [...resources, ...policies.slice(0, level)]);
      expect(effective.of(port).map(({ spec }) => spec.color)).toEqual([everywhere[level - 1]]);
    }
  });

  it.each([
    ['no kind', [], ['GatewayClass edge', 'Gateway infra/public', 'HTTPRoute shop/cart', 'Service payments/pay']],
    [
      'Gateway',
      [Gateway],
      ['GatewayClass edge', 'Namespace infra', 'Gateway infra/public', 'HTTPRoute shop/cart', 'Service payments/pay'],
    ],
    [
      'HTTPRoute',
      [HTTPRoute],
      ['GatewayClass edge', 'Gateway infra/public', 'Namespace shop', 'HTTPRoute shop/cart', 'Service payments/pay'],
    ],
  ])('has namespaces above objects of the kinds in namespaceLevels only: %s', (_, namespaceLevels, expected) => {
    const { effective } = painted(paintPolicy({ namespaceLevels }), {}, [...resources, ...policies]);
    expect(effective.of(port).map((it) => levelsOf(it).filter((name) => !name.includes('#')))).toEqual([expected]);
  });
});

describe('the order of levels in a mesh (H-04)', () => {
  const parent = { group: '', kind: 'Service', name: 'pay' };
  const resources = [
    ...namespaces,
    pay,
    grants,
    route('HTTPRoute', 'producer', { parentRefs: [parent], rules: [toPay] }, 'payments'),
    route('HTTPRoute', 'consumer', { parentRefs: [{ ...parent, namespace: 'payments' }], rules: [toPay] }, 'shop'),
  ];
  const options = { mesh: true };
  const kind = paintPolicy({}, options);
  /** The levels of each context by the place where they are first met; namespaces are, again and again. */
  const contexts = (...targets: readonly string[]) => {
    const policies = targets.map((target, index) => paint(`p${index}`, target));
    const { effective } = painted(kind, options, [...resources, ...policies]);
    return effective.of(port).map((policy) => [...new Set(levelsOf(policy))]);
  };
  const consumer = ['Namespace shop', 'ServiceFrontend shop/pay.payments', 'HTTPRoute shop/consumer'];
  const producer = ['Namespace payments', 'ServiceFrontend payments/pay', 'HTTPRoute payments/producer'];
  const backend = ['Namespace payments', 'Service payments/pay'];

  it('is consumer namespace, consumer route, backend namespace, backend for clients of that namespace', () => {
    expect(contexts(...consumer, ...backend)).toContainEqual([...consumer, ...backend]);
  });

  it('is backend namespace, backend route, backend for all others', () => {
    expect(contexts(...producer, ...consumer, 'Service payments/pay')).toContainEqual([
      ...producer,
      'Service payments/pay',
    ]);
  });

  it('has a policy on a Service where requests end, not at its frontend', () => {
    const { effective } = painted(kind, options, [...resources, paint('p', 'Service payments/pay')]);
    expect(effective.of(port).map(levelsOf)).toEqual([['Service payments/pay']]);
    expect(effective.of('httproute.gateway.networking.k8s.io:payments/producer#all')).toEqual([]);
  });
});
