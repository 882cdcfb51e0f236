import { fileURLToPath } from 'node:url';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { readManifests } from '@policy-machinery/resource/node';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { TrafficPolicy } from './traffic-policy.ts';

/** Returns the cluster of the manifests, in which rules of HTTPRoutes can delegate to HTTPRoutes. */
export async function cluster(): Promise<Topology> {
  const topology = createTopology({ targetKinds: gatewayApi({ delegation: true }), policyKinds: [TrafficPolicy] });
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });
  return topology;
}
