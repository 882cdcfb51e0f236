import { listObjects, StatusError, type Transport } from '@policy-machinery/cluster';
import { type GroupKind, groupKindKey, type KubernetesObject } from '@policy-machinery/resource';
import type { RequiredKind } from '@policy-machinery/topology';
import type { Gap, ServedKind } from '../../model/served-kind.ts';
import { nothingReadable } from './gaps.ts';
import { inParallel } from './in-parallel.ts';
import { servedByDefinitions, servedByDiscovery } from './served-kind.ts';

/** How many kinds are read at a time at most. */
const kindsAtOnce = 4;

/** In how many namespaces a kind is tried that cannot be read in all at once. In a cluster with more, only the current one is tried. */
const maxNamespaces = 100;

export interface ClusterQuery {
  readonly transport: Transport;
  readonly namespace: string;
  readonly signal: AbortSignal;
  /**
   * Returns the kinds that are needed: of Gateway API, of policies and of their targets.
   *
   * @param definitions The CustomResourceDefinitions of the cluster; `undefined` if they may not be read.
   */
  readonly requiredKinds: (definitions: readonly KubernetesObject[] | undefined) => readonly RequiredKind[];
  /** Called after each kind, with how many are read of how many. */
  readonly onProgress: (done: number, all: number) => void;
}

export interface ClusterReading {
  /** The kinds that were asked for, whether they are served or not. */
  readonly asked: readonly GroupKind[];
  readonly kinds: readonly ServedKind[];
  /** The objects, CustomResourceDefinitions included. */
  readonly objects: readonly KubernetesObject[];
  /** The kinds that could not be read in all namespaces. */
  readonly gaps: readonly Gap[];
}

const definitionKind: ServedKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  namespaced: false,
};

/**
 * Reads all objects of the relevant kinds. Kinds that cannot be read in all namespaces are read where the user is allowed to, and reported. Any
 * other failure is an error.
 *
 * @returns The objects. Rejects with a `UsageError` if neither policies nor their targets may be read, and with a `StatusError` or a
 * `TransportError` if the API server fails.
 */
export async function readCluster(query: ClusterQuery): Promise<ClusterReading> {
  const { transport, namespace, signal, onProgress } = query;
  const definitions = await readEverywhere(query, definitionKind);
  const required = query.requiredKinds(isPartial(definitions) ? undefined : definitions.objects);
  const kinds = isPartial(definitions)
    ? await servedByDiscovery(transport, required, signal)
    : servedByDefinitions(required, definitions.objects);
  let done = 0;
  onProgress(done, kinds.length);
  const lists = await inParallel(kinds, kindsAtOnce, async (kind) => {
    const list = await readEverywhere(query, kind);
    if (!isPartial(list)) onProgress(++done, kinds.length);
    return list;
  });
  const namespaces = namespacesToTry(lists, namespace);
  const partial = await inParallel(lists.filter(isPartial), kindsAtOnce, async ({ kind }) => {
    const list = await readWhereAllowed(query, kind, namespaces);
    onProgress(++done, kinds.length);
    return list;
  });
  const all = [definitions, ...lists.filter((list) => !isPartial(list)), ...partial];
  const gaps = all.filter(isPartial);
  const unread = gaps.filter((gap) => gap.namespaces.length === 0);
  const needed = kinds.filter(({ group }) => group !== '');
  if (needed.length > 0 && needed.every((kind) => unread.some((gap) => gap.kind === kind))) {
    throw nothingReadable(
      unread.map(({ kind }) => kind),
      namespace,
    );
  }
  return {
    asked: [definitionKind, ...required],
    kinds: [definitionKind, ...kinds],
    objects: all.flatMap(({ objects }) => objects),
    gaps: gaps.map(({ kind, namespaces }) => ({ kind, namespaces })),
  };
}

interface List {
  readonly kind: ServedKind;
  readonly objects: readonly KubernetesObject[];
  /** The namespaces where the kind may be read. */
  readonly namespaces: 'all' | readonly string[];
}

function isPartial(list: List): list is List & Gap {
  return list.namespaces !== 'all';
}

/** Reads a kind in all namespaces at once. */
async function readEverywhere(query: ClusterQuery, kind: ServedKind): Promise<List> {
  const objects = await read(query, kind);
  return objects === undefined ? { kind, objects: [], namespaces: [] } : { kind, objects, namespaces: 'all' };
}

async function readWhereAllowed(
  query: ClusterQuery,
  kind: ServedKind,
  namespaces: readonly string[],
): Promise<List & Gap> {
  const tried = kind.namespaced ? namespaces : [];
  const lists: { readonly namespace: string; readonly objects: readonly KubernetesObject[] }[] = [];
  for (const namespace of tried) {
    const objects = await read(query, kind, namespace);
    if (objects !== undefined) lists.push({ namespace, objects });
  }
  return {
    kind,
    objects: lists.flatMap(({ objects }) => objects),
    namespaces: lists.map(({ namespace }) => namespace),
  };
}

/** Reads a kind in one namespace, or in all; `undefined` if it may not be read there. */
async function read(
  { transport, signal }: ClusterQuery,
  kind: ServedKind,
  namespace?: string,
): Promise<readonly KubernetesObject[] | undefined> {
  const within = namespace === undefined ? {} : { namespace };
  try {
    return await listObjects(transport, kind, { signal, ...within });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.code === 404 && error.isFromApiServer) return []; // The definition was deleted meanwhile.
    if (error.code === 403) return undefined;
    throw error;
  }
}

/** Returns the current namespace, and all others with names that the user can read. */
function namespacesToTry(lists: readonly List[], current: string): readonly string[] {
  const named = lists.find(({ kind }) => groupKindKey(kind) === groupKindKey({ group: '', kind: 'Namespace' }));
  const names = (named?.objects ?? []).map(({ metadata: { name } }) => name);
  return names.length > maxNamespaces ? [current] : [...new Set([current, ...names])];
}
