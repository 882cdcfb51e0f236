import { fileURLToPath } from 'node:url';
import { istioMesh } from '@policy-machinery/gateway-api';
import { readManifests } from '@policy-machinery/resource/node';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { AuthorizationPolicy, RequestAuthentication } from './authorization.ts';
import { PeerAuthentication, Telemetry } from './inherited.ts';

export const policyKinds = [AuthorizationPolicy, RequestAuthentication, PeerAuthentication, Telemetry] as const;

/** Returns the mesh of the manifests. */
export async function cluster(): Promise<Topology> {
  const topology = createTopology({ targetKinds: istioMesh(), policyKinds });
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });
  return topology;
}
