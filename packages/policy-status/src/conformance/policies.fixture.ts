import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, type TargetKind, type Topology } from '@policy-machinery/topology';
import { lineageRef } from '@policy-machinery/topology/testing';
import { z } from 'zod';

/** A schema that takes any spec: these tests are not about schemas. */
export const anySpec = z.record(z.string(), z.unknown());

/** Returns a ColorPolicy that targets a resource of a lineage, some seconds younger than the first. */
export function colorPolicy(name: string, target: string, spec: object, seconds = 0): KubernetesObject {
  const creationTimestamp = new Date(Date.UTC(2024, 0, 1) + seconds * 1000).toISOString().replace('.000', '');
  return {
    apiVersion: 'colors.example.com/v1',
    kind: 'ColorPolicy',
    metadata: { name, namespace: 'default', generation: 1, creationTimestamp },
    spec: { targetRefs: [lineageRef(target)], ...spec },
  };
}

/** Builds a topology and computes the effective policies of one kind. */
export function compute<Spec>(
  kind: PolicyKind<Spec>,
  targetKinds: Iterable<TargetKind>,
  resources: Iterable<KubernetesObject>,
): { topology: Topology; effective: EffectivePolicies<Spec> } {
  const topology = createTopology({ targetKinds, policyKinds: [kind] });
  topology.apply({ upsert: [...resources] });
  return { topology, effective: effectivePolicies(topology, kind) };
}
