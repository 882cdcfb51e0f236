import { describe, expect, it } from 'vitest';
import { createWriter, type ObjectWrite, type WriteOutcome } from '../../index.ts';
import { createWorld, HTTPRoute, route, routeLocator, type WorldOptions } from '../source/world.fixture.ts';

const applying = (name: string, spec: object): ObjectWrite => ({
  ref: { ...HTTPRoute, namespace: 'shop', name },
  locator: routeLocator(name),
  subresource: undefined,
  patch: [],
  apply: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name, namespace: 'shop' },
    spec: { ...spec },
  },
  action: 'apply',
});
const deleting = (name: string): ObjectWrite => ({ ...applying(name, {}), apply: {}, action: 'delete' });

async function createWriting(options: WorldOptions = {}) {
  const world = createWorld({ watch: [HTTPRoute], ...options });
  await world.settle();
  const outcomes: WriteOutcome[] = [];
  const writer = createWriter(world.server.transport, {
    sources: world.sources,
    fieldManager: 'routes.example.com',
    planAgain: () => {},
    onOutcome: (outcome) => outcomes.push(outcome),
    clock: world.clock,
  });
  return { ...world, writer, outcomes, results: () => outcomes.map(({ result }) => result) };
}

describe('a write that applies', () => {
  it('creates its object if there is none, and sets only its own fields if there is one', async () => {
    const { server, settle, writer, results } = await createWriting({
      objects: [route('cart', { hostnames: ['a.example'] })],
    });
    writer.write(applying('menu', { rules: [] }));
    writer.write(applying('cart', { rules: [] }));
    await settle();
    expect(results()).toEqual(['written', 'written']);
    expect(server.get(routeLocator('menu'))?.spec).toEqual({ rules: [] });
    expect(server.get(routeLocator('cart'))?.spec).toEqual({ hostnames: ['a.example'], rules: [] });
    writer.close();
  });

  it('is made once if its answer is lost', async () => {
    const { server, settle, writer } = await createWriting();
    server.addFaults({ at: 'patch httproutes', do: 'drop' });
    writer.write(applying('menu', { rules: [] }));
    await settle(60_000);
    expect(server.get(routeLocator('menu'))?.metadata.generation).toBe(1);
    writer.close();
  });
});

describe('a write that applies where the sources know no object', () => {
  it('does not take a 404 of a load balancer for the absence of an object of others', async () => {
    const unseen = { ...HTTPRoute, labelSelector: 'app=menu' };
    const { server, settle, writer } = await createWriting({ watch: [unseen], objects: [route('cart')] });
    server.addFaults({ at: 'get httproutes', do: { status: 404, text: '<html>no such page</html>' } });
    writer.write(applying('cart', { rules: [] }));
    await settle(1000);
    expect(server.get(routeLocator('cart'))?.spec).toEqual(route('cart').spec);
    writer.close();
  });
});

describe('a write that deletes', () => {
  it('deletes its object, and nothing if there is none', async () => {
    const { server, settle, writer, results } = await createWriting({ objects: [route('cart')] });
    writer.write(deleting('cart'));
    writer.write(deleting('unknown'));
    await settle();
    expect(server.get(routeLocator('cart'))).toBeUndefined();
    expect(results().sort()).toEqual(['gone', 'written']);
    writer.close();
  });

  it('spares an object that has changed after the sources have read it', async () => {
    const { server, settle, writer, results } = await createWriting({ objects: [route('cart')] });
    server.addFaults({ at: 'watch httproutes', do: 'forget' });
    server.update(routeLocator('cart'), (it) => ({ ...it, spec: { rules: [] } }));
    await settle();
    writer.write(deleting('cart'));
    await settle(5);
    expect(results()).toEqual(['conflict']);
    expect(server.get(routeLocator('cart'))).toBeDefined();
    writer.close();
  });
});

describe('a write that deletes the object it was planned for', () => {
  const deletingPlanned = (name: string, metadata: object): ObjectWrite => {
    return { ...deleting(name), apply: { metadata: { name, ...metadata } } };
  };

  it('is not sent when the sources have another object of the same name', async () => {
    const { server, settle, sources, writer, results } = await createWriting({ objects: [route('cart')] });
    const { uid = '', resourceVersion = '' } = sources.get(routeLocator('cart'))?.metadata ?? {};
    server.delete(routeLocator('cart'));
    server.create(route('cart'));
    await settle();
    writer.write(deletingPlanned('cart', { uid, resourceVersion }));
    await settle(60_000);
    expect(results()).toEqual(['outdated']);
    expect(server.get(routeLocator('cart'))).toBeDefined();
    writer.close();
  });

  it('has the preconditions of that object, whatever the sources know', async () => {
    const { server, settle, sources, writer } = await createWriting({ objects: [route('cart')] });
    const { resourceVersion = '' } = sources.get(routeLocator('cart'))?.metadata ?? {};
    writer.write(deletingPlanned('cart', { uid: 'another', resourceVersion }));
    await settle(5);
    const [request] = server.requests.filter(({ method }) => method === 'DELETE');
    expect(request).toMatchObject({ status: 409 });
    expect(server.get(routeLocator('cart'))).toBeDefined();
    writer.close();
  });
});

describe('an object that this writer applies and deletes again and again', () => {
  it('is written each time, because no other manager changes it', async () => {
    const { settle, writer, outcomes } = await createWriting();
    for (let round = 0; round < 4; round += 1) {
      writer.write(applying('menu', { rules: [] }));
      await settle(100);
      writer.write(deleting('menu'));
      await settle(100);
    }
    expect(outcomes.map(({ result, restorations = 0 }) => [result, restorations])).toEqual(
      Array(8).fill(['written', 0]),
    );
    writer.close();
  });

  it('is deleted less and less often if another client creates it again each time', async () => {
    const { server, settle, writer, outcomes, clock } = await createWriting();
    const rival = async () => {
      if (server.get(routeLocator('menu')) === undefined) server.create(route('menu'));
      await settle();
      writer.write(deleting('menu'));
    };
    for (let second = 0; second < 60; second += 1) {
      await rival();
      await clock.advance(1000);
    }
    expect(outcomes.map(({ restorations = 0 }) => restorations)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    writer.close();
  });
});
