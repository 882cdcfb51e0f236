import { type KubeConfig, KubernetesObjectApi, makeInformer } from '@kubernetes/client-node';
import type { Topology } from '@policy-machinery/topology';
import { type FeedOptions, feedInformer, type InformerFeed } from '@policy-machinery/topology/client-node';

/** A topology that follows a cluster. */
export interface ClusterFeed {
  /** One feed for each kind. */
  readonly feeds: readonly InformerFeed[];
  stop(): Promise<void>;
}

/**
 * Keeps a topology up to date with a cluster, by an informer for each kind that it needs.
 *
 * @param onStopped Called with the error that stopped an informer. The informer starts again after `pause` milliseconds.
 * @returns A promise that resolves when each kind has been listed, or its first list has failed: `topology.unlistedKinds` has these.
 */
export async function followCluster(
  config: KubeConfig,
  topology: Topology,
  {
    pause,
    onStopped,
    ...options
  }: FeedOptions & { readonly pause: number; readonly onStopped: (error: unknown) => void },
): Promise<ClusterFeed> {
  const api = KubernetesObjectApi.makeApiClient(config);
  let isStopping = false;
  const informers = topology.requiredKinds.map((kind) => {
    const { group, versions, plural } = kind;
    const apiVersion = group === '' ? `${versions[0]}` : `${group}/${versions[0]}`;
    const path = `${group === '' ? '/api' : '/apis'}/${apiVersion}/${plural}`;
    const informer = makeInformer(config, path, () => api.list(apiVersion, kind.kind));
    const feed = feedInformer(topology, informer, kind, options);
    informer.on('error', (error) => {
      if (isStopping) return;
      onStopped(error);
      setTimeout(() => isStopping || feed.start(), pause);
    });
    return { informer, feed };
  });
  await Promise.all(informers.map(({ feed }) => feed.start()));
  return {
    feeds: informers.map(({ feed }) => feed),
    async stop() {
      isStopping = true;
      await Promise.all(informers.map(({ informer }) => informer.stop()));
    },
  };
}
