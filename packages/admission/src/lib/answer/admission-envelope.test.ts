import { none } from '@policy-machinery/merge';
import { bareSpec } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import {
  cluster,
  gateway,
  route,
  TimeoutPolicy,
  timeoutKind,
  timeouts,
} from '../../../../policy-status/src/lib/cluster.fixture.ts';
import { reviewOf } from '../review/world.fixture.ts';
import { reviewAdmission } from './review-admission.ts';

const edge = gateway('edge');
const cart = route('cart', ['edge']);
const strict = timeouts('strict', ['Gateway edge'], { overrides: { idle: 1 } });
const none_ = timeoutKind('TimeoutPolicy', { stanzas: bareSpec({ strategies: { none } }) });

const answer = (response: object) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response: { uid: 'u-1', ...response },
});

describe('reviewAdmission of an AdmissionReview', () => {
  const { effective } = cluster(TimeoutPolicy, edge, cart, strict);

  it('answers with the uid of the request, and with warnings', () => {
    expect(reviewAdmission(effective, reviewOf(route('new', ['edge'])))).toEqual(
      answer({ allowed: true, warnings: ['TimeoutPolicy shop/strict affects this HTTPRoute.'] }),
    );
  });

  it('leaves out an empty list of warnings', () => {
    expect(reviewAdmission(effective, reviewOf(route('new', ['other'])))).toEqual(answer({ allowed: true }));
  });

  it('reviews the old object of a deletion, or without one the named object', () => {
    const deletion = { operation: 'DELETE', object: null, oldObject: strict } as const;
    const warnings = ['This change leaves 1 target without any TimeoutPolicy: HTTPRoute shop/cart#pay.'];
    expect(reviewAdmission(effective, reviewOf(strict, deletion))).toEqual(answer({ allowed: true, warnings }));
    expect(reviewAdmission(effective, reviewOf(strict, { ...deletion, oldObject: null }))).toEqual(
      answer({ allowed: true, warnings }),
    );
  });

  it('answers a dry run in the same way', () => {
    const request = reviewOf(route('new', ['edge']));
    const dryRun = reviewOf(route('new', ['edge']), { dryRun: true });
    expect(reviewAdmission(effective, dryRun)).toEqual(reviewAdmission(effective, request));
  });

  it('reviews an object with a name to be generated, in the namespace of the request', () => {
    const { metadata, ...rest } = timeouts('x', ['HTTPRoute cart'], { idle: 2 });
    const nameless = { ...rest, metadata: { generateName: 'mine-' } } as unknown as KubernetesObject;
    const review = reviewAdmission(effective, reviewOf(nameless, { name: '', namespace: 'shop' }));
    expect(metadata.name).toBe('x');
    expect(review.response.warnings).toEqual(['Overridden in all scopes. shop/strict replaces it (Patch overrides).']);
  });

  it('refuses a policy that comes into conflict', () => {
    const first = timeouts('first', ['Gateway edge'], { idle: 1 });
    const second = timeouts('second', ['Gateway edge'], { idle: 2 });
    const conflict = 'Conflicts with another policy. shop/first stays: it is older (None).';
    const message = `${conflict} Name another target, or change the other policy in place of this one.`;
    const { effective: views } = cluster(none_, edge, cart, first);
    expect(reviewAdmission(views, reviewOf(second))).toEqual(
      answer({ allowed: false, status: { code: 403, reason: 'Forbidden', message } }),
    );
    expect(reviewAdmission(views, reviewOf(second), { refuse: 'nothing' })).toEqual(
      answer({ allowed: true, warnings: [conflict] }),
    );
    expect(reviewAdmission(views, reviewOf(second), { refuse: 'nothing', warn: ['affected'] })).toEqual(
      answer({ allowed: true }),
    );
  });

  it('lets a policy be changed that is in conflict already', () => {
    const first = timeouts('first', ['Gateway edge'], { idle: 1 });
    const second = timeouts('second', ['Gateway edge'], { idle: 2 });
    const update = { operation: 'UPDATE', oldObject: second } as const;
    const { effective: views } = cluster(none_, edge, cart, first, second);
    expect(reviewAdmission(views, reviewOf(second, update))).toEqual(
      answer({
        allowed: true,
        warnings: ['Conflicts with another policy. shop/first stays: it is older (None).'],
      }),
    );
  });

  it.each([
    ['a status', { subResource: 'status' }],
    ['a connection', { operation: 'CONNECT' }],
    ['a whole collection', { operation: 'DELETE', name: '', object: null }],
  ] as const)('allows %s without a review', (_what, parts) => {
    expect(reviewAdmission(effective, reviewOf(strict, parts))).toEqual(answer({ allowed: true }));
  });

  it('allows an object that the topology refuses, and says why it was not reviewed', () => {
    const broken = { ...cart, metadata: { ...cart.metadata, labels: 7 } } as unknown as KubernetesObject;
    const { response } = reviewAdmission(effective, reviewOf({ ...broken, kind: '' }));
    expect(response.allowed).toBe(true);
    expect(response.warnings?.[0]).toMatch(/^This change was not reviewed: /);
  });

  it('refuses another version of AdmissionReview, and one without a request', () => {
    const refused = (message: RegExp) =>
      expect.objectContaining({ code: 'invalid-admission-review', message: expect.stringMatching(message) });
    const review = reviewOf(cart);
    expect(() => reviewAdmission(effective, { ...review, apiVersion: 'admission.k8s.io/v1beta1' })).toThrow(
      refused(/admissionReviewVersions/),
    );
    expect(() => reviewAdmission(effective, { ...review, request: undefined } as never)).toThrow(refused(/uid/));
  });
});
