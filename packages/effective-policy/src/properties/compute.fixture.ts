import type { Issue } from '@policy-machinery/resource';
import { createTopology, type Path } from '@policy-machinery/topology';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Context, EffectivePolicy } from '../lib/answers/effective-policy.ts';
import { type EffectivePolicies, effectivePolicies } from '../lib/effective-policies.ts';
import type { ContextLayer } from '../lib/fold/context-layer.ts';
import type { Loss } from '../lib/reasons/loss.ts';
import { museumKindsOf, Namespace } from './museum.fixture.ts';
import { policyKindOf } from './rules.fixture.ts';
import type { World } from './worlds.fixture.ts';

export type Spec = Record<string, unknown>;

/** How many random worlds each property tries. */
export const numRuns = Number(process.env.PROPERTY_RUNS ?? 40);
/** In milliseconds: for what hangs, not for what is slow on a busy machine. */
const timeout = 600_000 + numRuns * 1000;

/** Returns a test that a property holds. A failing world is printed, shrunk, with the seed that brings it back. */
export function holds<Value>(name: string, values: fc.Arbitrary<Value>, check: (value: Value) => void): void {
  it(name, () => fc.assert(fc.property(values, check), { numRuns }), timeout);
}

/** What may be wrong with random resources: not every namespace and policy exists, not all are dated. */
const expectable = ['missing-target', 'missing-policy', 'missing-creation-timestamp'];

/** Returns the effective policies of a world, in which nothing else may be wrong. */
export function compute(world: World): EffectivePolicies<Spec> {
  const { effective, issues } = computeWithIssues(world);
  expect(issues.filter(({ code }) => !expectable.includes(code))).toEqual([]);
  return effective;
}

/** Returns the effective policies of a world, and all that is wrong with its resources. */
export function computeWithIssues(world: World): { effective: EffectivePolicies<Spec>; issues: readonly Issue[] } {
  const kind = policyKindOf(world.rules, world);
  const topology = createTopology({
    targetKinds: [Namespace, ...museumKindsOf(world.needParent)],
    policyKinds: [kind],
  });
  topology.apply({ upsert: world.resources });
  const effective = effectivePolicies(topology, kind);
  return { effective, issues: [...topology.issues, ...effective.issues] };
}

/** Returns all contexts, those without a policy too. */
export function* contextsIn(effective: EffectivePolicies<Spec>): Iterable<Context<Spec>> {
  yield* effective;
  yield* effective.uncovered();
}

/** Returns a path as the oracle writes it. */
export function written(path: Path): string {
  return path.map(({ locator }) => locator).join(' ');
}

/** Returns all that can be read from the effective policies, in their order. */
export function summaryOf(effective: EffectivePolicies<Spec>): unknown {
  const layerOf = ({ policy, pointer, depth }: ContextLayer<Spec>) => [policy.locator, pointer, depth];
  const lossOf = ({ layer, winners, holders, ...loss }: Loss<Spec>): unknown => ({
    ...loss,
    layer: layerOf(layer),
    to: winners.map(layerOf),
    holders: holders.map(layerOf),
  });
  return [...contextsIn(effective)].map((context) => [
    context.target.locator,
    context.pathCount,
    context.levels.map(({ target, policies }) => [target.locator, policies.map(({ name }) => name)]),
    [...context.paths()].map(written),
    ...(context instanceof EffectivePolicy
      ? [
          context.spec,
          context.issues,
          context.layers.map(layerOf),
          context.origins.map(({ pointer, by }) => [pointer, by.map(layerOf)]),
          context.losses.map(lossOf),
        ]
      : []),
  ]);
}
