import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Connection, connect } from '@policy-machinery/cluster';
import { policyManifests } from '@policy-machinery/controller';
import { isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { accountKubeconfig } from '../account-kubeconfig.ts';
import { type ApiServer, startApiServer } from '../api-server.ts';
import { type AuditLog, createAuditLog } from '../audit.ts';
import { ApiClient } from '../chaos/api-client.ts';
import { accessTo, kubectl } from '../cluster.ts';
import { installGatewayApi } from '../gateway-api.ts';
import { endProgram, startModule } from '../processes.ts';
import { gateway, namespace, route } from '../shop.ts';
import { entryWritesIn, longestGap, unfoundedChanges } from './entries.ts';
import { declared, home, leaseDuration } from './settings.ts';

type Process = Awaited<ReturnType<typeof startModule>>['child'];

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 200 };

/** So many that each replica that runs has one of its own. */
const gateways = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const policies = ['p', 'q', 'r'];
const group = 'gateway.networking.k8s.io';

/** Returns a policy on all Gateways. */
const policy = (name: string, request: string): KubernetesObject => ({
  apiVersion: 'timeouts.example.com/v1',
  kind: 'TimeoutPolicy',
  metadata: { name, namespace },
  spec: { targetRefs: gateways.map((it) => ({ group, kind: 'Gateway', name: it })), overrides: { request } },
});

describe.runIf(inject('cluster').isOwn)('three replicas that share a cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shards-'));
  const kubeconfig = join(folder, 'replica.kubeconfig');
  const processes = new Map<string, Process>();
  const changing = new AbortController();
  let server: ApiServer;
  let audit: AuditLog;
  let connection: Connection;
  let client: ApiClient;
  let changes: Promise<void>;

  const run = (args: readonly string[], input?: object) =>
    kubectl(accessTo(server.kubeconfig), args, input === undefined ? undefined : JSON.stringify(input));
  const requests = () => audit.read().filter(({ userAgent }) => userAgent.startsWith('replica-'));

  async function start(name: string): Promise<void> {
    const env = { KUBECONFIG: kubeconfig, NAME: name };
    processes.set(name, (await startModule(join(import.meta.dirname, 'replica.ts'), { env })).child);
  }

  /** Returns the replicas that have written entries since a time, by the Gateways of these. */
  function writersSince(time: number): ReadonlyMap<string, ReadonlySet<string>> {
    const writers = new Map<string, Set<string>>();
    for (const { entry, by, began } of entryWritesIn(requests())) {
      const [, name = ''] = entry.split(' at ');
      if (began >= time) writers.set(name, (writers.get(name) ?? new Set()).add(by));
    }
    return writers;
  }

  /** Waits until some replicas, and no others, have written to all Gateways, and all policies at each Gateway by one. */
  async function writtenBy(names: readonly string[]): Promise<void> {
    await vi.waitFor(async () => {
      const since = Date.now();
      await setTimeout(5000);
      const writers = writersSince(since);
      expect([...writers.keys()].sort()).toEqual(gateways);
      expect([...writers.values()].every((it) => it.size === 1)).toBe(true);
      expect([...new Set([...writers.values()].flatMap((it) => [...it]))].sort()).toEqual(names);
    }, patience);
  }

  async function createAccount(): Promise<void> {
    const items = policyManifests(declared, { namespace: home, name: home, image: 'none' });
    const needed = items.filter(({ kind }) => kind !== 'Deployment');
    await run(['apply', '--server-side', '-f', '-'], { apiVersion: 'v1', kind: 'List', items: needed });
    const account = { name: home, namespace: home };
    writeFileSync(kubeconfig, await accountKubeconfig(accessTo(server.kubeconfig), account), { mode: 0o600 });
  }

  beforeAll(async () => {
    audit = createAuditLog(folder);
    server = await startApiServer({ flags: audit.flags });
    await installGatewayApi(accessTo(server.kubeconfig));
    await run(['create', 'namespace', namespace]);
    await createAccount();
    connection = await connect({ kubeconfig: server.kubeconfig });
    client = new ApiClient(connection);
    for (const name of gateways) {
      for (const object of [gateway(name), route(`on-${name}`, { name })])
        await client.make({ object, isDeleted: false });
    }
    changes = (async () => {
      for (let count = 0; !changing.signal.aborted; count += 1) {
        for (const name of policies) await client.make({ object: policy(name, `${count}ms`), isDeleted: false });
        await setTimeout(1000);
      }
    })();
    await Promise.all(['replica-1', 'replica-2', 'replica-3'].map(start));
  });
  afterAll(async () => {
    changing.abort();
    await changes;
    await Promise.all([...processes.values()].map((child) => endProgram(child, 'SIGKILL')));
    connection?.close?.();
    await server?.close();
  });

  it('each write to their own Gateways, and each Gateway has one writer', async () => {
    await writtenBy(['replica-1', 'replica-2', 'replica-3']);
  });

  it('have others write to the Gateways of one that stands still', async () => {
    processes.get('replica-2')?.kill('SIGSTOP');
    await writtenBy(['replica-1', 'replica-3']);
  });

  it('share again with the one that goes on', async () => {
    processes.get('replica-2')?.kill('SIGCONT');
    await writtenBy(['replica-1', 'replica-2', 'replica-3']);
  });

  it('have others write to the Gateways of one that is killed, and share with a new one', async () => {
    processes.get('replica-3')?.kill('SIGKILL');
    await writtenBy(['replica-1', 'replica-2']);
    await start('replica-4');
    await writtenBy(['replica-1', 'replica-2', 'replica-4']);
  });

  it('write no entry before the former writer has let go of it, or its Lease has run out', () => {
    const writes = entryWritesIn(requests());
    expect(new Set(writes.map(({ by }) => by)).size).toBe(4);
    expect(unfoundedChanges(requests(), leaseDuration)).toEqual([]);
    console.info(`entries: ${writes.length} writes, the longest time without one ${longestGap(writes)} ms`);
  });

  it('are all current in the end', async () => {
    changing.abort();
    await changes;
    await vi.waitFor(async () => {
      for (const name of policies) {
        const object = await client.read('TimeoutPolicy', 'timeouts.example.com/v1', namespace, name);
        const status = isJsonObject(object?.status) ? object.status : {};
        const generations = objectsIn(status.ancestors).map(
          ({ conditions }) => objectsIn(conditions)[0]?.observedGeneration,
        );
        expect(generations).toEqual(gateways.map(() => object?.metadata.generation));
      }
    }, patience);
  });
});
