import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { at, createWorld, gateway, name, route, timeouts } from '../world.fixture.ts';

const ConfigMap = { group: '', kind: 'ConfigMap' };
const configMap = (name: string, data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop' },
  data,
});
const dataOf = (object: KubernetesObject | undefined) => (object as { readonly data?: object } | undefined)?.data;
const label = 'app.kubernetes.io/managed-by';

/** Starts a controller that makes a ConfigMap for each route from another ConfigMap, which people write. */
function start(objects: readonly KubernetesObject[] = []) {
  const world = createWorld({
    objects: [gateway('edge'), route('cart', 'edge'), timeouts('slow', 'Gateway edge', { request: '1s' }), ...objects],
    controller: {
      watches: [{ kind: ConfigMap, requeue: ({ ref }) => (ref.name === 'zone' ? [at.route('cart')] : []) }],
      owns: [ConfigMap],
      onEffective({ targets, objects, apply }) {
        const data = dataOf(objects.get(ConfigMap, { namespace: 'shop', name: 'zone' })) ?? {};
        for (const target of targets) apply(target, [configMap('of-cart', data)]);
      },
    },
  });
  return { world, made: () => world.server.get('configmap:shop/of-cart'), ...world.start() };
}

describe('a kind that is watched and owned', () => {
  it('has objects of others that are read, and owned ones that follow', async () => {
    const { world, made, stop } = start([configMap('zone', { name: 'east' })]);
    await world.settle();
    expect(dataOf(made())).toEqual({ name: 'east' });
    world.server.update('configmap:shop/zone', (it) => ({ ...it, data: { name: 'west' } }));
    await world.settle();
    expect(dataOf(made())).toEqual({ name: 'west' });
    world.server.delete(at.policy('slow'));
    await world.settle();
    expect([made(), world.server.get('configmap:shop/zone')]).toEqual([undefined, expect.anything()]);
    await stop();
  });

  it('has an object of others under the name of an owned one left alone, until it goes', async () => {
    const { world, made, stop } = start([configMap('of-cart', { mine: 'kept' })]);
    await world.settle(60_000);
    expect(dataOf(made())).toEqual({ mine: 'kept' });
    const told = world.logged.filter((it) =>
      it.startsWith('error: the name is taken by an object that this controller does not own'),
    );
    expect(told).toHaveLength(1);
    world.server.delete('configmap:shop/of-cart');
    await world.settle();
    expect(made()?.metadata.labels).toEqual({ [label]: name.replace('/', '-') });
    await stop();
  });

  it('has an owned object brought back that has lost its label', async () => {
    const { world, made, stop } = start();
    await world.settle();
    world.server.update('configmap:shop/of-cart', (it) => ({ ...it, metadata: { ...it.metadata, labels: {} } }));
    await world.settle(10_000);
    expect(made()?.metadata.labels).toEqual({ [label]: name.replace('/', '-') });
    await stop();
  });

  it.each([{ metadataOnly: true }, { labelSelector: 'a=b' }, { namespaces: ['shop'] }])(
    'cannot be watched with %o',
    (watch) => {
      const options = { watches: [{ kind: ConfigMap, ...watch }], owns: [ConfigMap] };
      expect(() => createWorld().start(options)).toThrow('watches must read all of its objects');
    },
  );
});
