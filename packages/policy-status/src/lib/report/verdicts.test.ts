import {
  envoyGatewayVocabulary,
  gep713Vocabulary,
  nginxGatewayFabricVocabulary,
  type PolicyAncestorStatus,
} from '@policy-machinery/conditions';
import { effectivePolicies, type Verdict } from '@policy-machinery/effective-policy';
import { Namespace } from '@policy-machinery/gateway-api';
import { none } from '@policy-machinery/merge';
import { bareSpec } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { carryOut, cluster, gateway, resourceIn, route, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { impact } from '../impact/impact.ts';
import type { PlanStatusOptions } from '../plan/plan-options.ts';
import { planStatus } from '../plan/plan-status.ts';
import { reportPolicies } from './policy-report.ts';

const NonePolicy = timeoutKind('TimeoutPolicy', { stanzas: bareSpec({ strategies: { none } }) });
const options: PlanStatusOptions = {
  controllerName: 'example.com/gateways',
  now: new Date('2026-01-02T03:04:05Z'),
};
const missing: Verdict = { message: 'The Secret shop/key does not exist.', reason: 'NoSecret' };
const g = (name: string) => `gateway.gateway.networking.k8s.io:shop/${name}`;
const p = (name: string) => `timeoutpolicy.example.com:shop/${name}`;

const base = [gateway('east'), gateway('west'), route('cart', ['east', 'west'])];
const elder = timeouts('elder', ['HTTPRoute cart'], { request: 1 }, { seconds: 1 });
const younger = timeouts('younger', ['HTTPRoute cart'], { request: 2 }, { seconds: 2 });

function judged(said: Record<string, Verdict | readonly Verdict[]>, ...resources: readonly KubernetesObject[]) {
  const { topology } = cluster(NonePolicy, ...base, ...resources);
  const effective = effectivePolicies(topology, NonePolicy, {
    verdict: ({ resource }) => said[resource.metadata.name],
  });
  return { topology, effective };
}

function reports(effective: ReturnType<typeof judged>['effective']) {
  return Object.fromEntries(
    reportPolicies(effective).map(({ policy, outcome, message, reason, ancestors }) => [
      policy.resource.metadata.name,
      {
        outcome,
        message,
        reason,
        ancestors: ancestors.map((it) => `${it.ancestorRef.name}: ${it.outcome} ${it.reason ?? ''}`.trim()),
      },
    ]),
  );
}

/** The conditions of a policy, by ancestor. */
function conditionsOf(effective: ReturnType<typeof judged>['effective'], name: string, more = {}) {
  const { writes, refused } = planStatus(effective, { ...options, ...more });
  const status = writes.find(({ locator }) => locator === p(name))?.result.status as
    | { readonly ancestors: readonly PolicyAncestorStatus[] }
    | undefined;
  const ancestors = (status?.ancestors ?? []).map(({ ancestorRef, conditions }) => [
    ancestorRef.name,
    conditions.map(({ type, status: is, reason, message }) => `${type}=${is}/${reason}: ${message}`),
  ]);
  return { ancestors: Object.fromEntries(ancestors) as Record<string, readonly string[]>, refused };
}

describe('reportPolicies, with verdicts of the controller', () => {
  it('reports a verdict at all ancestors, and no conflict to the rivals', () => {
    const { effective } = judged({ elder: missing }, elder, younger);
    expect(reports(effective)).toEqual({
      elder: {
        outcome: 'invalid',
        message: missing.message,
        reason: 'NoSecret',
        ancestors: ['east: invalid NoSecret', 'west: invalid NoSecret'],
      },
      younger: {
        outcome: 'enforced',
        message: 'In force in all scopes.',
        reason: undefined,
        ancestors: ['east: enforced', 'west: enforced'],
      },
    });
  });

  it('reports a verdict about an ancestor only there, and the conflict elsewhere', () => {
    const { effective } = judged({ elder: { ...missing, ancestors: [g('east')] } }, elder, younger);
    expect(reports(effective)).toMatchObject({
      elder: { outcome: 'partly-enforced', ancestors: ['east: invalid NoSecret', 'west: enforced'] },
      younger: { outcome: 'partly-enforced', ancestors: ['east: enforced', 'west: conflicted'] },
    });
  });

  it('names the subject of each verdict', () => {
    const said = [
      { ...missing, ancestors: [g('east')] },
      { outcome: 'pending', message: 'The data plane is starting.', ancestors: [g('west')] },
    ] as const;
    const { effective } = judged({ elder: said }, elder);
    expect(reports(effective).elder).toMatchObject({
      outcome: 'invalid',
      message: 'The Secret shop/key does not exist. The data plane is starting.',
      ancestors: ['east: invalid NoSecret', 'west: pending'],
    });
  });

  it('reports a verdict about a listener at its Gateway, where the policy is in force for other listeners', () => {
    const { topology, effective } = judged({ elder: { ...missing, ancestors: [`${g('east')}#http`] } }, elder);
    topology.apply({ upsert: [gateway('east', ['http', 'https']), route('cart', ['east'])] });
    const report = reports(effective).elder;
    expect(report).toMatchObject({ outcome: 'partly-enforced', ancestors: ['east: partly-enforced'] });
    expect(report?.message).toContain(missing.message);
  });

  it('reports a verdict about a target below an ancestor at the ancestor', () => {
    const wide = timeouts('wide', ['Gateway east'], { request: 1 });
    const cart = 'httproute.gateway.networking.k8s.io:shop/cart';
    const { effective } = judged({ wide: { ...missing, ancestors: [cart] } }, route('list', ['east']), wide);
    expect(reports(effective).wide).toMatchObject({ outcome: 'partly-enforced', ancestors: ['east: partly-enforced'] });
  });

  it('reports a verdict on a policy for a namespace at the ancestor in question', () => {
    const kind = timeoutKind('TimeoutPolicy', { targets: [Namespace] });
    const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    const all = timeouts('all', [], { targetRefs: [{ group: '', kind: 'Namespace', name: 'shop' }], request: 1 });
    const { topology } = cluster(kind, shop, route('cart', ['west', 'east']), gateway('west'), gateway('east'), all);
    const verdict = () => ({ ...missing, ancestors: ['httproute.gateway.networking.k8s.io:shop/cart'] });
    expect(reports(effectivePolicies(topology, kind, { verdict })).all).toMatchObject({
      outcome: 'invalid',
      ancestors: ['east: invalid NoSecret', 'west: invalid NoSecret'],
    });
  });

  it('reports faults of targets besides the verdict', () => {
    const lost = timeouts('lost', ['HTTPRoute cart', 'Gateway gone'], { request: 1 });
    const { effective } = judged({ lost: missing }, lost);
    expect(reports(effective).lost).toMatchObject({
      outcome: 'invalid',
      ancestors: ['east: invalid NoSecret', 'gone: invalid NoSecret', 'west: invalid NoSecret'],
    });
  });

  it('reports a policy with a failed verdict as not in force', () => {
    const { topology } = judged({}, elder, younger);
    const effective = effectivePolicies(topology, NonePolicy, {
      verdict: ({ name }) => {
        if (name === 'shop/elder') throw new Error('no connection');
        return undefined;
      },
    });
    expect(reports(effective)).toMatchObject({
      elder: { outcome: 'invalid', message: expect.stringContaining('no connection') },
      younger: { outcome: 'enforced' },
    });
  });
});

describe('planStatus, with verdicts of the controller', () => {
  it('writes the outcome, the reason and the message of the verdict', () => {
    const { effective } = judged({ elder: { ...missing, ancestors: [g('east')] } }, elder);
    expect(conditionsOf(effective, 'elder').ancestors).toEqual({
      east: [`Accepted=False/NoSecret: ${missing.message}`],
      west: ['Accepted=True/Accepted: The policy is valid.', 'Programmed=True/Programmed: In force in all scopes.'],
    });
    expect(conditionsOf(effective, 'elder', { vocabulary: nginxGatewayFabricVocabulary }).ancestors.east).toEqual([
      `Accepted=False/NoSecret: ${missing.message}`,
      `Programmed=False/Reconciling: ${missing.message}`,
    ]);
  });

  it('writes the reason of the vocabulary where the verdict has none', () => {
    const { effective } = judged({ elder: { message: 'No.' } }, elder);
    expect(conditionsOf(effective, 'elder', { vocabulary: envoyGatewayVocabulary }).ancestors.east).toEqual([
      'Accepted=False/Invalid: No.',
    ]);
  });

  it('refuses a reason that no API server takes, for that policy alone', () => {
    const { effective } = judged({ elder: { message: 'No.', reason: 'no secret' } }, elder, younger);
    const { ancestors, refused } = conditionsOf(effective, 'elder');
    expect(ancestors).toEqual({});
    expect(refused).toEqual([
      { resource: p('elder'), message: expect.stringContaining('"no secret" is not a reason') },
    ]);
    expect(conditionsOf(effective, 'younger').ancestors.east).toHaveLength(2);
  });

  it('plans the changes of a new verdict like a plan of everything', () => {
    const said: Record<string, Verdict> = { elder: missing };
    const { topology, effective } = judged(said, elder, younger);
    carryOut(topology, planStatus(effective, options).writes);
    effective.takeChanges();
    delete said.elder;
    effective.reconsider([p('elder')]);
    const { writes } = planStatus(effective, { ...options, changes: [effective.takeChanges()] });
    expect(writes.map(({ locator }) => locator)).toEqual([
      p('elder'),
      p('younger'),
      'httproute.gateway.networking.k8s.io:shop/cart',
    ]);
    expect(planStatus(effective, options).writes).toEqual(writes);
  });
});

describe('impact, with verdicts of the controller', () => {
  it('includes verdicts on policies with the change applied', () => {
    const { effective } = judged({ elder: missing }, younger);
    const { outcomes } = impact(effective, { upsert: [elder] });
    expect(outcomes.map(({ policy, after }) => [policy, after?.outcome, after?.reason])).toEqual([
      [p('elder'), 'invalid', 'NoSecret'],
    ]);
  });

  it('includes verdicts about ancestors that the change makes count', () => {
    const { effective } = judged({ elder: { ...missing, ancestors: [g('north')] } }, elder, gateway('north'));
    const { outcomes } = impact(effective, { upsert: [route('cart', ['east', 'west', 'north'])] });
    expect(outcomes.map(({ policy, before, after }) => [policy, before?.outcome, after?.outcome])).toEqual([
      [p('elder'), 'enforced', 'partly-enforced'],
    ]);
  });
});

describe('planStatus, conditions', () => {
  const type = 'example.com/SecretReady';
  const ready = (reason = 'Ready') => ({ type, status: 'True', reason, message: 'Secret shop/key is there.' }) as const;
  const conditionTypes = [type];

  it("writes the conditions of the controller besides the outcome's", () => {
    const { effective } = judged({}, elder, younger);
    const conditions: PlanStatusOptions['conditions'] = ({ policy, ancestor, report }) =>
      policy.resource.metadata.name === 'elder' &&
      ancestor?.ancestorRef.name === 'east' &&
      report.outcome === 'enforced'
        ? [ready()]
        : [];
    const more = { conditions, conditionTypes };
    expect(conditionsOf(effective, 'elder', more).ancestors).toEqual({
      east: [
        'Accepted=True/Accepted: The policy is valid.',
        'Programmed=True/Programmed: In force in all scopes.',
        `${type}=True/Ready: Secret shop/key is there.`,
      ],
      west: ['Accepted=True/Accepted: The policy is valid.', 'Programmed=True/Programmed: In force in all scopes.'],
    });
    const [programmed] = conditionsOf(effective, 'elder', { ...more, rendering: 'conditions' }).refused;
    expect(programmed).toBeUndefined();
  });

  it('takes the place of a condition of the outcome, by its type', () => {
    const { effective } = judged({}, elder);
    const conditions = () => [
      gep713Vocabulary.condition('Programmed', 'False', 'Reconciling', 'Waiting for the data plane.'),
    ];
    expect(conditionsOf(effective, 'elder', { conditions }).ancestors.east).toEqual([
      'Accepted=True/Accepted: The policy is valid.',
      'Programmed=False/Reconciling: Waiting for the data plane.',
    ]);
  });

  it('writes directly under the status as well, and removes only its own conditions that no longer hold', () => {
    const foreign = {
      type: 'Foreign',
      status: 'True',
      reason: 'Said',
      message: '',
      lastTransitionTime: '2025-01-01T00:00:00Z',
    };
    const stored = timeouts('elder', ['HTTPRoute cart'], { request: 1 }, { status: { conditions: [foreign] } });
    const { topology, effective } = judged({}, stored);
    const typesOf = () =>
      (resourceIn(topology, p('elder')).status as { conditions: { type: string }[] }).conditions.map((it) => it.type);
    const more = { ...options, rendering: 'conditions', conditionTypes } as const;
    const later = new Date('2027-01-01T00:00:00Z');
    carryOut(topology, planStatus(effective, { ...more, conditions: () => [ready()] }).writes);
    expect(typesOf()).toEqual(['Foreign', 'Accepted', 'Programmed', type]);
    const same = planStatus(effective, { ...more, now: later, conditions: () => [ready()] });
    expect(same.writes).toEqual([]);
    carryOut(topology, planStatus(effective, { ...more, conditions: () => [] }).writes);
    expect(typesOf()).toEqual(['Foreign', 'Accepted', 'Programmed']);
  });

  it.each<[string, PlanStatusOptions['conditions'], string]>([
    [
      'throws',
      () => {
        throw new Error('no connection');
      },
      'its conditions could not be computed: no connection; it is not changed',
    ],
    [
      'says a type that is not declared',
      () => [{ ...ready(), type: 'Undeclared' }],
      'its condition Undeclared is not declared; add the type to conditionTypes',
    ],
    ['says no type', () => [{ ...ready(), type: '?' }], '"?" is not a condition type; write it like a label key'],
    [
      'says no reason',
      () => [ready('a b')],
      '"a b" is not a reason; write one word that begins with a letter: PolicyConflicted',
    ],
  ])('costs one policy alone its status when the function %s', (_, faulty, message) => {
    const other = timeouts('other', ['HTTPRoute list'], { request: 1 });
    const { effective } = judged({}, elder, other, route('list', ['east']));
    const conditions: PlanStatusOptions['conditions'] = (subject) =>
      subject.policy.resource.metadata.name === 'elder' ? (faulty?.(subject) ?? []) : [];
    const more = { conditions, conditionTypes: [...conditionTypes, '?'] };
    const { ancestors, refused } = conditionsOf(effective, 'elder', more);
    expect(ancestors).toEqual({});
    expect(refused).toEqual([{ resource: p('elder'), message }]);
    expect(conditionsOf(effective, 'other', more).ancestors.east).toHaveLength(2);
  });
});
