import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, connect } from '@policy-machinery/cluster';
import type { PolicyControllerOptions } from '@policy-machinery/controller';
import { everyRequestMeets, guaranteeDefinition, guaranteeKind } from '@policy-machinery/guarantees';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type AuditLog, createAuditLog } from '../audit.ts';
import { namespace, route, timeouts } from '../shop.ts';
import { auditedUser, type FrontedShop, startFrontedShop } from './fronted-shop.ts';
import { type Part, partsOf, writeIn } from './request-parts.ts';
import { ownsConfigMaps, startShopController } from './shop-controller.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

/** The parts of each write of a controller that its promises depend on. */
const promised: Readonly<Record<string, readonly Part[]>> = {
  'apply configmaps': ['fieldManager', 'force'],
  'delete configmaps': ['preconditions.uid', 'preconditions.resourceVersion'],
  'json-patch httproutes': ['fieldManager', 'resourceVersion'],
  'json-patch httproutes/status': ['fieldManager', 'resourceVersion'],
  'json-patch timeoutpolicies/status': ['fieldManager', 'resourceVersion'],
  'json-patch guarantees/status': ['fieldManager', 'resourceVersion'],
  'apply httproutes/status': ['fieldManager', 'force', 'uid', 'resourceVersion'],
  'apply timeoutpolicies/status': ['fieldManager', 'force', 'uid', 'resourceVersion'],
  'update leases': ['uid', 'resourceVersion'],
  'create leases': [],
};

describe.runIf(inject('cluster').isOwn)('a write, as a real API server has received it', () => {
  const audit: AuditLog = createAuditLog(mkdtempSync(join(tmpdir(), 'parts-')));
  let shop: FrontedShop;
  const sentBy = (userAgent: string) => audit.read().filter((it) => it.userAgent === userAgent);
  const writesBy = (userAgent: string) =>
    sentBy(userAgent).filter(({ verb }) => ['create', 'update', 'patch', 'delete'].includes(verb));

  /** Runs a controller from the creation of a policy until all is written that follows from its end. */
  const run = async (userAgent: string, options: Partial<PolicyControllerOptions>) => {
    const connection: Connection = await connect({
      kubeconfig: shop.server.kubeconfig,
      context: auditedUser,
      userAgent,
    });
    await shop.apply(route('cart', { name: 'edge' }), timeouts('slow', 'HTTPRoute', 'cart', { request: '10s' }));
    const controller = startShopController(connection, {
      ...ownsConfigMaps,
      finalizer: 'timeouts.example.com/cleanup',
      guarantees: {},
      lease: { namespace },
      ...options,
    });
    return { controller, connection };
  };
  const runForWrites = async (form: 'json-patch' | 'apply') => {
    const { controller, connection } = await run(form, { status: { form } });
    await vi.waitFor(() => shop.areCurrent('slow'), patience);
    await vi.waitFor(async () => expect([...(await shop.configMaps()).keys()]).toEqual(['cart']), patience);
    const renewals = () => writesBy(form).filter((it) => writeIn(it) === 'update leases').length;
    await vi.waitFor(() => expect(renewals()).toBeGreaterThan(1), patience);
    await shop.run('delete', 'timeoutpolicies.timeouts.example.com', 'slow', '-n', namespace);
    await vi.waitFor(async () => {
      expect((await shop.configMaps()).size).toBe(0);
      const { metadata } = await shop.read('httproute', 'cart');
      expect(metadata.finalizers ?? []).toEqual([]);
    }, patience);
    await controller.stop();
    connection.close();
  };

  beforeAll(async () => {
    shop = await startFrontedShop({ flags: audit.flags });
    await shop.apply(guaranteeDefinition);
    await shop.run('wait', '--for=condition=Established', 'crd', '--all');
    const { name, ...spec } = everyRequestMeets({ kind: 'TimeoutPolicy' });
    const { group, version, kind } = guaranteeKind;
    const guarantee = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec: { ...spec } };
    await vi.waitFor(() => shop.apply(guarantee), patience);
    await runForWrites('json-patch');
    await runForWrites('apply');
  });
  afterAll(() => shop?.close());

  it.each(Object.entries(promised))('contains each part that a promise depends on: %s', (write, wanted) => {
    const writes = [...writesBy('json-patch'), ...writesBy('apply')].filter((it) => writeIn(it) === write);
    expect(writes).not.toEqual([]);
    for (const it of writes) expect(partsOf(it)).toEqual(expect.arrayContaining([...wanted]));
  });

  it('is in this table', () => {
    const unknown = [...writesBy('json-patch'), ...writesBy('apply')].map(writeIn).filter((it) => !(it in promised));
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('is not made in a dry run', async () => {
    const { controller, connection } = await run('dry-run', { dryRun: true });
    const planned = () =>
      controller.log.filter(({ message }) => message.startsWith('dry run')).map(({ fields }) => fields.object);
    await vi.waitFor(() => expect(planned()).toEqual(expect.arrayContaining(['configmap:shop/cart'])), patience);
    await controller.stop();
    connection.close();
    // A watch is recorded when it has ended.
    await vi.waitFor(() => expect(sentBy('dry-run').map(({ verb }) => verb)).toContain('watch'), patience);
    expect(writesBy('dry-run')).toEqual([]);
  });
});
