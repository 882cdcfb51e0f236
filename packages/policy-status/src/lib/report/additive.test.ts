import { gep713Vocabulary, type PolicyAncestorStatus } from '@policy-machinery/conditions';
import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { additiveSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cluster, gateway, route, timeouts } from '../cluster.fixture.ts';
import { impact } from '../impact/impact.ts';
import { planStatus } from '../plan/plan-status.ts';
import { reportPolicies } from './policy-report.ts';

const AccessPolicy = definePolicyKind({
  group: 'example.com',
  version: 'v1',
  kind: 'AccessPolicy',
  targets: [Gateway, HTTPRoute],
  effectiveTargets: [HTTPRoute.sections.rule],
  spec: z.strictObject({ groups: z.array(z.string()).optional() }),
  stanzas: additiveSpec({ by: 'action', groups: ['DENY', 'ALLOW'], otherwise: 'ALLOW' }),
});

const access = (name: string, target: string, spec: object) => timeouts(name, [target], spec, { kind: 'AccessPolicy' });
const staff = access('staff', 'Gateway edge', { groups: ['staff'] });
const guests = access('guests', 'HTTPRoute cart', { action: 'DENY', groups: ['guests'] });
const nobody = access('nobody', 'HTTPRoute cart', {});
const base = [gateway('edge'), route('cart', ['edge'])];
const pay = 'httproute.gateway.networking.k8s.io:shop/cart#pay';

describe('policies that all stay', () => {
  const { effective } = cluster(AccessPolicy, ...base, staff, guests, nobody);

  it('are all enforced, on one target and on several levels', () => {
    const outcomes = reportPolicies(effective).map(({ policy, outcome, message }) => [
      policy.resource.metadata.name,
      outcome,
      message,
    ]);
    expect(outcomes.sort()).toEqual([
      ['guests', 'enforced', 'In force in all scopes.'],
      ['nobody', 'enforced', 'In force in all scopes.'],
      ['staff', 'enforced', 'In force in all scopes.'],
    ]);
  });

  it('have conditions for that', () => {
    const { writes } = planStatus(effective, {
      controllerName: 'example.com/gateways',
      now: new Date('2026-01-02T03:04:05Z'),
      vocabulary: gep713Vocabulary,
    });
    const ofPolicies = writes.filter(({ ref: { kind } }) => kind === 'AccessPolicy');
    expect(ofPolicies).toHaveLength(3);
    for (const { result } of ofPolicies) {
      const [entry] = (result.status as { ancestors: PolicyAncestorStatus[] }).ancestors;
      expect(entry?.conditions.map(({ type, status, reason }) => [type, status, reason])).toEqual([
        ['Accepted', 'True', 'Accepted'],
        ['Programmed', 'True', 'Programmed'],
      ]);
    }
  });

  it('do not affect each other when one is created, edited or deleted', () => {
    const bots = access('bots', 'Gateway edge', { action: 'DENY', groups: ['bots'] });
    const { effective: changes, outcomes } = impact(effective, { upsert: [bots] });
    expect(changes.map(({ target, patch }) => [target, patch])).toEqual([
      [pay, [{ op: 'add', path: '/DENY/shop~1bots', value: { groups: ['bots'] } }]],
    ]);
    expect(outcomes.map(({ policy, after }) => [policy, after?.outcome])).toEqual([
      ['accesspolicy.example.com:shop/bots', 'enforced'],
    ]);
    const edited = impact(effective, {
      upsert: [{ ...guests, spec: { ...(guests.spec as object), action: 'ALLOW' } }],
    });
    expect(edited.effective.flatMap(({ patch }) => patch.map(({ op, path }) => [op, path]))).toEqual([
      ['add', '/ALLOW/shop~1guests'],
      ['remove', '/DENY'],
    ]);
    const gone = impact(effective, { remove: [nobody] });
    expect(gone.effective.flatMap(({ patch }) => patch.map(({ op, path }) => [op, path]))).toEqual([
      ['remove', '/ALLOW/shop~1nobody'],
    ]);
  });
});
