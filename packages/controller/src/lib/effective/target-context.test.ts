import { isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EffectivePoliciesChange, PolicyControllerOptions } from '../controller-options.ts';
import { at, createWorld, gateway, route, TimeoutPolicy, timeouts } from '../world.fixture.ts';

const ConfigMap = { group: '', kind: 'ConfigMap' };

/** A route below two Gateways, each of which overrides the policy on the route. */
const objects = [
  gateway('edge'),
  gateway('inner'),
  route('cart', 'edge', 'inner'),
  timeouts('long', 'Gateway edge', { overrides: { request: '500s' } }),
  timeouts('short', 'Gateway inner', { overrides: { request: '5s' } }),
];

const mapOf = (name: string, data: object): KubernetesObject => {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' }, data } as KubernetesObject;
};

/** Applies a ConfigMap for each context. */
function applyMaps({ contexts, apply }: EffectivePoliciesChange): void {
  for (const context of contexts) {
    const data = { request: context.policy(TimeoutPolicy)?.spec.request };
    apply(context, [mapOf(`${context.dataPlane.ref.name}-cart`, data)]);
  }
}

function start(
  controller: Partial<PolicyControllerOptions> = {},
  clusterObjects: readonly KubernetesObject[] = objects,
) {
  const world = createWorld({
    objects: clusterObjects,
    controller: { owns: [ConfigMap], onEffective: applyMaps, ...controller },
  });
  const maps = () =>
    world.server
      .list(ConfigMap)
      .map((it) => `${it.metadata.name} ${(it as { data?: { request?: string } }).data?.request}`);
  const programmed = (policy: string) => {
    const status = world.server.get(at.policy(policy))?.status;
    return objectsIn(isJsonObject(status) ? status.ancestors : []).map(({ ancestorRef, conditions }) => {
      const last = objectsIn(conditions).at(-1);
      return `${isJsonObject(ancestorRef) ? ancestorRef.name : ''}: ${last?.type}=${last?.status}`;
    });
  };
  return { world, maps, programmed, ...world.start() };
}

describe('the contexts of a call', () => {
  it('configure each data plane above a target, with a separate key', async () => {
    const keys: string[] = [];
    const onEffective = (change: EffectivePoliciesChange) => {
      keys.push(...change.contexts.map(({ key }) => key));
      applyMaps(change);
    };
    const { world, maps, stop } = start({ onEffective });
    await world.settle();
    expect(keys).toEqual(['edge', 'inner'].map((name) => `${at.route('cart')} below ${at.gateway(name)}`));
    expect(maps()).toEqual(['edge-cart 500s', 'inner-cart 5s']);
    await stop();
  });

  it('keep their keys over a restart, so that nothing is written again', async () => {
    const { world, maps, stop } = start();
    await world.settle();
    await stop();
    const before = world.server.requests.length;
    const again = world.start();
    await world.settle();
    const written = world.server.requests.slice(before).filter(({ verb }) => /patch|delete/.test(verb ?? ''));
    expect(written.filter(({ resource }) => resource === 'configmaps')).toEqual([]);
    expect(maps()).toEqual(['edge-cart 500s', 'inner-cart 5s']);
    await again.stop();
  });

  it('are gone with the data plane, and their objects with them', async () => {
    const { world, maps, stop } = start();
    await world.settle();
    world.server.update(route('cart'), (it) => ({ ...it, spec: { parentRefs: [{ name: 'inner' }], rules: [{}] } }));
    await world.settle();
    expect(maps()).toEqual(['inner-cart 5s']);
    await stop();
  });

  it('are one for each target with the unit `target`, which fails if data planes need different policies', async () => {
    const { world, maps, programmed, stop } = start({ unit: 'target' });
    await world.settle();
    expect(maps()).toEqual([]);
    expect(world.logged).toContainEqual(expect.stringContaining('has different effective policies, through'));
    expect(programmed('long')).toEqual(['edge: Programmed=False']);
    await stop();
    const same = start({ unit: 'target' }, [
      gateway('edge'),
      route('cart', 'edge'),
      timeouts('p', 'HTTPRoute cart', { request: '1s' }),
    ]);
    await same.world.settle();
    expect(same.maps()).toEqual(['cart-cart 1s']);
    await same.stop();
  });

  it('fail by themselves: statuses report it for the Gateway of the context', async () => {
    const { world, programmed, stop } = start({
      onEffective: ({ contexts }) =>
        contexts.filter(({ dataPlane }) => dataPlane.ref.name === 'edge').map((it) => it.failed('No')),
    });
    await world.settle();
    expect(programmed('long')).toEqual(['edge: Programmed=False']);
    expect(programmed('short')).toEqual(['inner: Programmed=True']);
    await stop();
  });
});

describe('two calls of `apply` for one context', () => {
  it('are an error of the target if their objects differ, and neither counts', async () => {
    const { world, maps, programmed, stop } = start({
      onEffective({ contexts, apply }) {
        for (const { target, ...context } of contexts) {
          apply(target, [mapOf('cart', { request: context.key })]);
        }
      },
    });
    await world.settle();
    expect(maps()).toEqual([]);
    expect(programmed('long')).toEqual(['edge: Programmed=False']);
    expect(world.logged).toContainEqual(expect.stringContaining('Different objects were applied'));
    await stop();
  });

  it('are accepted if their objects are the same', async () => {
    const { world, maps, stop } = start({
      onEffective({ targets, apply }) {
        for (const target of [...targets, ...targets]) apply(target, [mapOf('cart', { request: 'any' })]);
      },
    });
    await world.settle();
    expect(maps()).toEqual(['cart any']);
    await stop();
  });

  it('leave the result of an earlier call', async () => {
    let isTwice = false;
    const { world, maps, stop } = start({
      onEffective({ targets, apply }) {
        for (const target of targets) apply(target, [mapOf('cart', { request: isTwice ? 'second' : 'first' })]);
        for (const target of isTwice ? targets : []) apply(target, []);
      },
    });
    await world.settle();
    isTwice = true;
    world.server.update(timeouts('long', 'Gateway edge', {}), (it) => ({
      ...it,
      spec: { ...(it.spec as object), overrides: { request: '400s' } },
    }));
    await world.settle();
    expect(maps()).toEqual(['cart first']);
    await stop();
  });
});

describe('the ConfigMaps of random clusters', () => {
  it('are one for each route and Gateway above it, with the effective policies of requests through that Gateway', async () => {
    const names = ['g1', 'g2', 'g3'];
    const request = fc.constantFrom('1s', '2s', undefined);
    const worlds = fc.record({
      parents: fc.tuple(fc.subarray(names), fc.subarray(names)),
      overrides: fc.array(request, { minLength: 3, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ parents, overrides }) => {
        const policies = overrides.flatMap((value, index) =>
          value === undefined
            ? []
            : [timeouts(`p${index}`, `Gateway ${names[index]}`, { overrides: { request: value } })],
        );
        const routes = parents.map((above, index) => route(`r${index}`, ...above));
        const onEffective = ({ contexts, apply }: EffectivePoliciesChange) => {
          for (const context of contexts) {
            const name = `${context.dataPlane.ref.name}-${context.target.split('/')[1]}`;
            apply(context, [mapOf(name, { request: context.policy(TimeoutPolicy)?.spec.request })]);
          }
        };
        const { world, maps, stop } = start({ onEffective }, [...names.map(gateway), ...routes, ...policies]);
        await world.settle();
        const expected = parents.flatMap((above, index) =>
          above.flatMap((name) => {
            const value = overrides[names.indexOf(name)];
            return value === undefined ? [] : [`${name}-r${index} ${value}`];
          }),
        );
        expect(maps().sort()).toEqual(expected.sort());
        await stop();
      }),
      { numRuns: Math.ceil(Number(process.env.PROPERTY_RUNS ?? 40) / 10) },
    );
  });
});
