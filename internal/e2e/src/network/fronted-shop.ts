import type { KubernetesObject } from '@policy-machinery/resource';
import { expect, vi } from 'vitest';
import type { ApiServerOptions } from '../api-server.ts';
import { accessTo } from '../cluster.ts';
import { installGatewayApi } from '../gateway-api.ts';
import { definition, gateway, namespace } from '../shop.ts';
import { startFrontedServer } from './fronted-server.ts';

interface ConfigMap extends KubernetesObject {
  readonly data: Readonly<Record<string, string>>;
}

/** A fronted API server with the kinds of the shop, its namespace and its Gateway `edge`. */
export type FrontedShop = Awaited<ReturnType<typeof startFrontedShop>>;

/** The user of {@link startFrontedShop} that may do everything, and that an audit log records. */
export const auditedUser = 'controller';

/** Starts the API server, with the kinds of the shop, its namespace and its Gateway `edge`. */
export async function startFrontedShop({ users = [], ...options }: ApiServerOptions = {}) {
  const fronted = await startFrontedServer({ ...options, users: [auditedUser, ...users] });
  const { run, apply } = fronted;
  await installGatewayApi(accessTo(fronted.server.kubeconfig));
  await apply(definition);
  await run('wait', '--for=condition=Established', 'crd', '--all');
  await run('create', 'clusterrolebinding', auditedUser, '--clusterrole=cluster-admin', `--user=${auditedUser}`);
  await run('create', 'namespace', namespace);
  await vi.waitFor(() => apply(gateway('edge')), { timeout: 300_000, interval: 200 });
  const read = async (...args: readonly string[]) =>
    JSON.parse(await run('get', ...args, '-n', namespace, '-o', 'json'));
  return {
    ...fronted,
    /** Returns what `kubectl get` reads in the namespace. */
    read,
    /** Throws unless the status of each policy is about the policy as it is. */
    async areCurrent(...policies: readonly string[]): Promise<void> {
      for (const name of policies) {
        const { metadata, status } = await read('timeoutpolicies.timeouts.example.com', name);
        const [condition] = status?.ancestors?.[0]?.conditions ?? [];
        expect(condition?.observedGeneration, name).toBe(metadata.generation);
      }
    },
    /** Returns the ConfigMaps in the namespace, by name. */
    async configMaps(): Promise<ReadonlyMap<string, ConfigMap>> {
      const items: readonly ConfigMap[] = (await read('configmaps')).items;
      return new Map(items.map((it) => [it.metadata.name, it]));
    },
  };
}
