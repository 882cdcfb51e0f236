import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { none } from '@policy-machinery/merge';
import { bareSpec } from '@policy-machinery/policy-kind';
import { createTopology, toDot } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import {
  cluster,
  gateway,
  route,
  TimeoutPolicy,
  timeoutKind,
  timeouts,
  tunnel,
} from '../../../../policy-status/src/lib/cluster.fixture.ts';
import { reviewAdmission } from './review-admission.ts';

const edge = gateway('edge');
const cart = route('cart', ['edge']);
const strict = timeouts('strict', ['Gateway edge'], { overrides: { idle: 1 } });
const nothing = { warnings: [], conflicts: [] };

describe('reviewAdmission', () => {
  const { topology, effective } = cluster(TimeoutPolicy, edge, cart, strict);

  it('warns the owner of an object of the policies that affect it (A-01)', () => {
    const affected = { warnings: ['TimeoutPolicy shop/strict affects this HTTPRoute.'], conflicts: [] };
    expect(reviewAdmission(effective, route('new', ['edge']))).toEqual(affected);
    expect(reviewAdmission(effective, cart)).toEqual(affected);
    expect(reviewAdmission(effective, route('new', ['other']))).toEqual(nothing);
  });

  it('warns the owner of a policy of its losses', () => {
    const review = (policy: ReturnType<typeof timeouts>) => reviewAdmission(effective, policy);
    expect(review(timeouts('r', ['HTTPRoute cart'], { request: 1 }))).toEqual(nothing);
    expect(review(timeouts('r', ['HTTPRoute cart'], { idle: 2 })).warnings).toEqual([
      'Overridden in all scopes. shop/strict replaces it (Patch overrides).',
    ]);
    expect(review(timeouts('r', ['HTTPRoute gone'], { idle: 2 })).warnings).toEqual([
      '/spec/targetRefs/0: targets HTTPRoute shop/gone, which does not exist; create it or correct the reference.',
    ]);
    expect(review(timeouts('r', ['HTTPRoute cart'], { idle: 'long' })).warnings).toEqual([
      '/spec/idle: Invalid input: expected number, received string.',
    ]);
  });

  it('warns also if the policy exists already', () => {
    const lost = timeouts('lost', ['HTTPRoute cart'], { idle: 2 });
    expect(reviewAdmission(cluster(TimeoutPolicy, edge, cart, strict, lost).effective, lost).warnings).toHaveLength(1);
  });

  it('returns a conflict separately, so that it can be refused (A-02)', () => {
    const kind = timeoutKind('TimeoutPolicy', { stanzas: bareSpec({ strategies: { none } }) });
    const first = timeouts('first', ['Gateway edge'], { idle: 1 });
    expect(
      reviewAdmission(cluster(kind, edge, cart, first).effective, timeouts('second', ['Gateway edge'], {})),
    ).toEqual({
      warnings: [],
      conflicts: ['Conflicts with another policy. shop/first stays: it is older (None).'],
    });
  });

  it('does not warn about other objects', () => {
    expect(reviewAdmission(effective, tunnel('t'))).toEqual(nothing);
    expect(reviewAdmission(effective, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } })).toEqual(nothing);
  });

  it('covers policies of several kinds', () => {
    const kinds = [TimeoutPolicy, timeoutKind('RetryPolicy')];
    const both = createTopology({ targetKinds: gatewayApi(), policyKinds: kinds });
    both.apply({ upsert: [edge, strict, timeouts('q', ['Gateway edge'], { idle: 1 }, { kind: 'RetryPolicy' })] });
    const views = kinds.map((kind) => effectivePolicies(both, kind));
    expect(reviewAdmission(views, cart).warnings).toEqual([
      'TimeoutPolicy shop/strict affects this HTTPRoute.',
      'RetryPolicy shop/q affects this HTTPRoute.',
    ]);
  });

  it('refuses a value that is not a Kubernetes object', () => {
    expect(() => reviewAdmission(effective, { ...cart, kind: '' })).toThrow(
      expect.objectContaining({ code: 'invalid-resources' }),
    );
  });

  it('does not change the topology', () => {
    const before = toDot(topology);
    reviewAdmission(effective, route('new', ['edge']));
    reviewAdmission(effective, timeouts('r', ['HTTPRoute cart'], {}));
    expect(toDot(topology)).toBe(before);
  });
});
