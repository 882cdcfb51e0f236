import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type KubernetesObject, specOf } from '@policy-machinery/resource';
import { createTopology, type TargetKind, type TargetNode, type Topology } from '@policy-machinery/topology';
import { lineageRef } from '@policy-machinery/topology/testing';
import { z } from 'zod';
import { type EffectivePolicies, effectivePolicies } from '../lib/effective-policies.ts';
import type { EffectivePoliciesOptions } from '../lib/effective-policies-options.ts';

/** A schema that takes any spec: these tests are about merging. */
export const anySpec = z.record(z.string(), z.unknown());

/** Returns a timestamp, seconds after a fixed moment. */
export function at(seconds: number): string {
  return new Date(Date.UTC(2024, 0, 1) + seconds * 1000).toISOString().replace('.000', '');
}

/** Returns a ColorPolicy that targets a resource of a lineage. */
export function colorPolicy(name: string, target: string, spec: object, seconds = 0): KubernetesObject {
  return {
    apiVersion: 'colors.example.com/v1',
    kind: 'ColorPolicy',
    metadata: { name, namespace: 'default', creationTimestamp: at(seconds) },
    spec: { targetRefs: [lineageRef(target)], ...spec },
  };
}

/** Freezes a value and all that is in it: nothing here may change what it is given. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

/** Builds a topology of frozen resources and computes the effective policies of one kind. */
export function compute<Spec>(
  kind: PolicyKind<Spec>,
  targetKinds: Iterable<TargetKind>,
  resources: Iterable<KubernetesObject>,
  options?: EffectivePoliciesOptions<NoInfer<Spec>>,
): { topology: Topology; effective: EffectivePolicies<Spec> } {
  const topology = createTopology({ targetKinds, policyKinds: [kind] });
  topology.apply({ upsert: deepFreeze([...resources]) });
  return { topology, effective: effectivePolicies(topology, kind, options) };
}

/** Returns the effective spec on every path, by the names of the path: `g1>r1>b1`. Paths without a policy have none. */
export function specsByPath<Spec>(effective: EffectivePolicies<Spec>): Record<string, Spec | null> {
  const specs: Record<string, Spec | null> = {};
  const nameOf = (path: readonly TargetNode[]): string => path.map(({ ref }) => ref.name).join('>');
  for (const policy of effective) for (const path of policy.paths()) specs[nameOf(path)] = policy.spec;
  for (const context of effective.uncovered()) for (const path of context.paths()) specs[nameOf(path)] = null;
  return specs;
}

/** Returns a list in a spec, or nothing where it is empty. */
export function listIn(resource: KubernetesObject, field: string): unknown {
  const value = specOf(resource)[field];
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}
