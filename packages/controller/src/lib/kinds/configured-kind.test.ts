import { describe, expect, expectTypeOf, it } from 'vitest';
import { at, createWorld, gateway, route, TimeoutPolicy, timeouts } from '../world.fixture.ts';
import { configured } from './configured-kind.ts';

describe('a policy kind with a verdict', () => {
  it('holds nothing where the verdict is against it, until a round that reconsider starts', async () => {
    const secrets = new Set(['slow']);
    const calls: (readonly string[])[] = [];
    const kind = configured(TimeoutPolicy, {
      verdict: ({ resource, layers }) => {
        expectTypeOf(layers[0]?.spec.request).toEqualTypeOf<string | undefined>();
        const isThere = secrets.has(resource.metadata.name);
        return isThere ? undefined : { reason: 'NoSecret', message: 'Its Secret does not exist; create it.' };
      },
    });
    const onEffective = ({ targets }: { readonly targets: readonly string[] }) => void calls.push(targets);
    const world = createWorld({ controller: { policyKinds: [kind], onEffective } });
    const { controller, stop } = world.start();
    await world.settle();
    expect(world.saidOn(at.policy('slow'))).toContain('Accepted=True/Accepted');

    secrets.clear();
    controller.effective(TimeoutPolicy).reconsider();
    await world.settle(200);
    expect(world.saidOn(at.policy('slow'))).toEqual(['Accepted=False/NoSecret']);
    expect(controller.effective(TimeoutPolicy).of(at.route('cart'))).toEqual([]);
    expect(calls).toEqual([[at.route('cart')], [at.route('cart')]]);
    await stop();
  });

  it('starts one round for many calls of reconsider', async () => {
    const world = createWorld();
    const { controller, stop } = world.start();
    await world.settle();
    const before = world.server.requests.length;
    for (let call = 0; call < 1000; call += 1) controller.effective(TimeoutPolicy).reconsider();
    await world.settle();
    expect(world.server.requests.slice(before).filter(({ verb }) => verb === 'patch')).toEqual([]);
    await stop();
  });
});

describe('the options of effective policies', () => {
  const objects = [
    gateway('edge'),
    gateway('inner'),
    route('cart', 'edge'),
    route('menu', 'inner'),
    timeouts('slow', 'Gateway edge', { request: '10s' }),
    timeouts('other', 'Gateway inner', { request: '1s' }),
  ];
  const only = ({ ref }: { readonly ref: { readonly kind: string; readonly name: string } }) =>
    ref.kind !== 'Gateway' || ref.name === 'edge';

  it.each([
    ['for all kinds', { effective: { only } }],
    ['for one kind', { policyKinds: [configured(TimeoutPolicy, { only })] }],
  ])('leave out objects of other controllers, %s', async (_, controller) => {
    const calls: (readonly string[])[] = [];
    const world = createWorld({
      objects,
      controller: { ...controller, onEffective: ({ targets }) => void calls.push(targets) },
    });
    const { stop } = world.start();
    await world.settle();
    expect(calls).toEqual([[at.route('cart')]]);
    expect(world.saidOn(at.policy('slow'))).toContain('Programmed=True/Programmed');
    expect(world.saidOn(at.policy('other'))).toEqual([]);
    await stop();
  });

  it('limit how many policies count on one target', async () => {
    const many = [...objects, timeouts('third', 'Gateway edge', { idle: '1s' })];
    const policyKinds = [configured(TimeoutPolicy, { maxPolicies: 1 })];
    const world = createWorld({ objects: many, controller: { policyKinds } });
    const { controller, stop } = world.start();
    await world.settle();
    expect(controller.effective(TimeoutPolicy).issues.map(({ code }) => code)).toContain('too-many-policies');
    await stop();
  });
});
