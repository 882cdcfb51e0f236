import { createSources, type Transport } from '@policy-machinery/cluster';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { TimeoutPolicy } from '../shop.ts';

/** Reads everything as a controller does that has just been started. */
export async function freshTopology(transport: Transport): Promise<Topology> {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
  await using sources = createSources(transport, topology.requiredKinds);
  for await (const { upsert, remove } of sources) {
    topology.apply({ upsert, remove });
    if (sources.isSettled) break;
  }
  return topology;
}
