import { fileURLToPath } from 'node:url';
import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import { readManifests } from '@policy-machinery/resource/node';
import { createTopology } from '@policy-machinery/topology';
import { DefaultsAndOverrides, Direct, MergedSpecs } from './color-policies.ts';

/** An example of GEP-713: a cluster with its own ColorPolicy. */
export interface Example {
  readonly title: string;
  readonly effective: EffectivePolicies<unknown>;
}

/** The three examples. */
export async function examples(): Promise<readonly Example[]> {
  return [
    await exampleOf('Example 1. Direct policy', Direct, '1-direct.yaml'),
    await exampleOf('Example 2. Defaults and overrides', DefaultsAndOverrides, '2-defaults-and-overrides.yaml'),
    await exampleOf('Example 3. Merged specs', MergedSpecs, '3-merged-specs.yaml'),
  ];
}

async function exampleOf<Spec>(title: string, kind: PolicyKind<Spec>, file: string): Promise<Example> {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [kind] });
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL(`../manifests/${file}`, import.meta.url))) });
  return { title, effective: effectivePolicies(topology, kind) };
}
