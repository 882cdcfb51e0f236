import { createInterface } from 'node:readline';
import { type Connection, connect, holdLease, type Lease } from '@policy-machinery/cluster';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { endProgram, startModule } from '../processes.ts';
import { type FrontedServer, startFrontedServer } from './fronted-server.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 20 };

const namespace = 'default';
/** How long a lease lasts without being renewed, in milliseconds. */
const duration = 13_000;

describe.runIf(inject('cluster').isOwn)('a lease on a real API server', () => {
  let fronted: FrontedServer;
  let proxied: Connection;
  let direct: Connection;
  const leases: Lease[] = [];
  const ends: (() => void | Promise<void>)[] = [];
  /** The moments in which several processes held one lease, which must not be. */
  const doubled: string[] = [];

  const candidate = (connection: Connection, name: string, identity: string): Lease => {
    const lease = holdLease(connection, { namespace, name, identity });
    leases.push(lease);
    return lease;
  };
  const holders = () => leases.filter((it) => it.isHeld());
  /** Waits, and watches that no two processes hold the lease at a time. */
  const until = (isSo: () => boolean) =>
    vi.waitFor(() => {
      if (holders().length > 1) doubled.push(`${holders().length} holders`);
      expect(isSo()).toBe(true);
    }, patience);
  const holderOf = async (name: string): Promise<string> => {
    const lease = JSON.parse(await fronted.run('get', 'lease', name, '-n', namespace, '-o', 'json'));
    return lease.spec.holderIdentity;
  };
  /** Closes each connection about Leases in place of an answer. Returns a function that ends this. */
  const cutOff = () => {
    const faults = ['GET', 'PUT', 'POST', 'PATCH'].map((method) =>
      fronted.proxy.fail({ method, path: '/leases', times: Number.POSITIVE_INFINITY, fault: 'cut' }),
    );
    const end = () => {
      for (const it of faults) it();
    };
    ends.push(end);
    return end;
  };
  /** Starts a process that takes a lease, and waits until it has done so. Returns the process with all that it has said since. */
  const holderProcess = async (name: string, identity: string) => {
    const args = [fronted.server.kubeconfig, namespace, name, identity];
    const { child, firstLine } = await startModule(`${import.meta.dirname}/lease-holder.ts`, { args });
    ends.push(() => endProgram(child, 'SIGKILL'));
    const said = [firstLine];
    if (child.stdout !== null) createInterface(child.stdout).on('line', (line) => said.push(line));
    await vi.waitFor(() => expect(said.at(-1)).toBe('held'), patience);
    return { child, said };
  };

  beforeAll(async () => {
    fronted = await startFrontedServer();
    proxied = await connect({ server: fronted.proxy.url });
    direct = await connect({ kubeconfig: fronted.server.kubeconfig });
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await Promise.all(leases.splice(0).map((it) => it.release()));
    expect(doubled).toEqual([]);
  });
  afterAll(async () => {
    proxied?.close();
    direct?.close();
    await fronted?.close();
  });

  it('passes to another process when it is released, long before it would have run out', async () => {
    const one = candidate(proxied, 'released', 'one');
    await until(() => one.isHeld());
    const two = candidate(direct, 'released', 'two');
    const began = performance.now();
    await one.release();
    await until(() => two.isHeld());
    const passed = performance.now() - began;
    console.info(`a lease that is released: taken after ${Math.round(passed)} ms`);
    expect(passed).toBeLessThan(duration);
    expect(await holderOf('released')).toBe('two');
  });

  it('ends for a holder that cannot renew it before another process takes it, and the holder is a candidate again', async () => {
    const one = candidate(proxied, 'cut-off', 'one');
    await until(() => one.isHeld());
    const two = candidate(direct, 'cut-off', 'two');
    const goOn = cutOff();
    await until(() => !one.isHeld());
    expect(two.isHeld()).toBe(false);
    await until(() => two.isHeld());
    goOn();
    await two.release();
    await until(() => one.isHeld());
  });

  it('is created again by its holder when somebody has deleted it, and no candidate takes it', async () => {
    const one = candidate(direct, 'deleted', 'one');
    await until(() => one.isHeld());
    const two = candidate(proxied, 'deleted', 'two');
    const asked = () => fronted.proxy.requests.filter((it) => it.includes('/leases/deleted')).length;
    await until(() => asked() > 0);
    await fronted.run('delete', 'lease', 'deleted', '-n', namespace);
    const before = asked();
    await until(() => asked() >= before + 3);
    await vi.waitFor(async () => expect(await holderOf('deleted')).toBe('one'), patience);
    expect(two.isHeld()).toBe(false);
    expect(one.isHeld()).toBe(true);
  });

  it('passes to another process after its holder has been killed', async () => {
    const { child } = await holderProcess('killed', 'one');
    const two = candidate(direct, 'killed', 'two');
    const began = performance.now();
    child.kill('SIGKILL');
    await until(() => two.isHeld());
    console.info(`a lease whose holder is killed: taken after ${Math.round(performance.now() - began)} ms`);
    expect(await holderOf('killed')).toBe('two');
  });

  it('is not held by a paused process, from the first moment after it resumes', async () => {
    const { child, said } = await holderProcess('stopped', 'one');
    const two = candidate(direct, 'stopped', 'two');
    child.kill('SIGSTOP');
    await until(() => two.isHeld());
    const before = said.length;
    child.kill('SIGCONT');
    await until(() => said.length > before);
    expect(said.slice(before)).toEqual(['not held']);
    expect(two.isHeld()).toBe(true);
  });
});
