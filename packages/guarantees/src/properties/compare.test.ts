import { effectivePolicies } from '@policy-machinery/effective-policy';
import { traceRequest } from '@policy-machinery/gateway-api';
import { formatTarget, type Topology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRequests, verifiedKind } from '../index.ts';
import { httpRequestOf } from '../inner.ts';
import { requestsAbout } from './brute-force.fixture.ts';
import { clusters, LimitPolicy, topologyOf } from './clusters.fixture.ts';

const runs = Number(process.env.PROPERTY_RUNS ?? 30);

/** Returns what happens to a request at each port of each Gateway: the rule and the limits, or `hidden`. */
function treatmentsOf(topology: Topology, request: Parameters<typeof traceRequest>[1]): ReadonlyMap<string, string> {
  const effective = effectivePolicies(topology, LimitPolicy);
  const treatments = new Map<string, string>();
  for (const { entry, port, winner, undecided } of traceRequest(topology, request)) {
    const key = `${entry.locator} ${port}`;
    const isHidden = undecided.some(({ lostBy }) => lostBy === undefined);
    if (isHidden) treatments.set(key, 'hidden');
    else if (winner !== undefined) {
      const limits = new Set([...winner.paths].map((path) => JSON.stringify(effective.along(path).at(-1)?.spec)));
      const rule = winner.route.sections[winner.ruleIndex] ?? winner.route;
      treatments.set(key, `${formatTarget(rule)} ${[...limits].sort().join()}`);
    }
  }
  return treatments;
}

describe('compareRequests', () => {
  it('finds a difference at the same ports as an enumeration of all requests, and each request shows it', () => {
    let found = 0;
    const property = fc.property(clusters, clusters, (one, other) => {
      const topologies = [topologyOf(one), topologyOf(other)] as const;
      const [before, after] = topologies.map((topology) => ({
        topology,
        kinds: [verifiedKind(effectivePolicies(topology, LimitPolicy))],
      }));
      if (before === undefined || after === undefined) throw new Error('there are two');
      const { differences, undecided } = compareRequests(before, after);
      const actual = new Set(differences.map(({ entry }) => `${entry.node.locator} ${entry.port}`));
      for (const { request, entry, in: parts } of differences) {
        const [was, is] = topologies.map((topology) => treatmentsOf(topology, httpRequestOf(request, entry)));
        const key = `${entry.node.locator} ${entry.port}`;
        expect([was?.get(key), is?.get(key)]).not.toContain('hidden');
        if (parts.includes('rule') || parts.includes('policies')) expect(was?.get(key)).not.toBe(is?.get(key));
        found += 1;
      }
      if (undecided > 0) return; // What a regular expression hides is not enumerated.
      const expected = new Set<string>();
      for (const request of requestsAbout([...one, ...other])) {
        const [was, is] = topologies.map((topology) => treatmentsOf(topology, request));
        for (const key of [...(was?.keys() ?? []), ...(is?.keys() ?? [])]) {
          if (was?.get(key) !== is?.get(key)) expected.add(key);
        }
      }
      expect(actual).toEqual(expected);
    });
    fc.assert(property, { numRuns: runs, seed: Number(process.env.PROPERTY_SEED ?? 44) });
    expect(found).toBeGreaterThan(runs);
  }, 7_200_000);
});
