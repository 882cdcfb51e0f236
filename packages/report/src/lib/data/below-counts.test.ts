import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../runs.fixture.ts';
import { resources, worldOf } from '../worlds.fixture.ts';

describe('the targets that a context passes', () => {
  it('are the targets that explain it, and that the page counts it below', () => {
    fc.assert(
      fc.property(resources, fc.boolean(), (some, delegation) => {
        const { topology, views } = worldOf(some, delegation);
        for (const view of views) {
          const contexts = [...view];
          for (const target of topology.targets) {
            const passing = contexts.filter(({ passed }) => passed.has(target));
            const explained = view.explain(target).effective.map(({ policy }) => policy);
            expect(passing.map((it) => it.target.locator).sort()).toEqual(
              explained.map((it) => it.target.locator).sort(),
            );
            expect(passing.every((it) => explained.some((other) => other.isSame(it)))).toBe(true);
          }
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
