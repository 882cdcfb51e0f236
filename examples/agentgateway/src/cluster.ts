import { fileURLToPath } from 'node:url';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { readManifests } from '@policy-machinery/resource/node';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { AgentgatewayPolicy } from './agentgateway-policy.ts';

/** Returns the cluster of the manifests. */
export async function cluster(): Promise<Topology> {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [AgentgatewayPolicy] });
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });
  return topology;
}
