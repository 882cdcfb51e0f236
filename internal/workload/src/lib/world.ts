import type { KubernetesObject } from '@policy-machinery/resource';
import { type ApiServer, createApiServer } from './api-server.ts';
import { ClusterState } from './cluster-state.ts';
import { createRandom, type Random } from './random.ts';

/** What is needed to make one more resource: chance, an API server, and what is there already. */
export interface World {
  readonly random: Random;
  readonly server: ApiServer;
  readonly state: ClusterState;
}

/** How a workload comes about. */
export interface SeedOptions {
  /** The same seed gives the same workload, byte for byte. Default 1. */
  readonly seed?: number;
}

/** Returns a world with these resources in it. */
export function createWorld({ seed = 1 }: SeedOptions, resources: Iterable<KubernetesObject> = []): World {
  const random = createRandom(seed);
  const state = new ClusterState(resources);
  return { random, server: createApiServer(random, lastVersion(state.all)), state };
}

function lastVersion(resources: readonly KubernetesObject[]): number {
  return resources.reduce((last, { metadata }) => {
    const version = 'resourceVersion' in metadata ? Number(metadata.resourceVersion) : 0;
    return Math.max(last, Number.isSafeInteger(version) ? version : 0);
  }, 0);
}
