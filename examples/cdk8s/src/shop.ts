import { ApiObject, App, Chart } from 'cdk8s';
import { TimeoutPolicy as TimeoutPolicyKind } from '../../quickstart/src/policy-kinds.ts';
import { constructsOf } from './constructs.ts';

const TimeoutPolicy = constructsOf(TimeoutPolicyKind);

/** Returns the charts of a shop: the definition of TimeoutPolicy, a Gateway with a policy, and a route with another. */
export function shop(): App {
  const app = new App();
  const definitions = new Chart(app, 'definitions');
  new TimeoutPolicy.Definition(definitions, 'timeouts');

  const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
  const apiVersion = 'gateway.networking.k8s.io/v1';
  const edge = new ApiObject(chart, 'edge', {
    apiVersion,
    kind: 'Gateway',
    spec: { gatewayClassName: 'edge', listeners: [{ name: 'https', port: 443, protocol: 'HTTPS' }] },
  });
  const cart = new ApiObject(chart, 'cart', {
    apiVersion,
    kind: 'HTTPRoute',
    spec: { parentRefs: [{ name: edge.name }], rules: [{ name: 'pay' }, { name: 'browse' }] },
  });
  new TimeoutPolicy.Policy(chart, 'house-rules', {
    targets: [{ on: edge, section: 'https' }],
    defaults: { request: '10s', idle: '1m' },
  });
  new TimeoutPolicy.Policy(chart, 'patient', {
    targets: [{ on: cart, section: 'pay' }],
    defaults: { request: '30s' },
  });
  return app;
}
