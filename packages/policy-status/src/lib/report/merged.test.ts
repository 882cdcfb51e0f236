import {
  envoyGatewayVocabulary,
  gep713Vocabulary,
  kgatewayVocabulary,
  type PolicyAncestorStatus,
  type Vocabulary,
} from '@policy-machinery/conditions';
import * as profiles from '@policy-machinery/policy-kind';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, timeoutKind, timeouts } from '../cluster.fixture.ts';
import type { PlanStatusOptions } from '../plan/plan-options.ts';
import { planStatus } from '../plan/plan-status.ts';

const EnvoyPolicy = timeoutKind('TimeoutPolicy', profiles.envoyGateway());
const KgatewayPolicy = timeoutKind('TimeoutPolicy', profiles.kgateway());
const options: PlanStatusOptions = { controllerName: 'example.com/gateways', now: new Date('2026-01-02T03:04:05Z') };
const base = [gateway('edge'), route('cart', ['edge']), route('list', ['edge'])];
const onGateway = (spec: object) => timeouts('g', ['Gateway edge'], spec);
const onCart = (spec: object) => timeouts('c', ['HTTPRoute cart'], spec);
const onList = (spec: object) => timeouts('l', ['HTTPRoute list'], spec);
const merge = { mergeType: 'StrategicMerge' };

/** The conditions of each policy, in short: `Accepted Merged`. */
function said(kind: typeof EnvoyPolicy, vocabulary: Vocabulary, ...policies: readonly ReturnType<typeof onCart>[]) {
  const { effective } = cluster(kind, ...base, ...policies);
  const { writes } = planStatus(effective, { ...options, vocabulary });
  const ofPolicies = writes.filter(({ ref: { kind } }) => kind === 'TimeoutPolicy');
  return Object.fromEntries(
    ofPolicies.map(({ ref: { name }, result }) => {
      const [entry] = (result.status as { ancestors: PolicyAncestorStatus[] }).ancestors;
      return [
        name,
        entry?.conditions.map(({ type, reason }) => (type === reason ? type : `${type}/${reason}`)).join(' '),
      ];
    }),
  );
}

describe('planStatus, of policies that are merged with others', () => {
  it.each<[string, ReturnType<typeof onCart>[], Record<string, string>]>([
    ['alone', [onGateway({ request: 1 })], { g: 'Accepted' }],
    [
      'merged with its parent',
      [onGateway({ request: 1 }), onCart({ idle: 2, ...merge })],
      { g: 'Accepted Merged', c: 'Accepted Merged' },
    ],
    [
      'merged with its parent, from which it takes a field',
      [onGateway({ request: 1, idle: 1 }), onCart({ idle: 2, ...merge })],
      { g: 'Accepted Merged', c: 'Accepted Merged' },
    ],
    [
      'in place of its parent on one route',
      [onGateway({ request: 1 }), onCart({ idle: 2 })],
      { g: 'Accepted Overridden', c: 'Accepted' },
    ],
    [
      'merged on one route, and in place of its parent on another',
      [onGateway({ request: 1 }), onCart({ idle: 2, ...merge }), onList({ idle: 3 })],
      { g: 'Accepted Merged Overridden', c: 'Accepted Merged', l: 'Accepted' },
    ],
  ])('has the conditions of Envoy Gateway for a policy that is %s', (_, policies, expected) => {
    expect(said(EnvoyPolicy, envoyGatewayVocabulary, ...policies)).toEqual(expected);
  });

  it.each<[string, ReturnType<typeof onCart>[], Record<string, string>]>([
    ['alone', [onGateway({ request: 1 })], { g: 'Accepted/Valid Attached' }],
    [
      'merged with others, whatever it loses',
      [onGateway({ request: 1, idle: 1 }), onCart({ idle: 2 }), onList({ idle: 3 })],
      { g: 'Accepted/Valid Attached/Merged', c: 'Accepted/Valid Attached/Merged', l: 'Accepted/Valid Attached/Merged' },
    ],
    [
      'all that there is in the end',
      [onGateway({ request: 1 }), onCart({ request: 2 }), onList({ request: 3 })],
      { g: 'Accepted/Valid Attached/Overridden', c: 'Accepted/Valid Attached', l: 'Accepted/Valid Attached' },
    ],
  ])('has the conditions of kgateway for a policy that is %s', (_, policies, expected) => {
    expect(said(KgatewayPolicy, kgatewayVocabulary, ...policies)).toEqual(expected);
  });

  it('lacks a condition in GEP-713', () => {
    expect(said(EnvoyPolicy, gep713Vocabulary, onGateway({ request: 1 }), onCart({ idle: 2, ...merge }))).toEqual({
      g: 'Accepted Programmed',
      c: 'Accepted Programmed',
    });
  });
});
