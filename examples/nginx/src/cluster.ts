import { fileURLToPath } from 'node:url';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { readManifests } from '@policy-machinery/resource/node';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { ClientSettingsPolicy } from './client-settings-policy.ts';
import { UpstreamSettingsPolicy } from './upstream-settings-policy.ts';

/** Returns the cluster of the manifests. */
export async function cluster(): Promise<Topology> {
  const policyKinds = [ClientSettingsPolicy, UpstreamSettingsPolicy];
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds });
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });
  return topology;
}
