import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runWith } from '../run.fixture.ts';

const group = 'gateway.networking.k8s.io';
const object = (apiVersion: string, kind: string, name: string, spec: object, namespace = 'shop') => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  spec,
});
const gateway = (name: string, namespace: string) =>
  object(
    `${group}/v1`,
    'Gateway',
    name,
    { gatewayClassName: 'c', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
    namespace,
  );
const route = (parent: object, backend: string) =>
  object(`${group}/v1`, 'HTTPRoute', 'cart', {
    parentRefs: [parent],
    rules: [{ backendRefs: [{ name: backend, port: 80 }] }],
  });
const policy = (ref: object) =>
  object('gateway.envoyproxy.io/v1alpha1', 'BackendTrafficPolicy', 'p', {
    targetRefs: [{ group, ...ref }],
    retry: { numRetries: 2 },
  });
const service = object('v1', 'Service', 'orders', { ports: [{ port: 80 }] });
const world = [gateway('public', 'infra'), gateway('internal', 'shop'), service];
const good = { name: 'internal' };

/** What each finding asks, if it asks something. */
async function questionsAbout(...objects: readonly object[]): Promise<readonly string[]> {
  const stdin = [...world, ...objects].map((it) => stringify(it)).join('---\n');
  const { stdout } = await runWith(['lint', '-f', '-', '-o', 'json'], { stdin });
  return JSON.parse(stdout).items.flatMap(({ message }: { message: string }) => /did you mean .*/.exec(message) ?? []);
}

describe('a finding about a reference that leads nowhere', () => {
  it.each<[string, readonly object[], readonly string[]]>([
    ['a misspelled Gateway', [route({ name: 'intenal' }, 'orders')], ['did you mean Gateway shop/internal?']],
    ['a Gateway of another namespace', [route({ name: 'public' }, 'orders')], ['did you mean Gateway infra/public?']],
    ['a misspelled listener', [route({ ...good, sectionName: 'htp' }, 'orders')], ['did you mean http?']],
    ['a misspelled backend', [route(good, 'order')], ['did you mean Service shop/orders?']],
    [
      'a misspelled target of a policy',
      [route(good, 'orders'), policy({ kind: 'HTTPRoute', name: 'card' })],
      ['did you mean HTTPRoute shop/cart?'],
    ],
    [
      'a target with another kind of the same name',
      [route(good, 'orders'), policy({ kind: 'GRPCRoute', name: 'cart' })],
      ['did you mean HTTPRoute shop/cart?'],
    ],
    [
      'a section that exists, and depends on something that is not in the input',
      [
        object(`${group}/v1`, 'ListenerSet', 'more', {
          parentRef: { name: 'edge', namespace: 'infra' },
          listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
        }),
        object('gateway.envoyproxy.io/v1alpha1', 'ClientTrafficPolicy', 'q', {
          targetRefs: [{ group, kind: 'ListenerSet', name: 'more', sectionName: 'http' }],
        }),
      ],
      [],
    ],
    ['names that are alike in nothing', [route({ name: 'backbone' }, 'fulfilment')], []],
  ])('asks about %s', async (_, objects, expected) => {
    expect(await questionsAbout(...objects)).toEqual(expected);
  });

  it('offers no listener of a Gateway that is not in the input', async () => {
    const elsewhere = { name: 'edge', namespace: 'infra' };
    const target = policy({ kind: 'Gateway', ...elsewhere, sectionName: 'http-8' });
    expect(await questionsAbout(route(elsewhere, 'orders'), target)).toEqual([]);
  });
});

describe('a finding about a target without a namespace', () => {
  const gatewayClass = {
    apiVersion: `${group}/v1`,
    kind: 'GatewayClass',
    metadata: { name: 'public' },
    spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
  };
  const patchOf = (name: string) =>
    object('gateway.envoyproxy.io/v1alpha1', 'EnvoyPatchPolicy', 'p', {
      targetRef: { group, kind: 'GatewayClass', name },
      type: 'JSONPatch',
    });

  it('asks about a misspelled name, and not about the target itself, which is refused', async () => {
    expect(await questionsAbout(gatewayClass, patchOf('publc'))).toEqual(['did you mean GatewayClass public?']);
    expect(await questionsAbout(gatewayClass, patchOf('public'))).toEqual([]);
  });
});

describe('a finding about a field that the schema does not have', () => {
  const retries = policy({ kind: 'HTTPRoute', name: 'cart' });
  const withFields = (fields: object) => ({ ...retries, spec: { ...retries.spec, ...fields } });

  it.each<[string, object, readonly string[]]>([
    ['of the spec', { retrry: {} }, ['did you mean retry?']],
    ['further below', { timeout: { http: { requestTimout: '5s' } } }, ['did you mean requestTimeout?']],
    ['unlike all others', { wizardry: 1 }, []],
  ])('asks about a field %s', async (_, fields, expected) => {
    expect(await questionsAbout(route(good, 'orders'), withFields(fields))).toEqual(expected);
  });
});
