import { traceRequest } from '@policy-machinery/gateway-api';
import { type KubernetesObject, parseLocator } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unreachedTargets } from '../index.ts';
import { requestsAbout } from './brute-force.fixture.ts';
import { clusters, topologyOf } from './clusters.fixture.ts';

/** `npm test` tries some clusters, `.ci/run` and `npm run check` try more. */
const runs = Math.max(40, Math.ceil(Number(process.env.GUARANTEE_CLUSTERS ?? 40) / 4));

/** Returns which rules receive no requests, by their locators, and whether ages of routes decide, for routes of some ages. */
function unreachedIn(
  objects: readonly KubernetesObject[],
  ageOf: (route: KubernetesObject) => string | undefined,
): ReadonlyMap<string, 'age' | undefined> {
  const dated = objects.map((object) => {
    if (!object.kind.endsWith('Route')) return object;
    const { creationTimestamp: _, ...metadata } = object.metadata;
    const age = ageOf(object);
    return { ...object, metadata: { ...metadata, ...(age && { creationTimestamp: age }) } };
  });
  return new Map(unreachedTargets(topologyOf(dated)).map(({ target, dependsOn }) => [target.locator, dependsOn]));
}

describe('a rule that receives no requests', () => {
  it('receives none if its route is the newest, and some if it is the oldest, where ages that are not known decide', () => {
    let count = 0;
    const property = fc.property(clusters, (objects) => {
      for (const [locator, dependsOn] of unreachedIn(objects, () => undefined)) {
        const { kind, name } = parseLocator(locator);
        const isOwn = (route: KubernetesObject) => route.kind.toLowerCase() === kind && route.metadata.name === name;
        const [newest, oldest] = ['2030-01-01T00:00:00Z', '2020-01-01T00:00:00Z'].map((age) =>
          unreachedIn(objects, (route) => (isOwn(route) ? age : '2025-01-01T00:00:00Z')),
        );
        if (dependsOn === 'age') count += 1;
        expect([locator, newest?.has(locator), newest?.get(locator)]).toEqual([locator, true, undefined]);
        expect([locator, oldest?.has(locator)]).toEqual([locator, dependsOn === undefined]);
      }
    });
    fc.assert(property, { numRuns: runs, seed: Number(process.env.PROPERTY_SEED ?? 44) });
    expect(count).toBeGreaterThan(0);
  }, 7_200_000);

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
