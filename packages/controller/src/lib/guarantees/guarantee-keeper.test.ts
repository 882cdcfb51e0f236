import { gatewayApi } from '@policy-machinery/gateway-api';
import { type Guarantee, guaranteeKind } from '@policy-machinery/guarantees';
import { promClient } from '@policy-machinery/observability/prom-client';
import { isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { Registry } from 'prom-client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GuaranteeChange, PolicyControllerOptions } from '../../index.ts';
import { createWorld, gateway, route, TimeoutPolicy, timeouts } from '../world.fixture.ts';
import { guaranteeLibrary } from './guarantee-library.ts';

const { group, version, kind } = guaranteeKind;
const watched = (name: string, holds: string): KubernetesObject => ({
  apiVersion: `${group}/${version}`,
  kind,
  metadata: { name },
  spec: { holds },
});
const at = (name: string) => `guarantee.${group}:${name}`;
const timed = 'has(policies.TimeoutPolicy)';
const own: Guarantee = { name: 'own', holds: timed };
const edge = gateway('edge');
const cart = route('cart', 'edge');
const slow = timeouts('slow', 'HTTPRoute cart', { request: '10s' });

/** Returns a fake cluster whose controller verifies guarantees, with the changes of answers. */
function guarded(objects: readonly KubernetesObject[], controller: Partial<PolicyControllerOptions> = {}) {
  const changes: string[] = [];
  const onGuarantee = ({ verdict, before }: GuaranteeChange) =>
    void changes.push(`${verdict.guarantee.name}: ${before} → ${verdict.answer}`);
  const world = createWorld({
    kinds: [...gatewayApi(), TimeoutPolicy, { ...guaranteeKind, versions: [version] }],
    objects: [edge, cart, slow, ...objects],
    controller: { guarantees: {}, onGuarantee, ...controller },
  });
  const condition = (name: string) => {
    const status = world.server.get(at(name))?.status;
    return isJsonObject(status) ? objectsIn(status.conditions)[0] : undefined;
  };
  return {
    ...world,
    changes,
    condition,
    get writes() {
      return world.writes;
    },
  };
}

// The fake clock does not wait for files.
beforeAll(guaranteeLibrary);

describe('a controller with guarantees', () => {
  it('sets the condition of a Guarantee, and again when the answer changes', async () => {
    const world = guarded([watched('timed', timed)]);
    const { stop } = world.start();
    await world.settle();
    expect(world.condition('timed')).toMatchObject({
      type: 'Holds',
      status: 'True',
      reason: 'HoldsForAll',
      message: 'It is about 1 class of requests, and holds for all.',
      observedGeneration: 1,
    });
    world.server.delete(`timeoutpolicy.timeouts.example.com:shop/slow`);
    await world.settle();
    expect(world.condition('timed')).toMatchObject({
      status: 'False',
      reason: 'Broken',
      message: 'GET http://example.com/ is taken by HTTPRoute shop/cart#rule-1 and meets no TimeoutPolicy.',
    });
    world.server.create(slow);
    await world.settle();
    expect(world.condition('timed')).toMatchObject({ status: 'True' });
    expect(world.changes).toEqual(['timed: undefined → holds', 'timed: holds → broken', 'timed: broken → holds']);
    await stop();
  });

  it('reports the fault of a Guarantee that cannot be verified, and verifies the others', async () => {
    const world = guarded(
      [watched('faulty', 'has(policies.TimoutPolicy)'), watched('own', timed), watched('timed', timed)],
      {
        guarantees: { own: [own] },
      },
    );
    const { stop, controller } = world.start();
    await world.settle();
    expect(world.condition('faulty')).toMatchObject({
      status: 'Unknown',
      reason: 'Invalid',
      message: expect.stringMatching(
        /^\/spec\/holds: .*policies does not have the field TimoutPolicy; use TimeoutPolicy.*[^.]\.$/,
      ),
    });
    expect(world.condition('own')).toMatchObject({
      reason: 'Invalid',
      message: expect.stringContaining('the controller declares a guarantee with this name'),
    });
    expect(controller.guarantees.map(({ name }) => name)).toEqual(['own', 'timed']);
    world.server.update(at('faulty'), (object) => ({ ...object, spec: { holds: timed } }));
    await world.settle();
    expect(world.condition('faulty')).toMatchObject({ status: 'True', observedGeneration: 2 });
    expect(world.changes).toEqual(['own: undefined → holds', 'timed: undefined → holds', 'faulty: undefined → holds']);
    await stop();
  });

  it('verifies the guarantees of the options without watching any', async () => {
    const register = new Registry();
    const world = guarded([watched('timed', timed)], {
      guarantees: { own: [own], watch: false },
      metrics: promClient(register),
    });
    const { stop } = world.start();
    await world.settle();
    expect(world.condition('timed')).toBeUndefined();
    expect(world.changes).toEqual(['own: undefined → holds']);
    const text = await register.getSingleMetricAsString('policy_machinery_guarantees');
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'policy_machinery_guarantees{guarantee="own",answer="holds"} 1',
      'policy_machinery_guarantees{guarantee="own",answer="broken"} 0',
      'policy_machinery_guarantees{guarantee="own",answer="undecided"} 0',
    ]);
    await stop();
  });

  it('writes a condition only when it changes, and logs errors of onGuarantee', async () => {
    const world = guarded([watched('timed', timed)], {
      onGuarantee: () => {
        throw new Error('no pager');
      },
    });
    const { stop } = world.start();
    await world.settle();
    world.server.update(slow, () => timeouts('slow', 'HTTPRoute cart', { request: '11s' }));
    await world.settle();
    expect(world.writes.filter((write) => write.startsWith('guarantees'))).toEqual(['guarantees/status timed']);
    expect(world.logged.filter((line) => line.includes('onGuarantee'))).toEqual([
      'error: onGuarantee threw an error {"error":"no pager"}',
    ]);
    await stop();
  });

  it('writes nothing in a dry run', async () => {
    const world = guarded([watched('timed', timed)], { dryRun: true });
    const { stop } = world.start();
    await world.settle();
    expect(world.writes).toEqual([]);
    expect(world.logged.some((line) => line.includes('dry run') && line.includes(at('timed')))).toBe(true);
    await stop();
  });

  it('names its own guarantees before it has loaded anything', async () => {
    const world = guarded([], { guarantees: { own: [own] } });
    const { controller, stop } = world.start();
    expect(controller.guarantees).toEqual([own]);
    await stop();
  });

  it('refuses to run with faulty guarantees of the options, and sends no request', async () => {
    const faulty = { name: 'faulty', holds: 'has(policies.TimoutPolicy)' };
    const world = guarded([], { guarantees: { own: [faulty] } });
    const refusal = await world.start().running.catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'invalid-guarantee' });
    expect(String(refusal)).toMatchInlineSnapshot(`
      "PolicyMachineryError: The guarantees cannot be used
        error: The condition is invalid at line 1, column 1: policies does not have the field TimoutPolicy; use TimeoutPolicy, ["TimeoutPolicy.timeouts.example.com"] (guarantee.verify.policy-machinery:faulty /spec/holds) [invalid-guarantee]"
    `);
    expect(world.server.requests).toEqual([]);
  });
});
