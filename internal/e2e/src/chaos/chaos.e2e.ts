import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Connection, connect } from '@policy-machinery/cluster';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { planStatus } from '@policy-machinery/policy-status';
import { isJsonObject } from '@policy-machinery/resource';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from '../api-server.ts';
import { type AuditLog, createAuditLog } from '../audit.ts';
import { accessTo, kubectl } from '../cluster.ts';
import { installGatewayApi } from '../gateway-api.ts';
import { definition, namespace, TimeoutPolicy } from '../shop.ts';
import { Account, accountUser } from './account.ts';
import { ApiClient } from './api-client.ts';
import { changesOf, randomFrom } from './changes.ts';
import { freshTopology } from './fresh-topology.ts';
import {
  acceptedWrites,
  changingWrites,
  mostRefusedInARow,
  statusWritesIn,
  writesAtOnce,
  writesBack,
  writesWithoutLease,
} from './laws.ts';
import { type ReplicaProcess, startReplica } from './replica-process.ts';
import { controllerName, leaseTimes } from './settings.ts';

/** How many changes are made in all, and how many at a time. */
const count = Number(process.env.CHAOS_CHANGES ?? 1000);
const parallel = 8;
const seed = Number(process.env.CHAOS_SEED ?? 1);

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 200 };

describe.runIf(inject('cluster').isOwn)(`two controllers, through ${count} changes and all that can fail`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaos-'));
  const replicas: ReplicaProcess[] = [];
  /** What has happened beside the changes, so that a failure can be understood. */
  const met: Record<string, number> = {};
  let server: ApiServer;
  let audit: AuditLog;
  let account: Account;
  let connection: Connection;
  let client: ApiClient;
  let started = 0;

  const run = (...args: readonly string[]) => kubectl(accessTo(server.kubeconfig), args);
  const install = () =>
    kubectl(accessTo(server.kubeconfig), ['apply', '--server-side', '-f', '-'], JSON.stringify(definition));
  const start = async () => {
    started += 1;
    replicas.push(await startReplica(`replica-${started}`, account.kubeconfig));
  };
  const end = async (replica: ReplicaProcess, signal: NodeJS.Signals) => {
    replicas.splice(replicas.indexOf(replica), 1);
    await replica.end(signal);
  };
  const holder = async (): Promise<string> => {
    const { spec } = (await client.read('Lease', 'coordination.k8s.io/v1', 'chaos', 'chaos')) ?? {};
    return isJsonObject(spec) ? String(spec.holderIdentity) : '';
  };
  const leader = async (): Promise<ReplicaProcess> => {
    const name = await holder();
    const found = replicas.find(({ identity }) => identity === name);
    if (found === undefined) throw new Error(`"${name}" holds the lease, which is no replica that runs`);
    return found;
  };
  const someLeader = () => vi.waitFor(leader, patience);
  // Whose token is invalid has no name.
  const codes = (code: number) =>
    audit.read().filter(({ userAgent, ...it }) => userAgent.startsWith('replica-') && it.code === code).length;

  /** What goes wrong, in the order in which it does, at equal distances between the changes. */
  const faults: readonly (readonly [string, () => Promise<void>])[] = [
    [
      'the leader dies',
      async () => {
        const victim = await someLeader();
        await end(victim, 'SIGKILL');
        await start();
        await vi.waitFor(async () => expect(await holder()).not.toBe(victim.identity), patience);
      },
    ],
    [
      'the API server dies, comes back and has forgotten the past',
      async () => {
        await server.kill();
        await setTimeout(1000); // Changes and controllers meet a closed port.
        await server.start();
        server.compact();
      },
    ],
    [
      'the rights are taken, and given back',
      async () => {
        const before = codes(403);
        await account.takeRights();
        await vi.waitFor(() => expect(codes(403)).toBeGreaterThan(before), patience);
        await account.giveRights();
      },
    ],
    [
      'the definition of the policies is deleted, and created again',
      async () => {
        await run('delete', 'crd', definition.metadata.name);
        await vi.waitFor(install, patience);
      },
    ],
    [
      'the leader stands still, until another one leads',
      async () => {
        const victim = await someLeader();
        victim.child.kill('SIGSTOP');
        await vi.waitFor(async () => expect(await holder()).not.toBe(victim.identity), patience);
        await setTimeout(leaseTimes.retryPeriod);
        victim.child.kill('SIGCONT');
      },
    ],
    [
      'all tokens become invalid, and are replaced later',
      async () => {
        const before = codes(401);
        await account.rotateToken(() => vi.waitFor(() => expect(codes(401)).toBeGreaterThan(before), patience));
        await vi.waitFor(someLeader, patience);
      },
    ],
    [
      'the API server stands still',
      async () => {
        server.pause();
        await setTimeout(leaseTimes.leaseDuration);
        server.resume();
      },
    ],
    [
      'the leader is stopped',
      async () => {
        const stopped = await someLeader();
        await end(stopped, 'SIGTERM');
        await start();
        await vi.waitFor(async () => expect(await holder()).not.toBe(stopped.identity), patience);
      },
    ],
  ];

  beforeAll(async () => {
    audit = createAuditLog(folder);
    server = await startApiServer({ flags: audit.flags });
    await installGatewayApi(accessTo(server.kubeconfig));
    await install();
    await run('create', 'namespace', namespace);
    account = new Account(accessTo(server.kubeconfig), folder);
    await account.create();
    connection = await connect({ kubeconfig: server.kubeconfig });
    client = new ApiClient(connection);
    await start();
    await start();
    await someLeader();
  });
  afterAll(async () => {
    await Promise.all(replicas.map(({ end: stop }) => stop('SIGKILL')));
    connection?.close?.();
    await server?.close();
  });

  it('makes the changes, with faults of every kind', async () => {
    const changes = changesOf(count, randomFrom(seed));
    const distance = Math.floor(count / (faults.length + 1));
    let made = 0;
    let begun = 0;
    let last: Promise<void> = Promise.resolve();
    let lastButOne = last;
    const fail = async ([name, fault]: (typeof faults)[number]) => {
      const began = Date.now();
      await fault();
      met[name] = Date.now() - began;
    };
    // Changes go on while something fails, but the next thing fails only after the end of the last.
    const work = async () => {
      for (const change of changes) {
        const next = faults[begun];
        if (next !== undefined && made >= (begun + 1) * distance) {
          begun += 1;
          lastButOne = last;
          last = last.then(() => fail(next));
        }
        await lastButOne;
        await client.make(change);
        made += 1;
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    await last;
    expect(Object.keys(met)).toEqual(faults.map(([name]) => name));
  });

  it('reaches the statuses of a fresh plan', async () => {
    await vi.waitFor(
      async () => {
        const topology = await freshTopology(connection);
        const options = { controllerName, now: new Date() };
        const { writes, refused } = planStatus(effectivePolicies(topology, TimeoutPolicy), options);
        expect([writes.map(({ locator }) => locator), refused]).toEqual([[], []]);
      },
      { ...patience, interval: 1000 },
    );
  });

  it('has the objects of the API server in each replica', async () => {
    const { stateOf } = await import('./state.ts');
    await vi.waitFor(
      async () => {
        const states = await Promise.all(replicas.map((replica) => replica.state()));
        const expected = stateOf(await freshTopology(connection));
        expect(states).toEqual(replicas.map(() => expected));
      },
      { ...patience, interval: 1000 },
    );
  });

  describe('according to the record of the API server', () => {
    const writes = () => statusWritesIn(audit.read(), accountUser);

    it('has met the faults, and has written statuses', () => {
      expect([codes(401), codes(403)].every((it) => it > 0)).toBe(true);
      expect(writes().length).toBeGreaterThan(count / 20);
    });

    it('writes nothing without the lease', () => {
      expect(writesWithoutLease(audit.read(), writes())).toEqual([]);
    });

    it('has one write in flight to an object', () => {
      expect(writesAtOnce(writes())).toEqual([]);
    });

    it('writes no status that is older than the last', () => {
      expect(writesBack(writes())).toEqual([]);
    });

    it('makes at most 1.2 accepted requests for each write that changes something', () => {
      const all = writes();
      const [accepted, changing] = [acceptedWrites(all).length, changingWrites(all).length];
      const summary = `${all.length} requests to write statuses, ${accepted} accepted, ${changing} with a change`;
      console.log(`${count} changes: ${summary}`, met);
      expect(accepted).toBeLessThanOrEqual(1.2 * changing);
    });

    it('repeats a refused write to an object at most 12 times in a row', () => {
      // Pauses begin at 10 ms and double, so 12 repetitions take 40 s, however late the watch is. A hot loop takes no second.
      expect(mostRefusedInARow(writes())).toBeLessThanOrEqual(12);
    });

    it('goes quiet', async () => {
      const before = writes().length;
      await setTimeout(3000); // Long enough for a hot loop to show.
      expect(writes()).toHaveLength(before);
    });
  });
});
