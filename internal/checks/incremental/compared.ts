import {
  type EffectivePolicies,
  type EffectivePoliciesOptions,
  effectivePolicies,
} from '@policy-machinery/effective-policy';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, type Topology } from '@policy-machinery/topology';
import type { Workload } from '@policy-machinery/workload';
import { expect } from 'vitest';

/** Expects two plain values to be equal. Compares them as text first, which is much faster than field by field. */
export function expectSame(actual: unknown, expected: unknown, message: string): void {
  const isEqual = JSON.stringify(actual) === JSON.stringify(expected);
  expect(isEqual ? expected : actual, message).toEqual(expected);
}

/** Returns a topology made afresh. */
export function topologyOf(kinds: Omit<Workload, 'resources'>, resources: readonly KubernetesObject[]): Topology {
  const topology = createTopology(kinds);
  topology.apply({ upsert: resources });
  return topology;
}

/** Returns the effective policies of all kinds, made afresh; of every other kind with limits that are soon met. */
export function viewsOf(
  topology: Topology,
  { policyKinds }: Pick<Workload, 'policyKinds'>,
  { verdict, only }: Pick<EffectivePoliciesOptions<unknown>, 'verdict' | 'only'> = {},
): readonly EffectivePolicies<unknown>[] {
  return policyKinds.map((kind, index) =>
    effectivePolicies(topology, kind, {
      ...(verdict === undefined ? {} : { verdict }),
      ...(only === undefined ? {} : { only }),
      ...(index % 2 === 0 ? {} : { maxPolicies: 2 }),
    }),
  );
}
