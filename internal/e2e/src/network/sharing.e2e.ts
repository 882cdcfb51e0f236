import { type Connection, connect, joinShards, type Shard } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type FrontedServer, startFrontedServer } from './fronted-server.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 20 };

const namespace = 'default';
const name = 'shared';
const keys = Array.from({ length: 40 }, (_, index) => `gateway.gateway.networking.k8s.io:shop/edge-${index}`);

describe.runIf(inject('cluster').isOwn)('members that share keys by a real API server', () => {
  let fronted: FrontedServer;
  let proxied: Connection;
  let direct: Connection;
  const members = new Map<string, Shard>();
  /** The keys that had several owners, which must not be. */
  const doubled = new Set<string>();

  const join = (identity: string, connection: Connection): Shard => {
    const shard = joinShards(connection, { namespace, name, identity });
    members.set(identity, shard);
    return shard;
  };
  const ownersOf = (key: string) => [...members].flatMap(([identity, shard]) => (shard.owns(key) ? [identity] : []));
  const owners = () => {
    const all = keys.map(ownersOf);
    for (const [index, of] of all.entries()) if (of.length > 1) doubled.add(`${keys[index]}: ${of.join(' and ')}`);
    return all.map((of) => of.join(' and '));
  };
  /**
   * Waits until some members know of each other and of no others, each key has one of them as its owner, and all of them own keys. Returns the owners.
   */
  const areSharedBy = async (...identities: readonly string[]): Promise<readonly string[]> => {
    const names = identities.map((it) => `${name}-${it}`).sort();
    return vi.waitFor(() => {
      const all = owners();
      for (const it of identities) expect([...(members.get(it)?.members ?? [])].sort()).toEqual(names);
      expect([...new Set(all)].sort()).toEqual([...identities].sort());
      return all;
    }, patience);
  };
  const until = (isSo: () => boolean) =>
    vi.waitFor(() => {
      owners();
      expect(isSo()).toBe(true);
    }, patience);
  const leaseOf = async (identity: string) =>
    JSON.parse(await fronted.run('get', 'lease', `${name}-${identity}`, '-n', namespace, '-o', 'json'));
  /** Closes each connection about Leases of the members behind the proxy. Returns a function that ends this. */
  const cutOff = () => {
    const faults = ['GET', 'PUT', 'POST', 'PATCH'].map((method) =>
      fronted.proxy.fail({ method, path: '/leases', times: Number.POSITIVE_INFINITY, fault: 'cut' }),
    );
    return () => {
      for (const end of faults) end();
    };
  };

  beforeAll(async () => {
    fronted = await startFrontedServer();
    proxied = await connect({ server: fronted.proxy.url });
    direct = await connect({ kubeconfig: fronted.server.kubeconfig });
    join('one', proxied);
    for (const identity of ['two', 'three']) join(identity, direct);
    await areSharedBy('one', 'two', 'three');
  });
  afterAll(async () => {
    await Promise.all([...members.values()].map((it) => it.release()));
    proxied?.close();
    direct?.close();
    await fronted?.close();
    expect([...doubled]).toEqual([]);
  });

  it('move keys to one that joins, and no others', async () => {
    const before = owners();
    join('four', direct);
    const after = await areSharedBy('one', 'two', 'three', 'four');
    expect(new Set(after.filter((owner, index) => owner !== before[index]))).toEqual(new Set(['four']));
  });

  it('move the keys of one that is released, and no others', async () => {
    const before = owners();
    await members.get('four')?.release();
    members.delete('four');
    const after = await areSharedBy('one', 'two', 'three');
    const moved = before.filter((owner, index) => owner !== after[index]);
    expect(new Set(moved)).toEqual(new Set(['four']));
  });

  it('own nothing when they cannot renew their Lease, before others act on their keys, and join again', async () => {
    const one = members.get('one');
    const before = owners();
    const goOn = cutOff();
    await until(() => one?.isHeld() === false);
    expect(owners()).toEqual(before.map((owner) => (owner === 'one' ? '' : owner)));
    await areSharedBy('two', 'three');
    goOn();
    await areSharedBy('one', 'two', 'three');
  });

  it('leave no key to a dead one when one joins right after its death', async () => {
    cutOff(); // For good.
    join('five', direct);
    const after = await areSharedBy('two', 'three', 'five');
    expect(after.filter((owner) => owner === 'five').length).toBeGreaterThan(0);
  });

  it('create a Lease again that somebody has deleted', async () => {
    await fronted.run('delete', 'lease', `${name}-two`, '-n', namespace);
    await vi.waitFor(async () => {
      owners();
      expect(await leaseOf('two')).toMatchObject({ spec: { holderIdentity: `${name}-two` } });
    }, patience);
    await areSharedBy('two', 'three', 'five');
  });

  it('act on nothing while one is alive that does not say which members it is about', async () => {
    const { apiVersion, kind, metadata, spec } = await leaseOf('two');
    const silent = { ...spec, holderIdentity: 'silent', renewTime: spec.renewTime };
    const labels = metadata.labels;
    await fronted.apply({ apiVersion, kind, metadata: { name: `${name}-silent`, namespace, labels }, spec: silent });
    await vi.waitFor(() => expect(new Set(owners())).toEqual(new Set([''])), patience);
    await areSharedBy('two', 'three', 'five');
  });

  it('have never owned a key together', () => {
    expect([...doubled]).toEqual([]);
  });
});
