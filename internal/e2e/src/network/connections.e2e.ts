<<<<<<< HEAD
import { type Connection, connect } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { timeouts } from '../shop.ts';
import { type FrontedShop, startFrontedShop } from './fronted-shop.ts';
import { type ShopController, startShopController } from './shop-controller.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

/** Fewer connections than the controller has kinds. */
const few = 4;

describe.runIf(inject('cluster').isOwn)('a load balancer that allows few connections to a real API server', () => {
  let shop: FrontedShop;
  let connection: Connection;
  let controller: ShopController;

  beforeAll(async () => {
    shop = await startFrontedShop();
    await shop.apply(timeouts('slow', 'Gateway', 'edge', { defaults: { request: '1s' } }));
    shop.proxy.limitConnections(few);
    connection = await connect({ server: shop.proxy.url });
    controller = startShopController(connection);
  });
  afterAll(async () => {
    await controller?.stop();
    connection?.close();
    await shop?.close();
  });

  it('delays the controller, which reports the limit and the remedy', async () => {
    await vi.waitFor(() => {
      const messages = controller.controller.heldUpBy.map(({ message }) => message);
      expect(messages.join('\n')).toContain('if a load balancer limits their number, raise the limit');
    }, patience);
    expect(controller.controller.isSynced).toBe(false);
  });

  it('delays the controller no longer when the limit is raised', async () => {
    shop.proxy.limitConnections(100);
    await vi.waitFor(() => shop.areCurrent('slow'), patience);
=======
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WatchedKind } from '@policy-machinery/cluster';
import { groupKindKey } from '@policy-machinery/resource';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type FollowedSources, followSources } from './followed-sources.ts';
import { type LimitedConnections, limitConnections } from './limited-connections.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 50 };

const cluster = inject('cluster');
const core = ['ConfigMap', 'Endpoints', 'Event', 'LimitRange', 'Namespace', 'Node', 'Pod', 'Secret', 'Service'];
const apps = ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'];
const kinds: readonly WatchedKind[] = [
  ...core.map((kind) => ({ group: '', kind, versions: ['v1'] })),
  ...apps.map((kind) => ({ group: 'apps', kind, versions: ['v1'] })),
];

describe.runIf(cluster.isOwn)('a load balancer that limits connections to a real API server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'connections-'));
  const kubeconfig = join(folder, 'kubeconfig');
  let balancer: LimitedConnections;
  let followed: FollowedSources;
  const isSynced = (kind: WatchedKind) => followed.stateOf(kind)?.phase === 'synced';

  beforeAll(async () => {
    const text = readFileSync(cluster.kubeconfig, 'utf8');
    const [address = '', port = ''] = /https:\/\/127\.0\.0\.1:(\d+)/.exec(text) ?? [];
    balancer = await limitConnections(Number(port), 14);
    writeFileSync(kubeconfig, text.replaceAll(address, `https://127.0.0.1:${balancer.port}`));
  });
  afterEach(() => followed.close());
  afterAll(() => {
    balancer?.close();
    rmSync(folder, { recursive: true });
  });

  it('needs to allow one for each kind, which discovery uses as well', async () => {
    followed = await followSources({ kubeconfig }, kinds);
    await vi.waitFor(() => expect(followed.sources.isSettled).toBe(true), patience);
    expect(kinds.filter(isSynced).map(groupKindKey)).toEqual(kinds.map(groupKindKey));
    expect([balancer.most, followed.failures]).toEqual([14, []]);
  });

  it('is named as the reason for each kind without a connection, which is read when the limit is raised', async () => {
    balancer.limit = 10;
    followed = await followSources({ kubeconfig }, kinds);
    await vi.waitFor(() => expect(kinds.filter(isSynced)).toHaveLength(10), patience);
    const others = kinds.filter((kind) => !isSynced(kind));
    await vi.waitFor(() => {
      for (const kind of others) {
        expect(followed.stateOf(kind)?.message).toMatch(
          /10 other connections .* if a load balancer limits their number/,
        );
      }
    }, patience);
    balancer.limit = 14;
    await vi.waitFor(() => expect(followed.sources.isSettled).toBe(true), patience);
>>>>>>> wt-transport
  });
});
