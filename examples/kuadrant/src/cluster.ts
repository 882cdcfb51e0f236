import { fileURLToPath } from 'node:url';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { readManifests } from '@policy-machinery/resource/node';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { AuthPolicy, RateLimitPolicy } from './policy-kinds.ts';

/** Returns the cluster of the manifests: a namespace for each case. */
export async function cluster(): Promise<Topology> {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [AuthPolicy, RateLimitPolicy] });
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });
  return topology;
}
