import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import type { EffectivePoliciesChange, PolicyControllerOptions } from '../controller-options.ts';
import { at, createWorld, gateway, name, route, timeouts } from '../world.fixture.ts';

const ConfigMap = { group: '', kind: 'ConfigMap' };
const configMap = (name: string, data: object, namespace = 'shop'): KubernetesObject & { readonly data: object } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});
const mapAt = (name: string) => `configmap:shop/${name}`;
const objects = [
  gateway('edge'),
  route('cart', 'edge'),
  route('menu', 'edge'),
  timeouts('slow', 'Gateway edge', { request: '10s' }),
];

/** Applies a ConfigMap for each target, with what applies to it. */
function applyMaps({ view, targets, apply }: EffectivePoliciesChange): void {
  for (const target of targets) {
    const [effective] = view.of(target);
    if (effective === undefined) continue;
    apply(target, [configMap(effective.target.ref.name, { spec: JSON.stringify(effective.spec) })]);
  }
}

function start(options: Partial<PolicyControllerOptions> = {}, more: Parameters<typeof createWorld>[0] = {}) {
  const world = createWorld({
    objects,
    ...more,
    controller: { owns: [ConfigMap], onEffective: applyMaps, ...options },
  });
  const written = () =>
    world.server.requests
      .filter(
        ({ resource, verb, status }) =>
          resource === 'configmaps' && /patch|delete/.test(verb ?? '') && (status ?? 0) < 300,
      )
      .map(({ verb, name }) => `${verb} ${name}`);
  return { world, written, ...world.start() };
}

const dataOf = (object: KubernetesObject | undefined) => (object as { readonly data?: object } | undefined)?.data;

describe('an owned object', () => {
  it('is created for its target, with the target as its owner, and then left alone', async () => {
    const { world, written, stop } = start();
    await world.settle();
    const map = world.server.get(mapAt('cart'));
    expect(dataOf(map)).toEqual({ spec: '{"request":"10s"}' });
    expect(map?.metadata).toMatchObject({
      labels: { 'app.kubernetes.io/managed-by': name.replace('/', '-') },
      annotations: { 'timeouts.example.com/target': at.route('cart') },
      ownerReferences: [{ kind: 'HTTPRoute', name: 'cart', uid: world.server.get(at.route('cart'))?.metadata.uid }],
    });
    await world.settle(600_000);
    expect(written().sort()).toEqual(['patch cart', 'patch menu']);
    await stop();
  });

  it('is written as soon as that is possible, with one warning a minute until then', async () => {
    const { world, written, stop } = start();
    const recover = world.server.addFaults({ at: 'patch configmaps', times: 1000, do: { status: 500 } });
    const warnings = () => world.logged.filter((it) => it.startsWith('warn: owned objects cannot be written'));
    await world.settle(50_000);
    expect(warnings()).toEqual([expect.stringContaining('"code":500')]);
    await world.settle(50_000);
    expect(warnings()).toHaveLength(2);
    recover();
    await world.settle(300_000);
    expect(written().sort()).toEqual(['patch cart', 'patch menu']);
    await stop();
  });

  it('is created when its namespace comes, and the log names the missing namespace until then', async () => {
    const { world, stop } = start(
      {
        onEffective: ({ targets, apply }) =>
          targets.forEach((it) => void apply(it, [configMap(`of-${it.split('/')[1]}`, {}, 'vault')])),
      },
      { namespaces: ['shop'] },
    );
    await world.settle(60_000);
    expect(world.logged).toContainEqual(
      expect.stringMatching(/^warn: owned objects cannot be written.*namespaces .*vault.* not found/),
    );
    world.server.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'vault' } });
    await world.settle(120_000);
    expect(world.server.list(ConfigMap)).toHaveLength(2);
    await stop();
  });

  it('is created when its kind is installed', async () => {
    const Widget = { group: 'example.com', kind: 'Widget' };
    const metadata = { name: 'of-cart', namespace: 'shop' };
    const widget: KubernetesObject = { apiVersion: 'example.com/v1', kind: 'Widget', metadata };
    const { world, stop } = start({
      owns: [Widget],
      onEffective: ({ targets, apply }) =>
        targets.filter((it) => it === at.route('cart')).forEach((it) => void apply(it, [widget])),
    });
    await world.settle(60_000);
    expect(world.logged).toContainEqual(expect.stringMatching(/^warn: owned objects cannot be written/));
    world.server.install({ ...Widget, versions: ['v1'] });
    await world.settle(300_000);
    expect(world.server.get('widget.example.com:shop/of-cart')).toBeDefined();
    await stop();
  });

  it('is written at the next full plan after answers that were wrong', async () => {
    const { world, stop } = start();
    const text = JSON.stringify(configMap('cart', {}));
    const recover = world.server.addFaults({ at: 'patch configmaps', times: 1000, do: { status: 200, text } });
    await world.settle(60_000);
    expect(world.server.get(mapAt('cart'))).toBeUndefined();
    recover();
    await world.settle(800_000);
    expect(dataOf(world.server.get(mapAt('cart')))).toEqual({ spec: '{"request":"10s"}' });
    await stop();
  });

  it('follows the effective policy, and goes with the last one', async () => {
    const { world, written, stop } = start();
    await world.settle();
    world.server.update(at.policy('slow'), (it) => ({ ...it, spec: { ...(it.spec as object), request: '20s' } }));
    await world.settle();
    expect(dataOf(world.server.get(mapAt('menu')))).toEqual({ spec: '{"request":"20s"}' });
    world.server.delete(at.route('cart'));
    await world.settle();
    expect(world.server.get(mapAt('cart'))).toBeUndefined();
    world.server.delete(at.policy('slow'));
    await world.settle();
    expect(world.server.get(mapAt('menu'))).toBeUndefined();
    expect(written().filter((it) => it.endsWith('menu'))).toEqual(['patch menu', 'patch menu', 'delete menu']);
    await stop();
  });

  it('is brought back when it is changed or deleted', async () => {
    const { world, stop } = start();
    await world.settle();
    world.server.update(mapAt('cart'), (it) => ({ ...it, data: { spec: 'mine', note: 'kept' } }));
    world.server.delete(mapAt('menu'));
    await world.settle(60_000);
    expect(dataOf(world.server.get(mapAt('cart')))).toEqual({ spec: '{"request":"10s"}', note: 'kept' });
    expect(dataOf(world.server.get(mapAt('menu')))).toEqual({ spec: '{"request":"10s"}' });
    await stop();
  });

  it.each<[string, (world: ReturnType<typeof createWorld>) => void]>([
    ['changes', ({ server }) => void server.update(mapAt('cart'), (it) => ({ ...it, data: { spec: 'mine' } }))],
    ['deletes', ({ server }) => void server.delete(mapAt('cart'))],
  ])(
    'is brought back less and less often from a client that %s it again and again, which an event says',
    async (_, harm) => {
      const { world, written, stop } = start();
      await world.settle();
      const before = written().length;
      for (let second = 0; second < 60; second += 1) {
        if (world.server.get(mapAt('cart')) !== undefined) harm(world);
        await world.settle(1000);
      }
      expect(written().length - before).toBeLessThan(10);
      const events = world.server.list({ group: 'events.k8s.io', kind: 'Event' });
      expect(events.map(({ reason, regarding }) => [reason, regarding])).toEqual([
        ['OwnedConflict', expect.objectContaining({ kind: 'ConfigMap', name: 'cart' })],
      ]);
      expect(world.logged).toContainEqual(
        expect.stringContaining('another client keeps changing an object that this controller owns'),
      );
      await stop();
    },
  );

  it('is not written by a process that starts again, and swept if its target has gone meanwhile', async () => {
    const first = start();
    await first.world.settle();
    await first.stop();
    first.world.server.delete(at.route('menu'));
    first.world.server.update(mapAt('menu'), (it) => ({ ...it, metadata: { ...it.metadata, ownerReferences: [] } }));
    const before = first.written().length;
    const { stop } = first.world.start();
    await first.world.settle();
    expect(first.written().slice(before)).toEqual(['delete menu']);
    await stop();
  });

  it('is not deleted before the process has asked for the wanted objects of its target', async () => {
    const first = start();
    await first.world.settle();
    await first.stop();
    const { stop } = first.world.start({
      onEffective: ({ targets }) => targets.map((target) => ({ target, message: 'not yet' })),
    });
    await first.world.settle(60_000);
    expect(first.world.server.get(mapAt('cart'))).toBeDefined();
    await stop();
  });

  it('of another owner is neither read nor deleted', async () => {
    const foreign = configMap('foreign', {});
    const { world, controller, stop } = start({}, { objects: [...objects, foreign] });
    await world.settle();
    expect(world.server.get(mapAt('foreign'))).toBeDefined();
    expect(
      controller.objects
        .list(ConfigMap)
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(['cart', 'menu']);
    await stop();
  });

  it('is not taken over from others that have given an object its name, nor deleted later', async () => {
    const foreign = configMap('cart', { mine: 'kept' });
    const { world, written, stop } = start({}, { objects: [...objects, foreign] });
    await world.settle(60_000);
    expect(world.logged).toContainEqual(expect.stringContaining('is taken by an object that'));
    world.server.delete(at.policy('slow'));
    await world.settle();
    expect(dataOf(world.server.get(mapAt('cart')))).toEqual({ mine: 'kept' });
    expect(written()).toEqual(['patch menu', 'delete menu']);
    await stop();
  });

  it('that the target no longer wants is deleted', async () => {
    const { world, stop } = start({
      onEffective({ view, targets, apply }) {
        for (const target of targets) {
          const names = view.of(target).map(({ spec }) => String((spec as { request?: string }).request));
          apply(
            target,
            names.map((it) => configMap(`${target.split('/')[1]}-${it}`, {})),
          );
        }
      },
    });
    await world.settle();
    expect(world.server.get(mapAt('cart-10s'))).toBeDefined();
    world.server.update(at.policy('slow'), (it) => ({ ...it, spec: { ...(it.spec as object), request: '20s' } }));
    await world.settle();
    expect([world.server.get(mapAt('cart-10s')), world.server.get(mapAt('cart-20s'))]).toEqual([
      undefined,
      expect.anything(),
    ]);
    await stop();
  });

  it('lacks an owner reference to an object in another namespace, which Kubernetes does not allow', async () => {
    const { world, stop } = start(
      {
        onEffective: ({ targets, apply }) =>
          targets.forEach((it) => void apply(it, [configMap(`of-${it.split('/')[1]}`, {}, 'vault')])),
      },
      { namespaces: ['shop', 'vault'] },
    );
    await world.settle();
    expect(world.server.get('configmap:vault/of-cart')?.metadata.ownerReferences ?? []).toEqual([]);
    world.server.delete(at.route('cart'));
    await world.settle();
    expect(world.server.get('configmap:vault/of-cart')).toBeUndefined();
    await stop();
  });
});

describe('apply', () => {
  it.each([
    ['a kind that is not among owns', () => [{ ...configMap('x', {}), kind: 'Secret' }], 'add the kind to owns'],
    ['an object of another target', () => [configMap('same', {})], 'name it by its target'],
  ])('refuses %s', async (_, objectsFor, message) => {
    const { world, stop } = start({
      onEffective({ targets, apply }) {
        for (const target of targets) apply(target, objectsFor());
      },
    });
    await world.settle();
    expect(world.logged).toContainEqual(expect.stringContaining(message));
    await stop();
  });

  it('is made by the leader alone', async () => {
    const lease = { namespace: 'shop' };
    const { world, written, stop } = start({ lease: { ...lease, identity: 'one' } });
    const second = world.start({ lease: { ...lease, identity: 'two' } });
    await world.settle(30_000);
    expect(written().sort()).toEqual(['patch cart', 'patch menu']);
    await stop();
    await world.settle(30_000);
    world.server.delete(at.route('cart'));
    await world.settle(30_000);
    expect(world.server.get(mapAt('cart'))).toBeUndefined();
    expect(written().filter((it) => it === 'delete cart').length).toBeLessThan(2);
    await second.stop();
  });
});

describe('an owned object that its controller creates and deletes again and again', () => {
  const accusations = (logged: readonly string[]) => logged.filter((line) => line.includes('another client'));
  const policy = timeouts('slow', 'Gateway edge', { request: '10s' });

  it('follows its policy within a second each time, and no other client is blamed', async () => {
    const { world, stop } = start();
    await world.settle();
    for (let round = 0; round < 8; round += 1) {
      world.server.delete(at.policy('slow'));
      await world.settle(1000);
      expect(world.server.get(mapAt('cart'))).toBeUndefined();
      world.server.create(policy);
      await world.settle(1000);
      expect(world.server.get(mapAt('cart'))).toBeDefined();
    }
    expect(accusations(world.logged)).toEqual([]);
    await stop();
  });

  it('follows its target within a second each time, though the garbage collector deletes it with the target', async () => {
    const { world, stop } = start();
    await world.settle();
    for (let round = 0; round < 8; round += 1) {
      world.server.delete(at.route('cart'));
      world.server.delete(mapAt('cart'));
      await world.settle(1000);
      world.server.create(route('cart', 'edge'));
      await world.settle(1000);
      expect(world.server.get(mapAt('cart'))).toBeDefined();
    }
    expect(accusations(world.logged)).toEqual([]);
    await stop();
  });
});

describe('an object of a person under the name of an owned one', () => {
  it('is spared by the deletion of the owned one, though the watch has not shown it yet', async () => {
    const { world, stop } = start();
    await world.settle();
    world.server.addFaults({ at: 'watch configmaps', times: 1000, do: 'forget' });
    world.server.delete(mapAt('cart'));
    world.server.create(configMap('cart', { by: 'a person' }));
    world.server.delete(at.policy('slow'));
    await world.settle();
    expect(dataOf(world.server.get(mapAt('cart')))).toEqual({ by: 'a person' });
    await stop();
  });

  it('is spared by a deletion that waits when the watch shows it', async () => {
    const { world, stop } = start({ watches: [{ kind: ConfigMap }] });
    await world.settle();
    world.server.addFaults({ at: 'delete configmaps', times: 12, do: { status: 500 } });
    world.server.delete(at.policy('slow'));
    const deletions = () => world.server.requests.filter(({ verb }) => verb === 'delete').length;
    while (deletions() < 10) await world.settle(10);
    world.server.delete(mapAt('cart'));
    world.server.create(configMap('cart', { by: 'a person' }));
    await world.settle(120_000);
    expect(dataOf(world.server.get(mapAt('cart')))).toEqual({ by: 'a person' });
    await stop();
  });
});
