import { type KubernetesObject, specOf } from '@policy-machinery/resource';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { createRandom, ladder, type Random } from '@policy-machinery/workload';
import { describe, expect, it } from 'vitest';
import { expectSame, topologyOf, viewsOf } from './compared.ts';
import { observedEffective } from './observed-effective.ts';
import { observedTopology } from './observed-topology.ts';
import { seedsFrom, steps, timeout } from './steps.ts';

const workload = ladder({ diamonds: 2 });
const { kind } = workload.targetKinds[0] ?? { kind: '' };

describe('changes that may make a cycle, one by one', () => {
  it('lead to the same as a fresh start, and change nothing if there is a cycle', { timeout }, () => {
    const outcomes = seedsFrom(0, 100).flatMap((seed) => runSequence(seed, 3 * steps));
    for (const outcome of ['applied', 'refused']) {
      expect(outcomes.filter((it) => it === outcome).length).toBeGreaterThan(outcomes.length / 10);
    }
  });
});

function runSequence(seed: number, count: number): readonly ('applied' | 'refused')[] {
  const random = createRandom(seed);
  const now = new Map(workload.resources.map((resource) => [resource.metadata.name, resource]));
  const topology = topologyOf(workload, workload.resources);
  return Array.from({ length: count }, (_, step) => {
    const at = `seed ${seed}, step ${step}`;
    const [before, beforeEffective] = observed(topology);
    const upsert = changed(random, [...now.values()]);
    const next = new Map([...now, ...upsert.map((resource) => [resource.metadata.name, resource] as const)]);

    const fresh = createTopology(workload);
    const cycle = errorOf(() => fresh.apply({ upsert: next.values() }));
    expectSame(
      errorOf(() => topology.apply({ upsert })),
      cycle,
      `${at}: error`,
    );
    if (cycle === undefined) for (const [name, resource] of next) now.set(name, resource);

    const expected = cycle === undefined ? observed(fresh) : [before, beforeEffective];
    const [after, afterEffective] = observed(topology);
    expectSame(after, expected[0], `${at}: topology`);
    expectSame(afterEffective, expected[1], `${at}: effective policies`);
    return cycle === undefined ? 'applied' : 'refused';
  });
}

function observed(topology: Topology) {
  return [observedTopology(topology), viewsOf(topology, workload).map(observedEffective)] as const;
}

/** One to three resources: steps above which stands another step, or one more; or policies as they are. */
function changed(random: Random, resources: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const steps = resources.filter((resource) => resource.kind === kind);
  return random
    .shuffle(resources)
    .slice(0, 1 + random.int(3))
    .map((resource) => {
      if (resource.kind !== kind) return { ...resource };
      const others = random.chance(0.5) ? [specOf(resource).above].flat() : [];
      return { ...resource, spec: { above: [...others, { name: random.pick(steps).metadata.name }] } };
    }) as KubernetesObject[];
}

/** What an error tells; `undefined` where there is none. */
function errorOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    const { code, message, issues } = error as { readonly code: string; readonly message: string; issues: unknown };
    return { code, message, issues };
  }
}
