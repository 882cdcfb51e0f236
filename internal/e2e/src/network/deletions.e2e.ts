import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, connect, type Transport } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type AuditLog, createAuditLog } from '../audit.ts';
import { namespace, route, timeouts } from '../shop.ts';
import { auditedUser, type FrontedShop, startFrontedShop } from './fronted-shop.ts';
import { ownsConfigMaps, type ShopController, startShopController } from './shop-controller.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

const names = Array.from({ length: 100 }, (_, index) => `route-${index}`);
const everywhere = timeouts('everywhere', 'Gateway', 'edge', { defaults: { request: '10s' } });

describe.runIf(inject('cluster').isOwn)('the deletion of owned objects on a real API server', () => {
  const audit: AuditLog = createAuditLog(mkdtempSync(join(tmpdir(), 'deletions-')));
  let shop: FrontedShop;
  let direct: Connection;
  let proxied: Connection;
  let controller: ShopController;
  /** The status codes of all answers but those through the proxy. */
  const codes: number[] = [];
  const deletions = () => audit.read().filter(({ verb, resource }) => verb === 'delete' && resource === 'configmaps');
  const codesOf = (object: string) => deletions().flatMap(({ name, code }) => (name === object ? code : []));
  const removePolicy = (name: string) =>
    shop.run('delete', 'timeoutpolicies.timeouts.example.com', name, '-n', namespace);
  const ownsAll = () =>
    vi.waitFor(async () => expect([...(await shop.configMaps()).keys()].sort()).toEqual(names.toSorted()), patience);

  /** Sends the watch of ConfigMaps through the proxy, and all other requests to the API server itself. */
  const transport: Transport = {
    async request(request) {
      const isDelayed = request.path.endsWith('/configmaps') && request.query?.watch !== undefined;
      if (isDelayed) return proxied.request(request);
      const response = await direct.request(request);
      codes.push(response.status);
      return response;
    },
  };

  beforeAll(async () => {
    shop = await startFrontedShop({ flags: audit.flags });
    direct = await connect({ kubeconfig: shop.server.kubeconfig, context: auditedUser });
    proxied = await connect({ server: shop.proxy.url });
    await shop.apply(...names.map((name) => route(name, { name: 'edge' })), everywhere);
    controller = startShopController(transport, { ...ownsConfigMaps, lease: { namespace } });
    await ownsAll();
  });
  afterAll(async () => {
    await controller?.stop();
    for (const it of [direct, proxied]) it?.close();
    await shop?.close();
  });

  it('has the uid and the version of each object as preconditions', async () => {
    const before = await shop.configMaps();
    await removePolicy('everywhere');
    await vi.waitFor(() => expect(deletions().filter(({ code }) => code === 200)).toHaveLength(names.length), patience);
    const expected = names.map((name) => {
      const { uid, resourceVersion } = before.get(name)?.metadata ?? {};
      return { name, code: 200, sent: { preconditions: { uid, resourceVersion } } };
    });
    expect(byName(deletions())).toMatchObject(byName(expected));
    expect((await shop.configMaps()).size).toBe(0);
  });

  it('breaks no connection: no later request is answered with 400', async () => {
    await shop.apply(everywhere);
    await ownsAll();
    await vi.waitFor(() => shop.areCurrent('everywhere'), patience);
    expect(codes.filter((code) => code === 400)).toEqual([]);
    expect(controller.leading).toEqual([true]);
  });

  it('deletes an object that another client has changed meanwhile after it has read the object', async () => {
    shop.proxy.silence();
    await shop.run('annotate', 'configmap', 'route-0', '-n', namespace, 'example.com/note=mine');
    await shop.apply(route('route-0')); // Of no Gateway.
    await vi.waitFor(() => expect(codesOf('route-0')).toEqual([200, 409, 200]), patience);
  });

  it('keeps the object of a person who has deleted and created it again meanwhile', async () => {
    await shop.run('delete', 'configmap', 'route-1', '-n', namespace);
    await shop.run('create', 'configmap', 'route-1', '-n', namespace, '--from-literal=mine=yes');
    await removePolicy('everywhere');
    await vi.waitFor(() => expect(codesOf('route-1').length).toBeGreaterThan(1), patience);
    await controller.stop();
    expect(new Set(codesOf('route-1').slice(1))).toEqual(new Set([409]));
    const left = await shop.configMaps();
    expect([...left.keys()]).toEqual(['route-1']);
    expect(left.get('route-1')?.data).toEqual({ mine: 'yes' });
  });
});

const byName = <Item extends { readonly name: string }>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((one, other) => (one.name < other.name ? -1 : 1));
