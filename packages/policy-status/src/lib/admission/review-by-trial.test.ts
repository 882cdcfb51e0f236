import { createTrial } from '@policy-machinery/effective-policy';
import { none } from '@policy-machinery/merge';
import { bareSpec } from '@policy-machinery/policy-kind';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, TimeoutPolicy, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { impact } from '../impact/impact.ts';
import { reviewAdmission } from './review-admission.ts';

const names = ['a', 'b', 'c', 'd'];
const base = [gateway('edge'), ...names.map((name) => route(name, ['edge']))];
const team = timeouts('team', ['HTTPRoute a'], { request: 5 });
const strict = timeouts('strict', ['Gateway edge'], { overrides: { request: 1 } }, { seconds: 10_000 });
const world = () => cluster(TimeoutPolicy, ...base, team);
const harm = 'This change overrides all of TimeoutPolicy shop/team in 1 scope.';
const many = (most: number) =>
  `This change affects more than ${most} contexts of TimeoutPolicy; the policies that lose fields are not listed.`;

describe('reviewAdmission, by a trial', () => {
  it('returns the same as for effective policies, however often it is called', () => {
    const { effective } = world();
    const trial = createTrial(effective);
    for (const operation of ['CREATE', 'DELETE', 'CREATE'] as const) {
      expect(reviewAdmission(trial, strict, { operation })).toEqual(reviewAdmission(effective, strict, { operation }));
    }
    expect(reviewAdmission(trial, strict).warnings).toEqual([harm]);
    expect(effective.policies.map(({ node }) => node.resource)).toEqual([team]);
  });

  it('lists the effects on others up to a number of contexts, and beyond says that there are many', () => {
    const trial = createTrial(world().effective);
    const warningsUpTo = (maxContexts: number) => reviewAdmission(trial, strict, { maxContexts }).warnings;
    expect([warningsUpTo(names.length), warningsUpTo(names.length - 1)]).toEqual([[harm], [many(names.length - 1)]]);
  });

  it('refuses a policy for a conflict, however many contexts it touches', () => {
    const kind = timeoutKind('TimeoutPolicy', { stanzas: bareSpec({ strategies: { none } }) });
    const { effective } = cluster(kind, ...base, timeouts('first', ['Gateway edge'], { request: 1 }));
    const second = timeouts('second', ['Gateway edge'], { request: 2 }, { seconds: 10_000 });
    const { conflicts } = reviewAdmission(createTrial(effective), second, { maxContexts: 0 });
    expect(conflicts).toEqual(reviewAdmission(effective, second).conflicts);
    expect(conflicts).toHaveLength(1);
  });

  it('warns of an object that the topology does not accept', () => {
    const trial = createTrial(world().effective);
    const object = { ...strict, metadata: { ...strict.metadata, name: 5 } };
    const request = { uid: '1', operation: 'UPDATE', kind: { group: '', version: 'v1', kind: 'A' }, object } as never;
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request } as const;
    expect(reviewAdmission(trial, review).response).toMatchObject({
      allowed: true,
      warnings: [expect.stringContaining('This change was not reviewed')],
    });
    expect(reviewAdmission(trial, strict).warnings).toEqual([harm]);
  });
});

describe('impact, by a trial', () => {
  it('returns the same as for effective policies, and keeps specs', () => {
    const { effective } = world();
    const [told, expected] = [createTrial(effective), effective].map((each) => impact(each, { upsert: [strict] }));
    const textOf = (it: typeof told) => it?.effective.map(({ target, patch, after }) => [target, patch, after?.spec]);
    expect(textOf(told)).toEqual(textOf(expected));
    expect(told?.effective).toHaveLength(names.length);
    expect(told?.delta).toEqual(expected?.delta);
  });
});
