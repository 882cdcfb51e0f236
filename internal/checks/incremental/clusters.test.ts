import { clusterOf, commonEdits } from '@policy-machinery/workload';
import { describe, it } from 'vitest';
import { runSequence } from './sequence.ts';
import { seedsByTest, steps, timeout } from './steps.ts';
import { expectLittleSurplus, newTallies } from './told.ts';

const size = {
  gateways: 2,
  listenersPerGateway: 2,
  routes: 3,
  rulesPerRoute: 2,
  services: 3,
  namespaces: 2,
  policies: 6,
};

describe('changes of a cluster, one by one', () => {
  it.each(seedsByTest)('come to the same as starting afresh: %s', { timeout }, (_, seeds) => {
    const tallies = newTallies();
    for (const seed of seeds) {
      runSequence({ workload: clusterOf(size, { seed }), edits: commonEdits, steps, seed }, tallies);
    }
    expectLittleSurplus(tallies);
  });

  it('name all sections of a route when a policy on the route is edited before anything was asked', {
    timeout,
  }, () => {
    const seed = 2749;
    runSequence({ workload: clusterOf(size, { seed }), edits: commonEdits, steps, seed }, newTallies());
  });
});
