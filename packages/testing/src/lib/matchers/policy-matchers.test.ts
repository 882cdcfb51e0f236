import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { planStatus } from '@policy-machinery/policy-status';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createFixtures } from '../../index.ts';
import { policyMatchers } from '../../vitest.ts';

expect.extend(policyMatchers);

const TimeoutPolicy = definePolicyKind({
  group: 'policies.example.com',
  version: 'v1',
  kind: 'TimeoutPolicy',
  targets: [Gateway, Gateway.sections.listener, HTTPRoute],
  effectiveTargets: [HTTPRoute],
  spec: z.strictObject({ request: z.string(), idle: z.string() }).partial(),
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
});

const fixtures = createFixtures({ namespace: 'shop' });
const gatewayClass = fixtures.gatewayClass('example');
const gateway = fixtures.gateway('public', {
  listeners: [{ name: 'http' }, { name: 'admin', port: 8080 }],
});
const cart = fixtures.httpRoute('cart', { parents: ['public'], rules: [{ matches: ['/cart'] }] });
const help = fixtures.httpRoute('help', { parents: ['public#admin'], rules: [{ matches: ['/help'] }] });
const house = fixtures.policy(TimeoutPolicy, 'house', {
  on: gateway,
  spec: { defaults: { request: '10s', idle: '1m' } },
});
const admin = fixtures.policy(TimeoutPolicy, 'admin', { on: [gateway, 'admin'], spec: { overrides: { idle: '5s' } } });
const patient = fixtures.policy(TimeoutPolicy, 'patient', { on: cart, spec: { request: '30s' } });
const lost = fixtures.policy(TimeoutPolicy, 'lost', { on: fixtures.httpRoute('gone'), spec: { request: '1s' } });

const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
topology.apply({ upsert: [gatewayClass, gateway, cart, help, house, admin, patient, lost] });
const effective = effectivePolicies(topology, TimeoutPolicy);

/** The message of an expectation that fails. */
function failure(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('The expectation holds');
}

describe('toHaveEffectiveSpec', () => {
  it('compares all contexts of a target', () => {
    expect(effective).toHaveEffectiveSpec(help, { request: '10s', idle: '5s' });
    expect(effective).toHaveEffectiveSpec(
      'httproute.gateway.networking.k8s.io:shop/cart',
      expect.objectContaining({ request: '30s' }),
    );
    expect(effective).not.toHaveEffectiveSpec(cart, { request: '30s', idle: '1m' });
  });

  it('compares the contexts through an object or a section', () => {
    expect(effective).toHaveEffectiveSpec(cart, { request: '30s', idle: '1m' }, { via: [gateway, 'http'] });
    expect(effective).toHaveEffectiveSpec(cart, { request: '30s', idle: '5s' }, { via: [gateway, 'admin'] });
    expect(effective).toHaveEffectiveSpec(help, { request: '10s', idle: '5s' }, { via: gateway });
    expect(effective).not.toHaveEffectiveSpec(help, { request: '10s', idle: '5s' }, { via: [gateway, 'http'] });
  });

  it('explains the effective policy instead', () => {
    expect(failure(() => expect(effective).toHaveEffectiveSpec(help, { request: '1s' }))).toBe(`\
Expected the effective spec of HTTPRoute shop/help to be {"request":"1s"}.

HTTPRoute shop/help
  through GatewayClass example > Gateway shop/public#admin
    request  10s  shop/house  default on Gateway shop/public
    idle     5s   shop/admin  override on Gateway shop/public#admin
             1m   shop/house  lost: shop/admin is more specific (Patch defaults)`);
  });

  it('reports the faults of the policies if none applies', () => {
    const other = fixtures.httpRoute('other');
    topology.apply({ upsert: [other] });
    const message = failure(() => expect(effective).toHaveEffectiveSpec(other, {}));
    expect(message).toContain('No TimeoutPolicy reaches HTTPRoute shop/other.\nerror: targets HTTPRoute shop/gone');
  });

  it('names the sections of an object, if effective policies are of sections', () => {
    const byRule = { ...TimeoutPolicy, effectiveTargets: [HTTPRoute.sections.rule] };
    const rules = createTopology({ targetKinds: gatewayApi(), policyKinds: [byRule] });
    rules.apply({ upsert: [gatewayClass, gateway, cart, house] });
    const message = failure(() => expect(effectivePolicies(rules, byRule)).toHaveEffectiveSpec(cart, {}));
    expect(message).toContain(
      'Effective policies of TimeoutPolicy are of sections; name HTTPRoute shop/cart#rule-1.\nHTTPRoute shop/cart#rule-1\n',
    );
  });

  it('names similar targets where there is none', () => {
    expect(() => expect(effective).toHaveEffectiveSpec('service:shop/cart', {})).toThrow(
      'The topology does not have the target service:shop/cart; of this name it has httproute.gateway.networking.k8s.io:shop/cart',
    );
    expect(() => expect(effective).toHaveEffectiveSpec('service:shop/none', {})).toThrow(
      'apply the object to the topology',
    );
  });
});

describe('toHaveOrigin', () => {
  it('compares the policy that has set a field', () => {
    expect(effective.of('httproute.gateway.networking.k8s.io:shop/cart')).toHaveOrigin('/request', patient);
    expect(effective.of('httproute.gateway.networking.k8s.io:shop/help')).toHaveOrigin('/idle', 'shop/admin');
    expect([]).not.toHaveOrigin('/idle', 'shop/admin');
  });

  it('names the policy that has set the field instead', () => {
    const [policy] = effective.of('httproute.gateway.networking.k8s.io:shop/help');
    const message = failure(() => expect(policy).toHaveOrigin('/request', patient));
    expect(message).toMatch(
      /^Expected \/request of HTTPRoute shop\/help to be set by shop\/patient\.\n\nHTTPRoute shop\/help\n/,
    );
    expect(message).toContain('request  10s  shop/house');
  });
});

describe('toHaveOutcome', () => {
  it('compares the outcome of a policy', () => {
    expect(effective).toHaveOutcome(patient, 'enforced');
    expect(effective).toHaveOutcome('shop/house', 'partly-enforced');
    expect(effective).toHaveOutcome(lost, 'target-not-found');
  });

  it('explains the actual outcome', () => {
    const message = failure(() => expect(effective).toHaveOutcome(house, 'enforced'));
    expect(message).toMatch(
      /^Expected the outcome of TimeoutPolicy shop\/house to be enforced\.\n\nshop\/house is partly-enforced: /,
    );
    expect(message).toContain('  for Gateway public: partly-enforced: ');
    expect(message).toContain('HTTPRoute shop/cart\n  through ');
  });

  it('names the existing policies', () => {
    expect(() => expect(effective).toHaveOutcome('shop/none', 'enforced')).toThrow(
      'TimeoutPolicy shop/none does not exist; existing: shop/admin, shop/house, shop/lost, shop/patient',
    );
  });
});

describe('toPlanNothing', () => {
  const plan = planStatus(effective, { controllerName: 'example.com/timeouts', now: new Date('2026-01-01T00:00:00Z') });

  it('holds when all is written', () => {
    const written = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
    written.apply({ upsert: [gatewayClass, gateway, cart, help, house, admin, patient, lost] });
    const statuses = effectivePolicies(written, TimeoutPolicy);
    const options = { controllerName: 'example.com/timeouts', now: new Date('2026-01-01T00:00:00Z') };
    written.apply({ upsert: planStatus(statuses, options).writes.map((write) => write.result) });
    expect(planStatus(statuses, options)).toPlanNothing();
  });

  it('shows the planned writes', () => {
    const message = failure(() => expect(plan).toPlanNothing());
    expect(message).toMatch(
      /^Expected the plan to have no writes\.\n\ntimeoutpolicy\.policies\.example\.com:shop\/admin: add \/status/,
    );
    expect(message).toContain('  TimeoutPolicy admin');
    expect(failure(() => expect({ writes: [], refused: [] }).not.toPlanNothing())).toContain('Nothing is planned.');
  });

  it('shows the refusal', () => {
    const refused = [{ resource: 'gateway:a/b', message: 'The status is full.' }];
    expect(failure(() => expect({ writes: [], refused }).toPlanNothing())).toContain(
      'gateway:a/b: refused: The status is full.',
    );
  });
});

describe('toHaveCondition', () => {
  const condition = (type: string, status: string, reason: string) => ({ type, status, reason, message: 'Said.' });
  const withStatus = (status: unknown) => ({ ...gateway, status });

  it('compares a condition of the object', () => {
    const accepted = withStatus({ conditions: [condition('Accepted', 'True', 'Accepted')] });
    expect(accepted).toHaveCondition('Accepted', 'True');
    expect(accepted).toHaveCondition('Accepted', 'True', 'Accepted');
    expect(accepted).not.toHaveCondition('Accepted', 'True', 'Other');
    expect(accepted).not.toHaveCondition('Accepted', 'False');
    expect(accepted).not.toHaveCondition('Programmed', 'True');
  });

  it('compares the condition of all ancestors', () => {
    const ancestor = (status: string) => ({
      ancestorRef: { kind: 'Gateway', name: 'public' },
      conditions: [condition('Accepted', status, 'Said')],
    });
    expect(withStatus({ ancestors: [ancestor('True'), ancestor('True')] })).toHaveCondition('Accepted', 'True');
    expect(withStatus({ ancestors: [ancestor('True'), ancestor('False')] })).not.toHaveCondition('Accepted', 'True');
  });

  it('shows the existing conditions', () => {
    const rejected = withStatus({ conditions: [condition('Accepted', 'False', 'Invalid')] });
    expect(failure(() => expect(rejected).toHaveCondition('Accepted', 'True', 'Accepted'))).toBe(`\
Expected Gateway public to have the condition Accepted=True/Accepted.

Gateway public    Accepted=False/Invalid  Said.`);
    expect(failure(() => expect(gateway).toHaveCondition('Accepted', 'True'))).toContain(
      'Its status does not have conditions.',
    );
  });
});

describe('toMeet', () => {
  it('follows a request to the policies that apply', () => {
    expect(effective).toMeet({ path: '/cart', port: 80 }, [patient, house]);
    expect(effective).toMeet({ path: '/cart', port: 8080 }, [admin, patient]);
    expect(effective).toMeet({ path: '/help', gateway: 'gateway.gateway.networking.k8s.io:shop/public' }, [
      'shop/house',
      'shop/admin',
    ]);
    expect(effective).not.toMeet({ path: '/cart' }, [patient, house]);
    expect(effective).not.toMeet({ path: '/nowhere' }, []);
  });

  it('explains which policies the request meets instead', () => {
    const message = failure(() => expect(effective).toMeet({ host: 'shop.example.com', path: '/help' }, [patient]));
    expect(message).toMatch(/^Expected the request GET shop\.example\.com\/help to meet shop\/patient\.\n/);
    expect(message).toContain(
      'At Gateway shop/public, port 80, nothing takes the request:\n  HTTPRoute shop/cart#rule-1: path',
    );
    expect(message).toContain(
      'At Gateway shop/public, port 8080, HTTPRoute shop/help#rule-1 takes the request:\nHTTPRoute shop/help\n',
    );
    const nowhere = failure(() =>
      expect(effective).toMeet({ gateway: 'gateway.gateway.networking.k8s.io:shop/none' }, []),
    );
    expect(nowhere).toContain('No Gateway takes the request.');
  });
});
