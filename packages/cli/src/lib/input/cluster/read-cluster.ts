import { listObjects, StatusError, type Transport } from '@policy-machinery/cluster';
import { groupKindKey, type KubernetesObject } from '@policy-machinery/resource';
import type { RequiredKind } from '@policy-machinery/topology';
import { nothingReadable } from './gaps.ts';
import { inParallel } from './in-parallel.ts';
import { type Gap, type ServedKind, servedByDefinitions, servedByDiscovery } from './served-kind.ts';

/** How many kinds are read at a time. */
const kindsAtOnce = 4;

/** In how many namespaces a kind is tried that may not be read in all; in a cluster with more, the current one alone is tried. */
const maxNamespaces = 100;

/** How to read a cluster. */
export interface ClusterQuery {
  readonly transport: Transport;
  /** The namespace that is meant where none is named. */
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
  /** The kinds that are served. */
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
 * Reads all objects of the kinds that matter. Kinds that may not be read in all namespaces are read where they may be, and named; all
 * other failures are errors.
 *
 * @param query What to read, and by which connection.
 * @returns The objects. Rejects with a `UsageError` if neither policies nor what they target may be read, and with a `StatusError` or a
 * `TransportError` if the API server fails.
 */
export async function readCluster(query: ClusterQuery): Promise<ClusterReading> {
  const { transport, namespace, signal, onProgress } = query;
  const definitions = await read(query, definitionKind);
  const required = query.requiredKinds(definitions.isForbidden ? undefined : definitions.objects);
  const kinds = definitions.isForbidden
    ? await servedByDiscovery(transport, required, signal)
    : servedByDefinitions(required, definitions.objects);
  let done = 0;
  const show = (list: List): List => {
    if (!list.isForbidden) onProgress(++done, kinds.length);
    return list;
  };
  onProgress(done, kinds.length);
  const wide = await inParallel(kinds, kindsAtOnce, async (kind) => show(await read(query, kind)));
  const namespaces = namespacesToTry(wide, namespace);
  const lists = await inParallel(wide, kindsAtOnce, async (list) =>
    list.isForbidden ? show(await readWhereAllowed(query, list.kind, namespaces)) : list,
  );
  const all = [definitions, ...lists];
  const gaps = all.flatMap(({ kind, gap }) => (gap === undefined ? [] : [{ kind, namespaces: gap }]));
  const needed = lists.filter(({ kind }) => kind.group !== '');
  if (needed.length > 0 && needed.every(({ gap }) => gap?.length === 0)) {
    throw nothingReadable(
      gaps.filter((gap) => gap.namespaces.length === 0).map((gap) => gap.kind),
      namespace,
    );
  }
  return { kinds: [definitionKind, ...kinds], objects: all.flatMap(({ objects }) => objects), gaps };
}

/** The objects of a kind. */
interface List {
  readonly kind: ServedKind;
  readonly objects: readonly KubernetesObject[];
  /** Whether the kind may not be read in all namespaces. */
  readonly isForbidden: boolean;
  /** The namespaces in which the kind is read; `undefined` for all. */
  readonly gap?: readonly string[];
}

/** Reads a kind in one namespace, or in all. */
async function read({ transport, signal }: ClusterQuery, kind: ServedKind, namespace?: string): Promise<List> {
  const within = namespace === undefined ? {} : { namespace };
  try {
    return { kind, objects: await listObjects(transport, kind, { signal, ...within }), isForbidden: false };
  } catch (error) {
    if (isNotFound(error)) return { kind, objects: [], isForbidden: false }; // Its definition has just gone.
    if (!isForbidden(error)) throw error;
    return { kind, objects: [], isForbidden: true, gap: [] };
  }
}

/** Reads a kind in each namespace in which it may be read. */
async function readWhereAllowed(query: ClusterQuery, kind: ServedKind, namespaces: readonly string[]): Promise<List> {
  const tried = kind.namespaced ? namespaces : [];
  const lists = await inParallel(tried, 1, async (namespace) => ({
    namespace,
    ...(await read(query, kind, namespace)),
  }));
  const allowed = lists.filter((list) => !list.isForbidden);
  const objects = allowed.flatMap((list) => list.objects);
  return { kind, objects, isForbidden: false, gap: allowed.map(({ namespace }) => namespace) };
}

/** The current namespace, and all others as far as their names may be read. */
function namespacesToTry(lists: readonly List[], current: string): readonly string[] {
  const named = lists.find(({ kind }) => groupKindKey(kind) === groupKindKey({ group: '', kind: 'Namespace' }));
  const names = (named?.objects ?? []).map(({ metadata: { name } }) => name);
  return names.length > maxNamespaces ? [current] : [...new Set([current, ...names])];
}

function isForbidden(error: unknown): boolean {
  return error instanceof StatusError && error.code === 403;
}

function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.code === 404 && error.isFromApiServer;
}
