import { describe, expect, it } from 'vitest';
import { runWith } from '../run.fixture.ts';

const gatewayApi = 'gateway.networking.k8s.io';

function object(type: string, name: string, spec: object, status?: object): string {
  const [apiVersion, kind] = type.split(' ');
  return JSON.stringify({ apiVersion, kind, metadata: { name, namespace: 'shop' }, spec, ...(status && { status }) });
}

const gateway = (name: string) =>
  object(`${gatewayApi}/v1 Gateway`, name, {
    gatewayClassName: 'c',
    listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
  });
const route = (gatewayName: string, backend: string) =>
  object(`${gatewayApi}/v1 HTTPRoute`, `${gatewayName}-${backend}`, {
    parentRefs: [{ name: gatewayName }],
    rules: [{ backendRefs: [{ name: backend, port: 80 }] }],
  });
const service = (name: string) => object('v1 Service', name, { ports: [{ name: 'http', port: 80 }] });
const backend = (name: string, spec: object = {}) =>
  object('agentgateway.dev/v1alpha1 AgentgatewayBackend', name, { static: { host: 'h.example', port: 80 }, ...spec });
const policyOn = (kind: string, name: string, spec: object, status?: object) => {
  const [of = '', sectionName] = kind.split('#');
  const group = { Gateway: gatewayApi, HTTPRoute: gatewayApi, Service: '' }[of] ?? 'agentgateway.dev';
  const targetRefs = [{ group, kind: of, name, ...(sectionName && { sectionName }) }];
  return object('agentgateway.dev/v1alpha1 AgentgatewayPolicy', `on-${name}`, { targetRefs, ...spec }, status);
};
const auth = (backendRef: object) => ({ traffic: { extAuth: { backendRef, http: {} } } });
const tunnel = (backendRef: object) => ({ tunnel: { backendRef } });
const toBackend = (name: string) => ({ group: 'agentgateway.dev', kind: 'AgentgatewayBackend', name });
const toService = (name: string) => ({ name, port: 80 });

/** Compares a status with these Gateways as ancestors, of a policy on the Service or AgentgatewayBackend `end`. */
async function compared(kind: string, gateways: readonly string[], ...others: readonly string[]) {
  const ancestors = gateways.map((name) => ({
    ancestorRef: { group: gatewayApi, kind: 'Gateway', namespace: 'shop', name },
    controllerName: 'agentgateway.dev/agentgateway',
    conditions: [{ type: 'Accepted', status: 'True', reason: 'Valid', message: '' }],
  }));
  const policy = policyOn(kind, 'end', { backend: { tcp: { connectTimeout: '1s' } } }, { ancestors });
  const stdin = [gateway('one'), gateway('two'), policy, ...others].join('\n---\n');
  const { stdout } = await runWith(['status', '-n', 'shop', '-o', 'json', '-f', '-', 'agentgatewaypolicy/on-end'], {
    stdin,
  });
  const [item] = JSON.parse(stdout).items;
  return [item.result, ...item.differences.map((it: { code: string }) => it.code)];
}

// As in reference_indexes.go, which finds the Gateways of the objects that refer to a backend.
describe('the Gateways in statuses of policies on backends of agentgateway', () => {
  const end = backend('end');

  it.each([
    ['a policy on a Gateway', 'Service', [service('end'), policyOn('Gateway', 'one', auth(toService('end')))]],
    [
      'a policy on a route',
      'AgentgatewayBackend',
      [end, route('one', 's'), policyOn('HTTPRoute', 'one-s', auth(toBackend('end')))],
    ],
    [
      'a backend with a route',
      'AgentgatewayBackend',
      [
        end,
        backend('a', { policies: tunnel(toBackend('end')) }),
        route('one', 'a').replace('"name":"a"', '"group":"agentgateway.dev","kind":"AgentgatewayBackend","name":"a"'),
      ],
    ],
    [
      'a policy on a backend of another policy',
      'AgentgatewayBackend',
      [
        end,
        backend('a'),
        policyOn('AgentgatewayBackend', 'a', { backend: tunnel(toBackend('end')) }),
        policyOn('Gateway', 'one', auth(toBackend('a'))),
      ],
    ],
  ])('are those of %s that refers to the backend', async (_, kind, objects) => {
    expect(await compared(kind, ['one'], ...objects)).toEqual(['same']);
    expect(await compared(kind, ['two'], ...objects)).toEqual(['different', 'missing', 'extra']);
  });

  it('are also above its routes', async () => {
    const objects = [service('end'), route('two', 'end'), policyOn('Gateway', 'one', auth(toService('end')))];
    expect(await compared('Service', ['one', 'two'], ...objects)).toEqual(['same']);
    expect(await compared('Service', ['two'], ...objects)).toEqual(['different', 'missing']);
  });

  it('are those of the whole Service for a policy on one port', async () => {
    const ports = [80, 90].map((port) => ({ name: `p${port}`, port }));
    const objects = [object('v1 Service', 'end', { ports }), route('one', 'end')];
    expect(await compared('Service#90', ['one'], ...objects)).toEqual(['same']);
    expect(await compared('Service#90', ['two'], ...objects)).toEqual(['different', 'missing', 'extra']);
  });

  it('are found where backends refer to each other', async () => {
    const [a, b] = [
      backend('end', { policies: tunnel(toBackend('b')) }),
      backend('b', { policies: tunnel(toBackend('end')) }),
    ];
    expect(
      await compared('AgentgatewayBackend', ['one'], a, b, policyOn('Gateway', 'one', auth(toBackend('b')))),
    ).toEqual(['same']);
  });
});
