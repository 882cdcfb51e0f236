import { setTimeout } from 'node:timers/promises';
import { type Connection, connect } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { route, timeouts } from '../shop.ts';
import { waitsLong } from '../waits-long.ts';
import type { NetworkFault } from './fault-proxy.ts';
import { type FrontedShop, startFrontedShop } from './fronted-shop.ts';
import { type ShopController, startShopController } from './shop-controller.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 200 };

const page = '<html><body><h1>Not now</h1></body></html>';
const pages = [301, 307, 400, 403, 404, 405, 407, 409, 413, 421, 422, 451, 502, 503];

/** The answers that a write may get which are none of the API server. */
const answers: readonly (readonly [what: string, fault: NetworkFault])[] = [
  ...pages.map((status) => [`a page of a load balancer with the status ${status}`, { status, body: page }] as const),
  ['a page of a load balancer with the status 200', { status: 200, body: page }],
  ['404 page not found', { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' }],
  ['200 {}', { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }],
  ['a cut connection', 'cut'],
  ['a connection that is cut when the API server has written', 'lose the answer'],
];

/** The shortest time for which a write waits that is refused, or that the API server asks to be sent later, in milliseconds. */
const pause = 30_000;

/** The answers after which the controller makes such a pause: they ask for an hour, or do not come. */
const pauses: readonly (readonly [what: string, fault: NetworkFault])[] = [
  ['429 with Retry-After: 3600', { status: 429, headers: { 'retry-after': '3600' }, body: 'Too many requests' }],
  ['silence', 'silence'],
];

describe.runIf(inject('cluster').isOwn)('a network between a controller and a real API server', () => {
  let shop: FrontedShop;
  let connection: Connection;
  let controller: ShopController;
  const policies = '/timeoutpolicies/';

  let edits = 0;
  /** Edits the policy, and waits until its status is about the edit. */
  const settleEdit = async (): Promise<void> => {
    edits += 1;
    await shop.apply(timeouts('slow', 'Gateway', 'edge', { defaults: { request: `${edits}s` } }));
    await vi.waitFor(() => shop.areCurrent('slow'), patience);
  };
  const writesOf = async (work: () => Promise<void>): Promise<number> => {
    const before = shop.proxy.requests.length;
    await work();
    return shop.proxy.requests.slice(before).filter((it) => it.startsWith('PATCH') && it.includes(policies)).length;
  };

  beforeAll(async () => {
    shop = await startFrontedShop();
    connection = await connect({ server: shop.proxy.url });
    controller = startShopController(connection);
    await shop.apply(route('cart', { name: 'edge' }));
    await settleEdit();
  });
  afterAll(async () => {
    await controller?.stop();
    connection?.close();
    await shop?.close();
  });

  it('hears at the start how each kind is served by one answer', () => {
    expect(shop.proxy.requests.filter((it) => it === 'GET /api')).toHaveLength(1);
    // Those about kinds that are not installed, for proof: each version once, unless half a second is over.
    const questions = shop.proxy.requests.filter((it) => /^GET \/apis?\/[^/?]+\/[^/?]+$/.test(it));
    const served = ['gatewayclasses', 'gateways', 'httproutes', 'grpcroutes', 'services', 'namespaces'];
    for (const kind of served) expect(shop.proxy.requests.some((it) => it.includes(`/${kind}?`))).toBe(true);
    expect(new Set(questions).size).toBeLessThan(served.length);
  });

  it.runIf(waitsLong)('is asked in an idle minute whether kinds are installed now, and nothing else', async () => {
    const before = shop.proxy.requests.length;
    await setTimeout(60_000);
    const requests = shop.proxy.requests.slice(before);
    expect(requests.every((it) => it === 'GET /apis')).toBe(true);
    expect(requests.length).toBeLessThanOrEqual(3);
  });

  it.each(answers)(
    'answers a write with %s: the status is current all the same, after one more write',
    async (_what, fault) => {
      shop.proxy.fail({ method: 'PATCH', path: policies, times: 1, fault });
      const began = performance.now();
      const writes = await writesOf(settleEdit);
      expect(performance.now() - began).toBeLessThan(pause);
      // If it was written and the answer was lost, the controller may see that before it writes again.
      expect(writes).toBeGreaterThanOrEqual(fault === 'lose the answer' ? 1 : 2);
      expect(writes).toBeLessThanOrEqual(3);
    },
  );

  it.runIf(waitsLong).each(pauses)(
    'answers a write with %s: the status is current after a pause, and one more write',
    async (_what, fault) => {
      shop.proxy.fail({ method: 'PATCH', path: policies, times: 1, fault });
      const writes = await writesOf(settleEdit);
      expect(writes).toBeGreaterThanOrEqual(2);
      expect(writes).toBeLessThanOrEqual(3);
    },
  );

  it('says above debug that writes fail', () => {
    const warned = controller.log.filter(({ level }) => level !== 'info').map(({ message }) => message);
    expect(warned).toContain('statuses of a kind cannot be written');
  });

  it('cuts all connections: the watches go on, and no change is missed', async () => {
    shop.proxy.cut();
    await settleEdit();
  });

  it.runIf(waitsLong).each([502, 404])(
    'answers watches with a page of a load balancer with the status %i: the kind is read when it is over',
    async (status) => {
      shop.proxy.fail({ method: 'GET', path: 'timeoutpolicies', times: 3, fault: { status, body: page } });
      shop.proxy.cut();
      await settleEdit();
    },
  );

  it.runIf(waitsLong)(
    'forgets its connections: they are opened again when they have been silent for too long',
    async () => {
      shop.proxy.silence();
      await settleEdit();
    },
  );
});
