import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, TimeoutPolicy, timeouts } from '../../../../policy-status/src/lib/cluster.fixture.ts';
import { anyStatus, attempt } from '../../../../policy-status/src/lib/foreign-values.fixture.ts';
import { reviewAdmission } from './review-admission.ts';

const edge = gateway('edge');
const cart = route('cart', ['edge']);
const policy = timeouts('p', ['Gateway edge'], { request: 1 });

describe('reviewAdmission', () => {
  it('fails with errors of this project only, whatever a status is', () => {
    fc.assert(
      fc.property(fc.constantFrom(edge, cart, policy), anyStatus, (resource, status) => {
        const { effective } = cluster(TimeoutPolicy, edge, cart, policy);
        attempt(() => reviewAdmission(effective, { ...resource, status } as KubernetesObject));
        attempt(() => reviewAdmission(effective, status as KubernetesObject));
      }),
      { numRuns: 300 },
    );
  });

  it('escapes characters that cannot be seen', () => {
    const hostile = timeouts('p\u001b[2J\n\u202e', ['HTTPRoute cart'], { request: 3, '\u0007x': 1 });
    const { warnings } = reviewAdmission(cluster(TimeoutPolicy, edge, cart, hostile).effective, cart);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  it('warns of verdicts of the controller', () => {
    const { topology } = cluster(TimeoutPolicy, edge, cart);
    const message = 'The Secret shop/key does not exist.';
    const effective = effectivePolicies(topology, TimeoutPolicy, { verdict: () => ({ message, reason: 'NoSecret' }) });
    expect(reviewAdmission(effective, policy)).toEqual({ warnings: [message], conflicts: [] });
  });
});
