import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import type { ObjectWrite } from '../../index.ts';
import { Gateway, HTTPRoute, route, routeLocator } from '../source/world.fixture.ts';
import { createGate, createWriting, statusWrite } from './writing.fixture.ts';

const ready = { ready: true };
const objects = ['a', 'b', 'c', 'd', 'e'].map((name) => route(name));

describe('createWriter', () => {
  it('writes, and puts the answer into the sources, so that the next plan is empty', async () => {
    const { want, settle, statusOf, sources, writes, results, writer } = await createWriting({ objects });
    // Events of the watch arrive later.
    want('a', ready);
    await settle();
    expect(statusOf('a')).toEqual(ready);
    expect(sources.get(routeLocator('a'))?.status).toEqual(ready);
    expect(statusWrite(sources, 'a', ready)).toBeUndefined();
    expect(writes()).toMatchObject([
      {
        path: '/apis/gateway.networking.k8s.io/v1/namespaces/shop/httproutes/a/status',
        query: { fieldManager: 'test' },
        headers: { 'content-type': 'application/json-patch+json' },
        status: 200,
      },
    ]);
    expect(results()).toEqual(['written']);
    await writer.idle();
  });

  it('sees its own writes even while the watch is down', async () => {
    const { want, settle, sources, server, writes } = await createWriting({ objects });
    server.addFaults({ at: 'watch httproutes', times: 50, do: 'refuse' });
    server.disconnect();
    want('a', ready);
    await settle();
    expect(sources.get(routeLocator('a'))?.status).toEqual(ready);
    want('a', { ready: false });
    await settle();
    expect(writes().map(({ status }) => status)).toEqual([200, 200]);
  });

  it('sends urgent writes first, and writes of the same priority in the order of arrival', async () => {
    const { want, settle, writes } = await createWriting({ objects }, { parallel: 1 });
    want('a', ready, 3);
    want('b', ready, 3);
    want('c', ready, 1);
    want('d', ready, 0);
    want('e', ready, 2);
    want('b', ready, 0);
    await settle();
    expect(writes().map(({ name }) => name)).toEqual(['a', 'd', 'b', 'c', 'e']);
  });

  it('sends only the newest plan for an object', async () => {
    const { want, settle, writes, statusOf } = await createWriting({ objects }, { parallel: 1 });
    want('a', ready);
    want('b', { attempt: 1 });
    want('b', { attempt: 2 });
    await settle();
    expect(writes()).toHaveLength(2);
    expect(statusOf('b')).toEqual({ attempt: 2 });
  });

  it('drops a waiting write when the plan no longer contains it', async () => {
    const { want, settle, writes } = await createWriting({ objects }, { parallel: 1 });
    want('a', ready);
    want('b', ready);
    want('b', {});
    want('c', ready);
    await settle();
    expect(writes().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('has one request in flight for each object, and plans the object again if another write came meanwhile', async () => {
    const { want, settle, writes, statusOf, replanned, server } = await createWriting({ objects });
    server.addFaults({ at: 'patch httproutes', do: { delay: 1000 } });
    want('a', { attempt: 1 });
    await settle(500);
    want('a', { attempt: 2 });
    await settle(400);
    expect(writes()).toHaveLength(1);
    await settle(200);
    expect(replanned).toEqual(['a']);
    expect(statusOf('a')).toEqual({ attempt: 2 });
    expect(writes().map(({ status }) => status)).toEqual([200, 200]);
  });

  it('sends no more at a time than allowed, and no faster', async () => {
    const many = Array.from({ length: 30 }, (_, index) => route(`route-${index}`));
    const rate = { perSecond: 10, burst: 5 };
    const { want, settle, writes } = await createWriting({ objects: many }, { rate, parallel: 3 });
    for (const { metadata } of many) want(metadata.name, ready);
    await settle();
    expect(writes()).toHaveLength(5);
    await settle(1000);
    expect(writes()).toHaveLength(15);
    await settle(10_000);
    expect(writes()).toHaveLength(30);
  });

  it('writes by server-side apply with that option, and never creates a deleted object again', async () => {
    const { want, settle, writes, server, statusOf } = await createWriting({ objects }, { form: 'apply' });
    want('a', ready);
    await settle();
    expect(statusOf('a')).toEqual(ready);
    expect(writes()).toMatchObject([
      { query: { fieldManager: 'test', force: 'true' }, headers: { 'content-type': 'application/apply-patch+yaml' } },
    ]);
    server.addFaults({ at: 'watch httproutes', do: 'forget' });
    server.delete(routeLocator('b'));
    want('b', ready);
    await settle();
    expect(server.get(routeLocator('b'))).toBeUndefined();
  });

  it('stops after the waiting writes, or after a time limit', async () => {
    const { want, settle, writer, server, writes } = await createWriting({ objects }, { parallel: 1 });
    want('a', ready);
    want('b', ready);
    const [left] = await Promise.all([writer.stop(), settle(1)]);
    expect(left).toBe(0);
    expect(writes()).toHaveLength(2);
    want('c', ready);
    await settle();
    expect(writes()).toHaveLength(2);

    const second = await createWriting({ objects });
    second.server.addFaults({ at: 'patch httproutes', do: 'halfOpen' });
    second.want('a', ready);
    const [unsent] = await Promise.all([second.writer.stop({ within: 5000 }), second.settle(5000)]);
    expect(unsent).toBe(1);
    expect(server).toBeDefined();
  });
});

describe('a stop', () => {
  it('does not wait for writes that cannot be made in time', async () => {
    const { want, settle, writer, server, clock } = await createWriting({ objects });
    server.addFaults({ at: 'patch httproutes', times: 100, do: { status: 500 } });
    want('a', ready);
    await settle(60_000);
    const began = clock.monotonic();
    const [left] = await Promise.all([
      writer.stop({ within: 5000 }).then((it) => [it, clock.monotonic()]),
      settle(9000),
    ]);
    expect(left).toEqual([1, began]);
  });
});

it('has many requests in flight without a warning of Node', async () => {
  const warnings: Error[] = [];
  const add = (warning: Error) => void warnings.push(warning);
  process.on('warning', add);
  const routes = Array.from({ length: 40 }, (_, index) => route(`route-${index}`));
  const { want, settle, server, writer } = await createWriting({ objects: routes }, { parallel: 40 });
  server.addFaults({ at: 'patch httproutes', times: 40, do: { delay: 1000 } });
  for (const { metadata } of routes) want(metadata.name, ready);
  await settle(1);
  expect(writer.sending).toBe(30);
  await settle();
  process.off('warning', add);
  expect(warnings).toEqual([]);
});

describe('another planner of a writer', () => {
  const others = ['x', 'y', 'z'];
  const ConfigMap = { group: '', kind: 'ConfigMap', versions: ['v1'] };
  const applied = ({ group, kind }: GroupKind, name: string): ObjectWrite => {
    const apiVersion = group === '' ? 'v1' : `${group}/v1`;
    const metadata = { name, namespace: 'shop' };
    const locator = `${groupKindKey({ group, kind })}:shop/${name}`;
    const ref = { group, kind, ...metadata };
    return { ref, locator, subresource: undefined, patch: [], apply: { apiVersion, kind, metadata }, action: 'apply' };
  };

  it('has its own outcomes, and cancels its own writes only', async () => {
    const { want, settle, writer, writes, results } = await createWriting(
      { objects },
      { rate: { perSecond: 1, burst: 1 } },
    );
    const outcomes: string[] = [];
    const queue = writer.queue<ObjectWrite>({
      planAgain: () => {},
      onOutcome: ({ write }) => outcomes.push(write.ref.name),
    });
    want('a', ready);
    want('b', ready);
    queue.write({
      ...applied(Gateway, 'b'),
      ref: { ...HTTPRoute, namespace: 'shop', name: 'b' },
      locator: routeLocator('b'),
    });
    queue.cancel(routeLocator('b'));
    await settle(10_000);
    expect(writes().map(({ name }) => name)).toEqual(['a', 'b']);
    expect([results(), outcomes]).toEqual([['written', 'written'], []]);
  });

  it('shares the rate and the requests in flight', async () => {
    const world = await createWriting({ watch: [Gateway, HTTPRoute], objects }, { rate: { perSecond: 1, burst: 3 } });
    const queue = world.writer.queue<ObjectWrite>({ planAgain: () => {} });
    for (const { metadata } of objects) world.want(metadata.name, ready);
    for (const name of others) queue.write(applied(Gateway, name));
    await world.settle();
    expect(world.writes()).toHaveLength(3);
    await world.settle(5000);
    expect(world.writes()).toHaveLength(8);
  });

  it('is not held up by kinds that take long: each takes three quarters of the requests that the others leave', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `object-${index}`);
    const watch = [Gateway, HTTPRoute, ConfigMap];
    const world = await createWriting({ watch, objects: names.map((name) => route(name)) }, { parallel: 8 });
    for (const at of ['patch httproutes', 'patch gateways']) {
      world.server.addFaults({ at, times: 40, do: { delay: 15_000 } });
    }
    const queue = world.writer.queue<ObjectWrite>({ planAgain: () => {} });
    for (const name of names) world.want(name, ready);
    await world.settle(1);
    expect(world.writes()).toHaveLength(6);
    for (const name of names) queue.write(applied(Gateway, name));
    await world.settle(1);
    expect(world.writes()).toHaveLength(7);
    for (const name of others) queue.write(applied(ConfigMap, name));
    await world.settle(1);
    expect(others.map((name) => world.server.get(`configmap:shop/${name}`)?.kind)).toEqual(Array(3).fill('ConfigMap'));
  });
});

describe('when the gate', () => {
  it('is closed, nothing is sent; when it opens, everything that waits is planned again', async () => {
    const gate = createGate(false);
    const { want, settle, writes, server, statusOf } = await createWriting({ objects }, { gate });
    want('a', ready);
    await settle(10_000);
    expect(writes()).toEqual([]);
    server.update(routeLocator('a'), (each) => ({ ...each, status: { by: 'another' } }));
    await settle();
    gate.set(true);
    await settle();
    expect(statusOf('a')).toEqual(ready);
    expect(writes().map(({ status }) => status)).toEqual([200]);
  });

  it('closes, requests in flight are aborted; they are planned again when it opens', async () => {
    const gate = createGate();
    const { want, settle, writes, server, replanned } = await createWriting({ objects }, { gate });
    server.addFaults({ at: 'patch httproutes', do: 'halfOpen' });
    want('a', ready);
    await settle();
    gate.set(false);
    await settle(60_000);
    expect(writes()).toHaveLength(1);
    gate.set(true);
    await settle();
    expect(replanned).toEqual(['a']);
  });

  it('opens, no write from before is sent while the others are planned again', async () => {
    const gate = createGate(false);
    const { want, settle, writes, replanned } = await createWriting({ objects }, { gate });
    for (const name of ['a', 'b']) want(name, ready);
    gate.set(true);
    await settle();
    expect(replanned).toEqual(['a', 'b']);
    expect(writes().map(({ status }) => status)).toEqual([200, 200]);
  });

  it('closes between a plan and its request, the request is not sent', async () => {
    const gate = createGate();
    const { want, settle, writes } = await createWriting({ objects }, { gate, rate: { perSecond: 1, burst: 1 } });
    want('a', ready);
    want('b', ready);
    await settle(500);
    gate.set(false);
    await settle(10_000);
    expect(writes().map(({ name }) => name)).toEqual(['a']);
  });
});
