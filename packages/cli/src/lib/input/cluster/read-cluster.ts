import { listObjects, StatusError, type Transport } from '@policy-machinery/cluster';
import { formatGroupKind, type KubernetesObject } from '@policy-machinery/resource';
import type { RequiredKind } from '@policy-machinery/topology';
import { inParallel } from './in-parallel.ts';
import { type ServedKind, servedByDefinitions, servedByDiscovery } from './served-kind.ts';

/** How many kinds are read at a time. */
const kindsAtOnce = 4;

/** How to read a cluster. */
export interface ClusterQuery {
  readonly transport: Transport;
  /** The namespace to read a kind in if the kind may not be read in all namespaces. */
  readonly namespace: string;
  readonly signal: AbortSignal;
  /**
   * Returns the kinds that are needed: of Gateway API, of policies and of what these target.
   *
   * @param definitions The CustomResourceDefinitions of the cluster; `undefined` if they may not be read.
   */
  readonly requiredKinds: (definitions: readonly KubernetesObject[] | undefined) => readonly RequiredKind[];
  /** Called after each kind, with how many are read of how many. */
  readonly onProgress: (done: number, all: number) => void;
}

/** What was read in a cluster. */
export interface ClusterReading {
  /** The kinds that are served and may be read in all namespaces. */
  readonly kinds: readonly ServedKind[];
  /** The objects, CustomResourceDefinitions included. */
  readonly objects: readonly KubernetesObject[];
  /** What could not be read, one sentence for each kind. */
  readonly gaps: readonly string[];
}

const definitionKind: ServedKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  namespaced: false,
};

/**
 * Reads all objects of the kinds that matter. Kinds that may not be read are left out and named, and all other failures are errors.
 *
 * @param query What to read, and by which connection.
 * @returns The objects. Rejects with a `StatusError` or a `TransportError` if the API server fails.
 */
export async function readCluster(query: ClusterQuery): Promise<ClusterReading> {
  const { transport, signal, onProgress } = query;
  const definitions = await listed(query, definitionKind);
  const isKnown = definitions.gap === undefined;
  const required = query.requiredKinds(isKnown ? definitions.objects : undefined);
  const kinds = isKnown
    ? servedByDefinitions(required, definitions.objects)
    : await servedByDiscovery(transport, required, signal);
  let done = 0;
  onProgress(done, kinds.length);
  const lists = await inParallel(kinds, kindsAtOnce, async (kind) => {
    const list = await listed(query, kind);
    done += 1;
    onProgress(done, kinds.length);
    return { ...list, kind };
  });
  const all = [definitions, ...lists];
  return {
    kinds: lists.filter(({ gap }) => gap === undefined).map(({ kind }) => kind),
    objects: all.flatMap(({ objects }) => objects),
    gaps: all.flatMap(({ gap = [] }) => gap),
  };
}

interface List {
  readonly objects: readonly KubernetesObject[];
  /** What may not be read. */
  readonly gap?: string;
}

async function listed({ transport, signal, namespace }: ClusterQuery, kind: ServedKind): Promise<List> {
  const name = formatGroupKind(kind);
  try {
    return { objects: await listObjects(transport, kind, { signal }) };
  } catch (error) {
    if (isNotFound(error)) return { objects: [] }; // Its definition has just gone.
    if (!isForbidden(error)) throw error;
  }
  if (!kind.namespaced) return { objects: [], gap: `${name} may not be read` };
  try {
    const objects = await listObjects(transport, kind, { signal, namespace });
    return { objects, gap: `${name} may be read in the namespace ${namespace} only` };
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return { objects: [], gap: `${name} may not be read` };
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof StatusError && error.code === 403;
}

function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.code === 404 && error.isFromApiServer;
}
