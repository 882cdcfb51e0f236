import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, connect } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type AuditLog, createAuditLog } from '../audit.ts';
import { namespace, route, timeouts } from '../shop.ts';
import { waitsLong } from '../waits-long.ts';
import { auditedUser, type FrontedShop, startFrontedShop } from './fronted-shop.ts';
import { ownsConfigMaps, type ShopController, startShopController } from './shop-controller.ts';
import { type SlowWebhook, startSlowWebhook } from './slow-webhook.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

/** How many renewals of the lease the slow writes last: one takes 2 s. Its holder must renew it every 10 s. */
const renewals = waitsLong ? 45 : 10;

/** More than may be written at a time. */
const names = Array.from({ length: waitsLong ? 61 : 16 }, (_, index) => `route-${index}`);

describe.runIf(inject('cluster').isOwn)('writes that a webhook makes slow on a real API server', () => {
  const audit: AuditLog = createAuditLog(mkdtempSync(join(tmpdir(), 'slow-')));
  let shop: FrontedShop;
  let webhook: SlowWebhook;
  let connection: Connection;
  let controller: ShopController;
  let release = () => {};
  /** The length of the log before the writes were slow. */
  let logged = 0;
  const succeeded = (verb: string, prefix: string) =>
    audit.read().filter((it) => it.verb === verb && it.resource.startsWith(prefix) && it.code === 200);
  const policyWrites = () => succeeded('patch', 'timeoutpolicies/status').length;
  const policies = (request: string) => names.map((name) => timeouts(name, 'HTTPRoute', name, { request }));

  beforeAll(async () => {
    shop = await startFrontedShop({ flags: audit.flags });
    await shop.apply(...names.map((name) => route(name, { name: 'edge' })), ...policies('1s'));
    connection = await connect({ kubeconfig: shop.server.kubeconfig, context: auditedUser });
    controller = startShopController(connection, { ...ownsConfigMaps, lease: { namespace } });
    await vi.waitFor(() => shop.areCurrent(...names), patience);
    await vi.waitFor(async () => expect((await shop.configMaps()).size).toBe(names.length), patience);
    const kinds = [
      { group: 'timeouts.example.com', resources: ['timeoutpolicies/status'] },
      { group: '', resources: ['configmaps'] },
    ];
    webhook = await startSlowWebhook({ namespace, kinds, within: 15 }, shop.apply);
    // The API server calls a new webhook a moment after it is registered.
    await vi.waitFor(async () => {
      await shop.run(
        'annotate',
        'configmap',
        'route-0',
        '-n',
        namespace,
        '--overwrite',
        `example.com/at=${Date.now()}`,
      );
      expect(webhook.asked).toBeGreaterThan(0);
    }, patience);
    logged = controller.log.length;
  });
  afterAll(async () => {
    release();
    await controller?.stop();
    connection?.close();
    await webhook?.close();
    await shop?.close();
  });

  it('do not delay the status of another kind', async () => {
    const [asked, written] = [webhook.asked, policyWrites()];
    release = webhook.hold();
    await shop.apply(...policies('2s'));
    await vi.waitFor(() => expect(webhook.asked).toBeGreaterThan(asked), patience);
    await shop.apply(route('other', { name: 'edge' }), timeouts('other', 'HTTPRoute', 'other', { request: '2s' }));
    const isOther = ({ name }: { readonly name: string }) => name === 'other';
    await vi.waitFor(() => expect(succeeded('patch', 'httproutes/status').some(isOther)).toBe(true), patience);
    expect(policyWrites()).toBe(written);
  });

  it('do not delay the renewal of the lease', async () => {
    const isRenewed = () => succeeded('update', 'leases').length;
    const before = isRenewed();
    await vi.waitFor(() => expect(isRenewed()).toBeGreaterThanOrEqual(before + renewals), patience);
    expect(controller.leading).toEqual([true]);
  });

  it('are all made', async () => {
    release();
    await vi.waitFor(() => shop.areCurrent(...names, 'other'), patience);
    await vi.waitFor(async () => {
      const specs = [...(await shop.configMaps()).values()].map(({ data }) => data.spec);
      expect(specs).toEqual(Array(names.length + 1).fill('{"request":"2s"}'));
    }, patience);
  });

  it('lead to no warning about the API server', () => {
    expect(controller.log.slice(logged).filter(({ level }) => level !== 'info')).toEqual([]);
  });
});
