import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Connection, connect } from '@policy-machinery/cluster';
import { isJsonObject } from '@policy-machinery/resource';
import { bundle } from '../../../../examples/controller/src/bundle.ts';
import { startApiServer } from '../api-server.ts';
import { type AuditedRequest, createAuditLog } from '../audit.ts';
import { accessTo, kubectl } from '../cluster.ts';
import { deployExample, exampleUser, type Replica, startPod, writeServiceAccount } from '../example-deployment.ts';
import { installGatewayApi } from '../gateway-api.ts';
import { read } from './admin.ts';
import { namespace } from './objects.ts';

/** A cluster with the example of a controller, for the benchmark. */
export interface BenchCluster {
  /** The administrator's connection, and the kubeconfig behind it. */
  readonly connection: Connection;
  readonly kubeconfig: string;
  /** The replicas that run. */
  readonly replicas: Replica[];
  /** Starts another replica, and waits until it is ready. */
  start(): Promise<Replica>;
  /** Ends a replica. */
  end(replica: Replica, signal: NodeJS.Signals): Promise<void>;
  /** Returns the name of the replica that holds the lease. */
  holder(): Promise<string>;
  /** Returns the requests of the controllers so far by which they have written statuses. */
  statusWrites(): readonly AuditedRequest[];
  close(): Promise<void>;
}

/** Starts the cluster, without replicas. */
export async function startBenchCluster(): Promise<BenchCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const audit = createAuditLog(folder);
  const server = await startApiServer({ flags: audit.flags });
  const cluster = accessTo(server.kubeconfig);
  await installGatewayApi(cluster);
  await deployExample(cluster);
  await kubectl(cluster, ['create', 'namespace', namespace]);
  const env = await writeServiceAccount(cluster, folder);
  const program = join(folder, 'pod.mjs');
  await bundle(join(import.meta.dirname, 'pod.ts'), program);
  const connection = await connect({ kubeconfig: server.kubeconfig });
  const replicas: Replica[] = [];
  let started = 0;
  return {
    connection,
    kubeconfig: server.kubeconfig,
    replicas,
    async start() {
      started += 1;
      const replica = await startPod(`replica-${started}`, `${program} ${folder}`, env);
      replicas.push(replica);
      await until(async () => (await replica.probe('readyz')).status === 200);
      return replica;
    },
    async end(replica, signal) {
      replicas.splice(replicas.indexOf(replica), 1);
      await replica.end(signal);
    },
    async holder() {
      const path =
        '/apis/coordination.k8s.io/v1/namespaces/policies-system/leases/policies.shop.example.com-controller';
      const lease = await read(connection, path);
      return isJsonObject(lease) && isJsonObject(lease.spec) ? String(lease.spec.holderIdentity) : '';
    },
    statusWrites: () =>
      audit.read().filter((it) => it.user === exampleUser && it.verb === 'patch' && it.resource.includes('/status')),
    async close() {
      await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
      connection.close?.();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until something is so. Failures count as that it is not. */
export async function until(isSo: () => Promise<boolean>, every = 20): Promise<void> {
  const end = Date.now() + 300_000;
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > end) throw new Error(`after five minutes it is still not so: ${isSo}`);
    await setTimeout(every);
  }
}

/** Returns the sum of the values of a metric of a replica whose labels contain a text. */
export async function metricOf(replica: Replica, name: string, labels = ''): Promise<number> {
  const { text } = await replica.probe('metrics');
  const lines = text.split('\n').filter((line) => line.startsWith(name) && line.includes(labels));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Returns the resident memory of a process, in megabytes. */
export function residentMemory({ pid }: Replica): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}
