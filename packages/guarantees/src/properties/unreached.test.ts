import { traceRequest } from '@policy-machinery/gateway-api';
import type { TargetNode } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unreachedTargets } from '../index.ts';
import { requestsAbout } from './brute-force.fixture.ts';
import { clusters, topologyOf } from './clusters.fixture.ts';

/** `npm test` tries some clusters, `.ci/run` and `npm run check` try more. */
const runs = Math.ceil(Number(process.env.GUARANTEE_CLUSTERS ?? 40) / 4);

describe('a rule that receives no requests', () => {
  it('takes none of all requests, and without regular expressions every rule that takes none is one', () => {
    let count = 0;
    const property = fc.property(clusters, (objects) => {
      const topology = topologyOf(objects);
      const taken = new Set<TargetNode>();
      const candidates = new Set<TargetNode>();
      for (const request of requestsAbout(objects)) {
        for (const { winner, lost, undecided } of traceRequest(topology, request)) {
          const open = undecided.filter(({ lostBy }) => lostBy === undefined);
          const matches = [...open, ...(winner === undefined ? [] : [winner])];
          for (const { rule, route } of matches) taken.add(rule ?? route);
          for (const { rule, route, lostBy } of lost)
            if (!/conflict|listener|kind/.test(lostBy)) candidates.add(rule ?? route);
        }
      }
      const unreached = new Set(
        unreachedTargets(topology).flatMap(({ target, dependsOn }) => (dependsOn === undefined ? target : [])),
      );
      count += unreached.size;
      expect([...unreached].filter((target) => taken.has(target))).toEqual([]);
      if (JSON.stringify(objects).includes('RegularExpression')) return;
      expect([...candidates].filter((target) => !taken.has(target) && !unreached.has(target))).toEqual([]);
    });
    fc.assert(property, { numRuns: runs, seed: Number(process.env.PROPERTY_SEED ?? 44) });
    expect(count).toBeGreaterThan(0);
  }, 7_200_000);
});
