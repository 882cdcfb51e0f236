/** The policies attached to a target that affect it, against all that affect it. */

import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { statusQueries } from '../lib/status-queries-of.ts';
import { compute, holds } from './compute.fixture.ts';
import { anyRules } from './random-rules.fixture.ts';
import { narrowWorldsBy, worldsBy } from './worlds.fixture.ts';

describe('affectingFrom on random worlds', () => {
  holds(
    'has of what affects a target the policies attached there',
    fc.oneof(worldsBy(anyRules), narrowWorldsBy(anyRules)),
    (world) => {
      const effective = compute(world);
      const { topology, kind } = effective;
      for (const target of topology.targets) {
        const attached = new Set(topology.policiesAt(target, kind).map(({ locator }) => locator));
        const { policies } = effective.affecting(target);
        expect(statusQueries(effective).affectingFrom(target).policies).toEqual(
          policies.filter(({ policy }) => attached.has(policy.locator)),
        );
      }
    },
  );
});
