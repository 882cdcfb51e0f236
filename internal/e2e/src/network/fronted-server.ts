import type { KubernetesObject } from '@policy-machinery/resource';
import { type ApiServer, type ApiServerOptions, startApiServer } from '../api-server.ts';
import { accessTo, kubectl, startProxy } from '../cluster.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

/** An API server behind a proxy that fails as networks do. */
export interface FrontedServer {
  readonly server: ApiServer;
  readonly proxy: FaultProxy;
  /** Runs kubectl on the API server itself, past the proxy. Returns its output. */
  run(...args: readonly string[]): Promise<string>;
  /** Applies objects, past the proxy. */
  apply(...items: readonly KubernetesObject[]): Promise<string>;
  /** Ends both. */
  close(): Promise<void>;
}

/** Starts an API server of its own with a proxy in front of it. */
export async function startFrontedServer(options: ApiServerOptions = {}): Promise<FrontedServer> {
  const server = await startApiServer(options);
  const access = accessTo(server.kubeconfig);
  const direct = await startProxy(access);
  const proxy = await startFaultProxy(direct.url);
  const list = (items: readonly KubernetesObject[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  return {
    server,
    proxy,
    run: (...args) => kubectl(access, args),
    apply: (...items) => kubectl(access, ['apply', '--server-side', '--force-conflicts', '-f', '-'], list(items)),
    async close() {
      await proxy.close();
      await direct.close();
      await server.close();
    },
  };
}
