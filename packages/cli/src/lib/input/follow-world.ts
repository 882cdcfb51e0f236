import type { RequiredKind } from '@policy-machinery/topology';
import type { Environment } from '../model/environment.ts';
import type { Options } from '../model/flags.ts';
import type { World } from '../model/world.ts';
import { followCluster } from './cluster/follow-cluster.ts';
import { FileMemory } from './files/file-memory.ts';
import { followFiles } from './files/follow-files.ts';
import { loadWorld, type OnProgress } from './load.ts';
import { kubectlArgs } from './scope.ts';

/** The callbacks while a world is followed. */
export interface Following {
  readonly onProgress: OnProgress;
  /** Called with the error if a change cannot be read: the world stays unchanged. */
  readonly onFault: (error: unknown) => void;
  /** Kinds to follow in a cluster beside those that policies need. Default: none. */
  readonly also?: readonly RequiredKind[];
}

/**
 * Follows the world that options name: its files, or the cluster. Files that are laid over a cluster are read once.
 *
 * @returns Yields the world, then each time that it has changed. Ends when the signal of the environment aborts. Rejects with the error if the
 * world cannot be read at first.
 */
export async function* followWorld(
  options: Options,
  environment: Environment,
  { onProgress, onFault, also = [] }: Following,
): AsyncGenerator<World> {
  const { filename = [], kustomize, recursive = false, live = false } = options;
  const { connect, signal } = environment;
  const memory = new FileMemory();
  const readAgain = () => loadWorld(options, environment, onProgress, { also, memory });
  const paths = [...filename, ...(kustomize === undefined ? [] : [kustomize])];
  if (paths.length > 0 && !live) {
    yield* followFiles({ paths, recursive: recursive || kustomize !== undefined, signal, read: readAgain, onFault });
    return;
  }
  const world = await readAgain();
  yield world;
  const { source } = world;
  if (source === undefined) return;
  const transport = await connect(kubectlArgs(options));
  try {
    yield* followCluster({ world, source, transport, signal, readAgain });
  } finally {
    transport.close?.();
  }
}
