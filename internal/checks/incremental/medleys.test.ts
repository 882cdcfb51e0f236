import { createRandom, editNames, medley } from '@policy-machinery/workload';
import { describe, it } from 'vitest';
import { runSequence } from './sequence.ts';
import { seedsByTest, steps, timeout } from './steps.ts';
import { expectLittleSurplus, newTallies } from './told.ts';

describe('changes of a medley, one by one', () => {
  it.each(seedsByTest)('come to the same as starting afresh: %s', { timeout }, (_, seeds) => {
    const tallies = newTallies();
    for (const seed of seeds) {
      const all = medley({ seed });
      // All six kinds of policies take longer, and meet nothing in each other that two do not.
      const policyKinds = createRandom(seed).shuffle(all.policyKinds).slice(0, 2);
      runSequence({ workload: { ...all, policyKinds }, edits: editNames, steps, seed }, tallies);
    }
    expectLittleSurplus(tallies);
  });
});
