import { gatewayApi } from '@policy-machinery/gateway-api';
import { createTopology, type Position, type Topology } from '@policy-machinery/topology';
import { positionsBefore } from '@policy-machinery/topology/inner';
import { describe, expect, it } from 'vitest';
import { crowdedGateway } from './crowded-gateway.ts';
import { ladder } from './ladder.ts';
import { sharedService } from './shared-service.ts';
import { wideGateway } from './wide-gateway.ts';
import type { Workload } from './workload.ts';

function topologyOf(workload: Workload): Topology {
  const topology = createTopology(workload);
  topology.apply({ upsert: workload.resources });
  return topology;
}

/** How many paths lead to an object, without walking them. */
function pathCount(topology: Topology, locator: string): bigint {
  const counts = new Map<string, bigint>();
  const key = ({ node, entered }: Position): string => `${node.locator} ${entered}`;
  for (const position of topology.positions) {
    const before = [...positionsBefore(position)].map((it) => counts.get(key(it)) ?? 0n);
    counts.set(key(position), before.length === 0 ? 1n : before.reduce((sum, it) => sum + it));
  }
  return counts.get(`${locator} true`) ?? 0n;
}

const routing = 'gateway.networking.k8s.io';

describe.each([
  ['wideGateway', wideGateway],
  ['sharedService', sharedService],
  ['crowdedGateway', crowdedGateway],
  ['ladder', ladder],
] as const)('%s', (_, make) => {
  const workload = make();
  const topology = topologyOf(workload);

  it('is the same for the same seed', () => {
    expect(JSON.stringify(make({ seed: 1 }).resources)).toBe(JSON.stringify(workload.resources));
    expect(JSON.stringify(make({ seed: 2 }).resources)).not.toBe(JSON.stringify(workload.resources));
  });

  it('has only policies that are valid and attached, and references that lead somewhere', () => {
    expect(topology.issues).toEqual([]);
    expect(topology.unresolved).toEqual([]);
    const policies = workload.policyKinds.flatMap((kind) =>
      topology.policies(kind).map(({ resource }) => kind.read(resource)),
    );
    expect(policies.length).toBeGreaterThan(0);
    expect(policies.flatMap(({ issues }) => issues)).toEqual([]);
  });
});

describe('wideGateway', () => {
  it('has 1,000 routes below each of 64 listeners', () => {
    const listeners = topologyOf(wideGateway()).get(`gateway.${routing}:edge/wide`)?.sections ?? [];
    expect(listeners.map(({ linksTo }) => linksTo.length)).toEqual(Array(64).fill(1_000));
  });
});

describe('sharedService', () => {
  it('has 10,000 rules before one port', () => {
    const port = topologyOf(sharedService()).get('service:edge/shared')?.sections[0];
    expect(port?.linksFrom.length).toBe(10_000);
  });
});

describe('crowdedGateway', () => {
  it('has 2,000 policies on one Gateway', () => {
    expect(topologyOf(crowdedGateway()).policiesAt(`gateway.${routing}:edge/crowded`).length).toBe(2_000);
  });
});

describe('ladder', () => {
  it.each([
    [undefined, 40, 2n ** 40n],
    [3, 3, 8n],
  ])('with %j diamonds has as many paths to joint %i', (diamonds, joint, paths) => {
    const topology = topologyOf(ladder(diamonds === undefined ? {} : { diamonds }));
    expect(pathCount(topology, `step.ladder.example.com:default/joint-${joint}`)).toBe(paths);
  });

  it('has own kinds', () => {
    expect(ladder().targetKinds.filter(({ group }) => gatewayApi().some((kind) => kind.group === group))).toEqual([]);
  });
});
