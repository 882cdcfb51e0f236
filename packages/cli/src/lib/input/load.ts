import { createTopology } from '@policy-machinery/topology';
import type { Environment } from '../frame/environment.ts';
import type { Options } from '../frame/flags.ts';
import { UsageError } from '../frame/usage-error.ts';
import { type ClusterReading, readCluster } from './cluster/read-cluster.ts';
import { type FileReading, readFiles } from './files.ts';
import { findKinds } from './kinds.ts';
import { overlay } from './overlay.ts';
import { clusterNamespace, kubectlArgs } from './scope.ts';
import { targetKindsFor } from './target-kinds.ts';
import { createWorld, type World } from './world.ts';

/** Takes how far a long read has come. */
export type OnProgress = (done: number, all: number) => void;

/**
 * Reads the world that the options mean: files, the cluster, or files over the cluster.
 *
 * @param options The options of the command.
 * @param environment Files, kubectl and the cluster.
 * @param onProgress Called after each kind that is read in the cluster.
 * @returns The world. Rejects with a {@link UsageError} if the options do not fit or a file cannot be read, and with what the cluster
 * says.
 */
export async function loadWorld(options: Options, environment: Environment, onProgress: OnProgress): Promise<World> {
  const files = await readFiles(options, environment);
  checkClusterFlags(options, files);
  if (files !== undefined && options.live !== true) {
    const namespace = options.allNamespaces ? undefined : options.namespace;
    return createWorld({ ...files, found: await findKinds(files.objects, options), scope: { namespace } });
  }
  const namespace = await clusterNamespace(options, environment);
  const cluster = await fromCluster(options, environment, { namespace, files, onProgress });
  const objects = files === undefined ? cluster.objects : overlay(cluster.objects, files.objects);
  return createWorld({
    ...files,
    objects,
    found: await findKinds(objects, options),
    gaps: cluster.gaps,
    scope: { namespace: options.allNamespaces ? undefined : namespace },
  });
}

interface ClusterPart {
  readonly namespace: string;
  readonly files: FileReading | undefined;
  readonly onProgress: OnProgress;
}

async function fromCluster(
  options: Options,
  { connect, signal }: Environment,
  { namespace, files, onProgress }: ClusterPart,
): Promise<ClusterReading> {
  const transport = await connect(kubectlArgs(options));
  try {
    return await readCluster({
      transport,
      namespace,
      signal,
      onProgress,
      async requiredKinds(definitions) {
        const objects = [...(definitions ?? []), ...(files?.objects ?? [])];
        const { kinds } = await findKinds(objects, options, definitions === undefined);
        const policyKinds = kinds.map(({ kind }) => kind);
        return createTopology({ targetKinds: targetKindsFor(policyKinds, objects), policyKinds }).requiredKinds;
      },
    });
  } finally {
    transport.close?.();
  }
}

/** Flags that mean the cluster, which is not read if there are files. */
const clusterFlags = ['context', 'kubeconfig', 'as', 'asGroup', 'watch'] as const;

function checkClusterFlags(options: Options, files: FileReading | undefined): void {
  if (files === undefined || options.live) return;
  const flag = clusterFlags.find((name) => options[name] !== undefined);
  if (flag === undefined) return;
  const spelling = flag === 'asGroup' ? 'as-group' : flag;
  throw new UsageError(`--${spelling} is about the cluster; add --live to lay the files over what the cluster has`);
}
