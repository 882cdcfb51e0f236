import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { clusterOf } from './cluster-of.ts';
import { referenceSize, scaled, sizeOf } from './size.ts';

describe('scaled', () => {
  it('keeps the mix', () => {
    expect(scaled(1)).toEqual(referenceSize);
    expect(scaled(0.1)).toEqual({
      ...referenceSize,
      gateways: 20,
      routes: 2_000,
      services: 1_000,
      namespaces: 5,
      policies: 500,
    });
  });

  it('leaves at least one of everything', () => {
    expect(Object.values(scaled(0))).toEqual([1, 10, 1, 3, 1, 1, 1]);
  });
});

describe('sizeOf', () => {
  it.each([1_000, 10_000])('makes clusters with about %i nodes, and more than half as many links again', (nodes) => {
    const workload = clusterOf(sizeOf(nodes));
    const topology = createTopology(workload);
    topology.apply({ upsert: workload.resources });
    const targets = [...topology.targets];
    const withoutPorts = targets.filter(({ ref, section }) => section === undefined || ref.kind !== 'Service');
    const links = targets.reduce((sum, { linksTo }) => sum + linksTo.length, 0);
    expect(withoutPorts.length / nodes).toBeCloseTo(1, 1);
    expect(links / nodes).toBeGreaterThan(1.5);
    expect(links / nodes).toBeLessThan(1.8);
  });
});
