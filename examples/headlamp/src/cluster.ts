import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { listAll, type Request } from './lists.ts';
import { policyKinds } from './policy-kinds.ts';

/** What the plugin knows of a cluster. */
export interface Cluster {
  readonly topology: Topology;
  readonly views: readonly EffectivePolicies<unknown>[];
  /** Why answers may be incomplete: kinds that may not be read. */
  readonly missing: readonly string[];
}

/** Reads everything that decides which policies apply where. */
export async function readCluster(request: Request): Promise<Cluster> {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds });
  const lists = await Promise.all(topology.requiredKinds.map((kind) => listAll(kind, request)));
  topology.apply({ upsert: lists.flatMap((list) => ('items' in list ? list.items : [])) });
  return {
    topology,
    views: policyKinds.map((kind) => effectivePolicies(topology, kind)),
    missing: lists.flatMap((list) => ('missing' in list ? [list.missing] : [])),
  };
}
