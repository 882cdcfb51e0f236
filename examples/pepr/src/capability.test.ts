import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { groupOf, type KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';
import { PeprValidateRequest } from 'pepr';
import { describe, expect, it, vi } from 'vitest';
import { TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';
import { policyCapability } from './capability.ts';

vi.hoisted(() => {
  process.env.LOG_LEVEL = 'silent'; // Pepr logs each action that is registered.
});

const { gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
const edge = gateway('edge');
const cart = httpRoute('cart', { parents: ['edge'] });
const strict = policy(TimeoutPolicy, 'strict', { on: edge, spec: { overrides: { request: '1s' } } });
const patient = policy(TimeoutPolicy, 'patient', { on: cart, spec: { defaults: { request: '30s' } } });

const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
topology.apply({ upsert: [edge, cart, strict] });
const views = effectivePolicies(topology, TimeoutPolicy);

type Request = ConstructorParameters<typeof PeprValidateRequest>[0];

/** Passes a request to the actions that Pepr would run for it. */
async function validate(operation: 'CREATE' | 'DELETE', object: KubernetesObject, isReady = true) {
  const [group, version] = [groupOf(object.apiVersion), object.apiVersion.split('/').at(-1)];
  const { kind, metadata } = object;
  const events = operation === 'DELETE' ? ['DELETE'] : ['CREATE', 'CREATEORUPDATE'];
  const { bindings } = policyCapability(views, () => isReady);
  const matching = bindings.filter(
    (it) =>
      it.kind.group === group && it.kind.kind === kind && it.kind.version === version && events.includes(it.event),
  );
  const request = new PeprValidateRequest({
    uid: '1',
    operation,
    kind: { group, version, kind },
    ...metadata,
    ...(operation === 'DELETE' ? { oldObject: object } : { object }),
  } as unknown as Request);
  return Promise.all(matching.map(async ({ validateCallback }) => validateCallback?.(request as never)));
}

describe('the capability', () => {
  it('warns of a policy that would lose', async () => {
    expect(await validate('CREATE', patient)).toEqual([
      { allowed: true, warnings: ['Overridden in all scopes. shop/strict replaces it (Atomic overrides).'] },
    ]);
  });

  it('warns when the last policy of a target is removed', async () => {
    const [answer] = await validate('DELETE', strict);
    expect(answer).toMatchObject({ allowed: true, warnings: [expect.stringContaining('without any TimeoutPolicy')] });
  });

  it('warns of the override of each of two Gateways above a route', async () => {
    const both = httpRoute('both', { parents: ['edge', 'internal'] });
    const own = policy(TimeoutPolicy, 'own', { on: both, spec: { defaults: { request: '30s' } } });
    const internal = gateway('internal');
    const stricter = policy(TimeoutPolicy, 'stricter', { on: internal, spec: { overrides: { request: '500ms' } } });
    topology.apply({ upsert: [internal, both, stricter] });
    const [answer] = await validate('CREATE', own);
    topology.apply({ remove: [internal, both, stricter] });
    expect(answer?.warnings).toEqual([
      'Overridden in all scopes. shop/strict and shop/stricter replace it (Atomic overrides).',
    ]);
  });

  it('says that policies affect a route', async () => {
    const [answer] = await validate('CREATE', httpRoute('new', { parents: ['edge'] }));
    expect(answer?.warnings).toEqual(['TimeoutPolicy shop/strict affects this HTTPRoute.']);
  });

  it('allows and reports requests that it cannot review yet', async () => {
    const [answer] = await validate('CREATE', patient, false);
    expect(answer).toMatchObject({
      allowed: true,
      warnings: [expect.stringContaining('does not know all objects yet')],
    });
  });
});
