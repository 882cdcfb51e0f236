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
 * @returns A promise that resolves when all objects of all kinds are there.
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
    let resolve = () => {};
    const listed = new Promise<void>((then) => {
      resolve = then;
    });
    const informer = makeInformer(config, path, async () => {
      const list = await api.list(apiVersion, kind.kind);
      setImmediate(resolve); // By then the informer has passed the objects on.
      return list;
    });
    const feed = feedInformer(topology, informer, kind, options);
    informer.on('error', (error) => {
      if (isStopping) return;
      onStopped(error);
      setTimeout(() => isStopping || informer.start(), pause);
    });
    informer.start();
    return { informer, feed, listed };
  });
  await Promise.all(informers.map(({ listed }) => listed));
  return {
    feeds: informers.map(({ feed }) => feed),
    async stop() {
      isStopping = true;
      await Promise.all(informers.map(({ informer }) => informer.stop()));
    },
  };
}
