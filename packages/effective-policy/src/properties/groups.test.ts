/** Groups of scopes against the scopes one by one. */

import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { EffectivePolicies } from '../lib/effective-policies.ts';
import type { Loss } from '../lib/reasons/loss.ts';
import { statusQueries } from '../lib/status-queries-of.ts';
import { compute, holds, type Spec } from './compute.fixture.ts';
import { anyRules } from './random-rules.fixture.ts';
import { narrowWorldsBy, worldsBy } from './worlds.fixture.ts';

const worlds = fc.oneof(worldsBy(anyRules), narrowWorldsBy(anyRules));

/** A loss without the places of its layers: groups have the same at others. */
function lossText({ layer, winners, holders, ...rest }: Loss<Spec>): unknown {
  const names = (layers: Loss<Spec>['winners']) => layers.map(({ policy, pointer }) => [policy.locator, pointer]);
  return [rest, names([layer]), names(winners), names(holders)];
}

/** What becomes of a policy below each ancestor, and where there is none. */
function outcomes(
  scopes: Iterable<{
    readonly ancestors: readonly { readonly locator: string }[];
    readonly outcome: string;
    readonly losses: readonly Loss<Spec>[];
  }>,
): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { ancestors, outcome, losses } of scopes) {
    const names = ancestors.length === 0 ? [''] : ancestors.map(({ locator }) => locator);
    for (const name of names) texts.add(JSON.stringify([name, outcome, losses.map(lossText)]));
  }
  return texts;
}

function outcomesOneByOne(effective: EffectivePolicies<Spec>, policy: string): ReadonlySet<string> {
  return outcomes(
    effective.reach(policy).map((scope) => {
      const { ancestors, dataPlanes } = scope.effective;
      return { ...scope, ancestors: ancestors.length > 0 ? ancestors : dataPlanes };
    }),
  );
}

function outcomesInGroups(effective: EffectivePolicies<Spec>, policy: string): ReadonlySet<string> {
  return outcomes(effective.reachInGroups(policy).map(({ ancestors, share }) => ({ ...share, ancestors })));
}

describe('reachInGroups on random worlds', () => {
  holds('has below each ancestor the outcomes and losses of the scopes that reach() lists', worlds, (world) => {
    const effective = compute(world);
    for (const { node } of effective.policies) {
      expect(outcomesInGroups(effective, node.locator)).toEqual(outcomesOneByOne(effective, node.locator));
    }
  });

  holds('outcomesOf() lists the outcomes of the groups', worlds, (world) => {
    const effective = compute(world);
    for (const { node } of effective.policies) {
      const inGroups = effective.reachInGroups(node.locator).map(({ share }) => share.outcome);
      expect(statusQueries(effective).outcomesOf(node.locator)).toEqual(new Set(inGroups));
    }
  });
});
