import { promClient } from '@policy-machinery/observability/prom-client';
import type { KubernetesObject } from '@policy-machinery/resource';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { PolicyControllerOptions } from '../controller-options.ts';
import { at, createWorld, gateway, route, timeouts } from '../world.fixture.ts';

const controllerName = 'example.com/gateway';
const gatewayClass = (name: string, controllerName: string): KubernetesObject => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: { name },
  spec: { controllerName },
});
const ofClass = (name: string, gatewayClassName: string) => {
  const object = gateway(name);
  return { ...object, spec: { ...(object.spec as object), gatewayClassName } };
};
const objects = [
  gatewayClass('ours', controllerName),
  gatewayClass('theirs', 'other.example.com/gateway'),
  ofClass('edge', 'ours'),
  ofClass('foreign', 'theirs'),
  ofClass('and-foreign', 'theirs'),
  ofClass('unclaimed', 'missing'),
  route('cart', 'edge'),
  route('both', 'edge', 'foreign'),
  route('shared', 'edge', 'and-foreign'),
  route('menu', 'foreign'),
  route('lone', 'unclaimed'),
  timeouts('slow', 'Gateway edge', { request: '10s' }),
  timeouts('far', 'Gateway foreign', { request: '1s' }),
  timeouts('astray', 'Gateway unclaimed', { request: '1s' }),
];
const classAt = (name: string) => `gatewayclass.gateway.networking.k8s.io:${name}`;

async function run(options: Partial<PolicyControllerOptions>) {
  const targets: string[] = [];
  const registry = new Registry();
  const onEffective: PolicyControllerOptions['onEffective'] = (change) => void targets.push(...change.targets);
  const world = createWorld({ objects, controller: { onEffective, metrics: promClient(registry), ...options } });
  const { stop } = world.start();
  await world.settle();
  return { world, targets, stop, registry };
}

describe('a controller with gatewaysOf', () => {
  it('is about Gateways of its GatewayClasses: statuses, calls and metrics leave out others', async () => {
    const { world, targets, stop, registry } = await run({ gatewaysOf: controllerName });
    expect(targets).toEqual(['both', 'cart', 'shared'].map(at.route));
    expect(world.server.get(at.policy('slow'))?.status).toMatchObject({ ancestors: [{ controllerName }] });
    for (const name of ['far', 'astray']) expect(world.saidOn(at.policy(name))).toEqual([]);
    expect(world.writes).toEqual(['timeoutpolicies/status slow', 'gateways/status edge']);
    expect(await registry.getSingleMetricAsString('policy_machinery_policies')).toMatch(/outcome="enforced"\} 1$/m);
    await stop();
  });

  it('reports the policies that affect its own objects, even if they are below Gateways of others as well', async () => {
    const { world, stop } = await run({ gatewaysOf: controllerName, status: { affected: 'all' } });
    for (const name of ['both', 'shared']) {
      expect(world.saidOn(at.route(name))).toEqual(['example.com/TimeoutPolicyAffected=True/PolicyAffected']);
    }
    await stop();
  });

  it('follows GatewayClasses: objects that become its own are planned', async () => {
    const { world, targets, stop } = await run({ gatewaysOf: controllerName });
    targets.length = 0;
    world.server.delete(classAt('theirs'));
    world.server.create(gatewayClass('theirs', controllerName));
    await world.settle();
    expect(new Set(targets)).toEqual(new Set(['both', 'menu'].map(at.route)));
    expect(world.saidOn(at.policy('far'))).toContain('Programmed=True/Programmed');
    await stop();
  });

  it('is about all Gateways, with gateways: all', async () => {
    const { world, targets, stop } = await run({ gatewaysOf: controllerName, gateways: 'all' });
    expect(targets).toEqual(['both', 'cart', 'lone', 'menu', 'shared'].map(at.route));
    expect(world.saidOn(at.policy('far'))).toContain('Programmed=True/Programmed');
    await stop();
  });

  it('is about those that `only` admits, beside that', async () => {
    const only = ({ ref }: { readonly ref: { readonly name: string } }) => !['cart', 'shared'].includes(ref.name);
    const { targets, stop } = await run({ gatewaysOf: controllerName, effective: { only } });
    expect(targets).toEqual([at.route('both')]);
    await stop();
  });
});

describe('a controller without gatewaysOf', () => {
  it('is about all Gateways, whoever runs them', async () => {
    const { targets, stop } = await run({});
    expect(targets).toEqual(['both', 'cart', 'lone', 'menu', 'shared'].map(at.route));
    await stop();
  });

  it('refuses a controllerName that no GatewayClass can have', () => {
    expect(() => createWorld().start({ gatewaysOf: 'no-domain' })).toThrow(/no-domain/);
  });
});

describe('a controllerName that no GatewayClass has', () => {
  it('leads to a warning, as long as the Gateways of others do not count', async () => {
    const warned = async (options: Partial<PolicyControllerOptions>) => {
      const world = createWorld({ objects, controller: options });
      const { stop } = world.start();
      await world.settle();
      await stop();
      return world.logged.filter((it) => it.startsWith('warn: no GatewayClass has the controllerName of gatewaysOf'));
    };
    const unknown = 'example.com/misspelled';
    expect(await warned({ gatewaysOf: unknown })).toEqual([expect.stringContaining(unknown)]);
    expect(await warned({ gatewaysOf: unknown, gateways: 'all' })).toEqual([]);
    expect(await warned({ gatewaysOf: controllerName })).toEqual([]);
  });
});
