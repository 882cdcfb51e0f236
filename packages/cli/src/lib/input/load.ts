import { knownKinds } from '@policy-machinery/known-kinds';
import { backendKinds, creatorKinds } from '@policy-machinery/known-kinds/inner';
import { type GroupKind, groupKindKey, type KubernetesObject } from '@policy-machinery/resource';
import { releasedDefinitions } from '@policy-machinery/schemas';
import { createTopology, type RequiredKind } from '@policy-machinery/topology';
import type { Environment } from '../model/environment.ts';
import { connectionFlags, longSpellingOf, type Options } from '../model/flags.ts';
import { UsageError } from '../model/usage-error.ts';
import type { Scope, World } from '../model/world.ts';
import { assumedGateways } from './assumed-gateways.ts';
import { describeGaps } from './cluster/gaps.ts';
import { type ClusterReading, readCluster } from './cluster/read-cluster.ts';
import { servedByDefinitions } from './cluster/served-kind.ts';
import { completeFor, everything, nothing } from './completeness.ts';
import { asStored } from './files/as-stored.ts';
import type { FileMemory } from './files/file-memory.ts';
import type { FileReading } from './files/file-reading.ts';
import { readFiles } from './files/files.ts';
import { inNamespace, placed } from './files/in-namespace.ts';
import { overlay } from './files/overlay.ts';
import { requiredKindsOf } from './kinds/hierarchies.ts';
import { findKinds } from './kinds/kinds.ts';
import { type OwnKinds, readOwnKinds } from './kinds/own-kinds.ts';
import { onlyNamespace } from './only.ts';
import { clusterNamespace, kubectlArgs } from './scope.ts';
import { createWorld } from './world.ts';

/** Receives the progress of a long read. */
export type OnProgress = (done: number, all: number) => void;

/**
 * Reads the world that the options name: files, the cluster, or the cluster with files applied.
 *
 * @param onProgress Called after each kind that is read in the cluster.
 * @returns The world. Rejects with a {@link UsageError} if the options do not fit or a file cannot be read, and with the error of the
 * cluster.
 */
export async function loadWorld(
  options: Options,
  environment: Environment,
  onProgress: OnProgress,
  purpose: Purpose = {},
): Promise<World> {
  const { ignoreStatus = options.ignoreStatus ?? false, memory } = purpose;
  const files = await readFiles(options, environment, memory, ignoreStatus);
  checkClusterFlags(options, files);
  const own = await readOwnKinds(options.kinds);
  const input: Input = { options: { ...options, ignoreStatus }, own, purpose };
  if (files !== undefined && options.live !== true) return worldOfFiles(input, files);
  return worldOfCluster(input, files, environment, onProgress);
}

/** The input of reading files and clusters. */
interface Input {
  readonly options: Options & { readonly ignoreStatus: boolean };
  readonly own: OwnKinds;
  readonly purpose: Purpose;
}

function commonParts({ options, own, purpose: { isList = false } }: Input, namespace: string | undefined) {
  const { ignoreStatus, showSecrets = false } = options;
  const scope = scopeOf(options, isList, namespace);
  return { definitions: own.definitions, ignoreStatus, showSecrets, namespace, scope };
}

async function worldOfFiles(input: Input, files: FileReading): Promise<World> {
  const { options, own, purpose } = input;
  const { namespace } = options;
  const defining = [...own.definitions, ...files.objects];
  const released = await releasedDefinitions(defining);
  const stored = asStored(files, defining, released);
  const found = findKinds(stored.objects, own, options, released);
  const reading = placed(stored, requiredKindsOf(found), namespace);
  return createWorld({
    ...reading,
    ...commonParts(input, namespace),
    isComplete: purpose.isWhole ? everything : nothing,
    assumed: purpose.assumesNothing ? [] : assumedGateways(reading.objects),
    found,
    released,
  });
}

async function worldOfCluster(
  input: Input,
  files: FileReading | undefined,
  environment: Environment,
  onProgress: OnProgress,
): Promise<World> {
  const { options, own, purpose } = input;
  const { also = [] } = purpose;
  const namespace = await clusterNamespace(options, environment);
  const cluster = await fromCluster(options, environment, { namespace, files, own, also, onProgress });
  const { kinds, gaps } = cluster;
  const defining = [...own.definitions, ...(files?.objects ?? []), ...cluster.objects];
  const released = await releasedDefinitions(defining);
  const namespacedKinds = kinds.filter(({ namespaced }) => namespaced);
  const above = files && inNamespace(asStored(files, defining, released), { kinds: namespacedKinds, namespace });
  const objects = above === undefined ? cluster.objects : overlay(cluster.objects, above.objects);
  return createWorld({
    ...above,
    ...commonParts(input, namespace),
    objects,
    found: findKinds(objects, own, options, released),
    released,
    gaps: describeGaps(gaps),
    isComplete: completeFor(cluster.asked, gaps),
    source: {
      kinds,
      gaps,
      servedKinds: (definitions) =>
        servedByDefinitions([...kindsNeeded(definitions, files, own, options), ...also], definitions),
      namespace,
      files: above?.objects ?? [],
    },
  });
}

export interface Purpose {
  /** Whether the answer is a list, which shows one namespace, as kubectl does. Default: no. */
  readonly isList?: boolean;
  /** Whether Gateways that nothing declares are missing. Default: they are assumed. */
  readonly assumesNothing?: boolean;
  /** Whether files stand for a whole cluster. Default: anything may be applied from elsewhere. */
  readonly isWhole?: boolean;
  /** Default: as the options say. */
  readonly ignoreStatus?: boolean;
  /** Kinds to read in a cluster beside those that policies need. Default: none. */
  readonly also?: readonly RequiredKind[];
  /** The earlier content of the same files. Default: nothing. */
  readonly memory?: FileMemory;
}

/** Returns the part of a world that an answer is about: the part that `--only` selects; for a list without it, the namespace of names. */
function scopeOf({ only, allNamespaces }: Options, isList: boolean, namespace: string | undefined): Scope {
  if (only !== undefined) return { namespace: onlyNamespace(only) };
  return { namespace: isList && allNamespaces !== true ? namespace : undefined };
}

interface ClusterPart {
  readonly namespace: string;
  readonly files: FileReading | undefined;
  readonly own: OwnKinds;
  readonly also: readonly RequiredKind[];
  readonly onProgress: OnProgress;
}

async function fromCluster(
  options: Options,
  { connect, signal }: Environment,
  { namespace, files, own, also, onProgress }: ClusterPart,
): Promise<ClusterReading> {
  const transport = await connect(kubectlArgs(options));
  try {
    return await readCluster({
      transport,
      namespace,
      signal,
      onProgress,
      requiredKinds(definitions) {
        const needed = [...kindsNeeded(definitions ?? [], files, own, options), ...also];
        // Without definitions, any known kind may be installed.
        return definitions === undefined ? [...needed, ...installable.filter(isNotIn(needed))] : needed;
      },
    });
  } finally {
    transport.close?.();
  }
}

/** The kinds of policies, backends and creators of routes that a cluster may have. */
const installable: readonly RequiredKind[] = [
  ...new Map<string, RequiredKind>(
    [
      ...createTopology({ targetKinds: backendKinds.map(({ kind }) => kind) }).requiredKinds,
      ...createTopology({ targetKinds: creatorKinds.map(({ kind }) => kind) }).requiredKinds,
      ...knownKinds,
    ].map((kind) => [groupKindKey(kind), kind]),
  ).values(),
];

/** Returns the kinds of objects that the policy kinds of these definitions and of files need. */
function kindsNeeded(
  definitions: readonly KubernetesObject[],
  files: FileReading | undefined,
  own: OwnKinds,
  options: Options,
): readonly RequiredKind[] {
  return requiredKindsOf(findKinds([...definitions, ...(files?.objects ?? [])], own, options));
}

function isNotIn(kinds: readonly GroupKind[]): (kind: GroupKind) => boolean {
  const keys = new Set(kinds.map(groupKindKey));
  return (kind) => !keys.has(groupKindKey(kind));
}

/** Refuses flags about the cluster, which is not read if there are files. */
function checkClusterFlags(options: Options, files: FileReading | undefined): void {
  if (files === undefined || options.live) return;
  const flag = [...connectionFlags, 'watch' as const].find((name) => options[name] !== undefined);
  if (flag === undefined) return;
  throw new UsageError(`${longSpellingOf(flag)} needs a cluster; add --live to lay the files over the cluster`);
}
