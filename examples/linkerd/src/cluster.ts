import { fileURLToPath } from 'node:url';
import { Namespace, Pod } from '@policy-machinery/gateway-api';
import { readManifests } from '@policy-machinery/resource/node';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { AuthorizationPolicy, HTTPLocalRateLimitPolicy } from './policy-kinds.ts';
import { Server } from './server.ts';

export const policyKinds = [AuthorizationPolicy, HTTPLocalRateLimitPolicy] as const;

/** Returns the cluster of the manifests. */
export async function cluster(): Promise<Topology> {
  const topology = createTopology({ targetKinds: [Namespace, Server, Pod], policyKinds });
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });
  return topology;
}
