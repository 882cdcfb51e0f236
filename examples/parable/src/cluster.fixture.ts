import { fileURLToPath } from 'node:url';
import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { readManifests } from '@policy-machinery/resource/node';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { RetryPolicy } from './retry-policy.ts';
import type { Retries } from './retry-schema.ts';

/** The cluster of the manifests. */
export async function cluster(): Promise<Topology> {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [RetryPolicy] });
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });
  return topology;
}

export function retriesIn(topology: Topology): EffectivePolicies<Retries> {
  return effectivePolicies(topology, RetryPolicy);
}
