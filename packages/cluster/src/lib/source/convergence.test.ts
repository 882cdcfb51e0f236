import type { Fault } from '@policy-machinery/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWorld, Gateway, HTTPRoute, object, type World } from './world.fixture.ts';

type Step = (world: World) => Promise<void> | void;

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const kinds = fc.constantFrom(Gateway, HTTPRoute);

/** Changes by other clients, which also happen while connections are down. */
const changes: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom('create', 'update', 'delete', 'recreate'), kinds, names)
  .map(([what, { kind, group }, name]) => ({ server }: World) => {
    const locator = `${kind}.${group}:shop/${name}`.toLowerCase();
    const isServed = server.get('namespace:shop') !== undefined && served(server, kind);
    if (!isServed) return;
    const exists = server.get(locator) !== undefined;
    if (exists && (what === 'delete' || what === 'recreate')) server.delete(locator);
    if (exists && what === 'update')
      server.update(locator, (each) => ({ ...each, spec: { at: server.resourceVersion } }));
    if (what === 'recreate' || (what === 'create' && !exists)) server.create(object(kind, name));
  });

const verbs = fc.constantFrom('watch httproutes', 'list httproutes', 'watch gateways', 'list gateways', 'get', '*');

/** All faults except `forget`: no client can know what a server never sends. */
const actions: fc.Arbitrary<Fault['do']> = fc.constantFrom<Fault['do'][]>(
  'refuse',
  'drop',
  'halfOpen',
  'gone',
  'garbage',
  'duplicate',
  { status: 500 },
  { status: 503, retryAfter: 3 },
  { status: 429, retryAfter: 2 },
  { status: 401 },
  { status: 422 },
  { delay: 5000 },
);

const faults: fc.Arbitrary<Step> = fc
  .record({ at: verbs, do: actions, after: fc.nat(2), times: fc.integer({ min: 1, max: 3 }) })
  .map(
    (fault) =>
      ({ server }: World) =>
        void server.addFaults(fault),
  );

const outages: fc.Arbitrary<Step> = fc.constantFrom<Step>(
  ({ server }) => server.compact(),
  ({ server }) => server.disconnect(),
  ({ server }) => server.restart(),
  ({ server }) => server.stop(),
  ({ server }) => server.start(),
  ({ server }) => (served(server, 'HTTPRoute') ? server.uninstall(HTTPRoute) : server.install(HTTPRoute)),
  ({ server }) => server.forbid('watch httproutes'),
  ({ server }) => server.allow(),
);

const waits: fc.Arbitrary<Step> = fc.constantFrom(0, 10, 500, 3000, 40_000, 400_000).map(
  (ms) =>
    ({ settle }) =>
      settle(ms),
);

const steps = fc.array(fc.oneof({ weight: 4, arbitrary: changes }, faults, { weight: 2, arbitrary: outages }, waits), {
  minLength: 20,
  maxLength: 40,
});

describe('sources', () => {
  it('have the objects of the server in the end, after any changes and faults', async () => {
    const runs = Number(process.env.PROPERTY_RUNS ?? 40);
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), fc.boolean(), async (script, watchLists, isSyncedFirst) => {
        const world = createWorld({ watchLists });
        const consumer = new Map<string, string | undefined>();
        if (isSyncedFirst) await world.settle();
        for (const step of script) {
          await step(world);
          follow(world, consumer);
        }
        // Faults that no request has met yet are left behind; time mends the rest.
        world.server.allow();
        world.server.start();
        if (!served(world.server, 'HTTPRoute')) world.server.install(HTTPRoute);
        await world.settle(3_600_000);
        follow(world, consumer);

        const expected = [...world.server.list(Gateway), ...world.server.list(HTTPRoute)].map(versionOf).sort();
        const actual = [...world.sources.objects(Gateway), ...world.sources.objects(HTTPRoute)].map(versionOf).sort();
        expect(actual).toEqual(expected);
        expect([...consumer.values()].sort()).toEqual(actual);
        expect([world.phaseOf(Gateway), world.phaseOf(HTTPRoute)]).toEqual(['synced', 'synced']);
        world.sources.close();
      }),
      { numRuns: runs },
    );
  });
});

function served(server: World['server'], kind: string): boolean {
  return (
    server.get(`customresourcedefinition.apiextensions.k8s.io:${kind.toLowerCase()}s.${Gateway.group}`) !== undefined
  );
}

/** Applies what has come out of the sources, as a controller would. */
function follow(world: World, consumer: Map<string, string | undefined>): void {
  for (const { upsert, remove } of world.takeEach()) {
    for (const each of upsert) {
      const locator = `${each.kind}.${Gateway.group}:shop/${each.metadata.name}`.toLowerCase();
      consumer.set(locator, versionOf(each));
    }
    for (const locator of remove) consumer.delete(locator);
  }
}

function versionOf({
  kind,
  metadata,
}: {
  kind: string;
  metadata: { name: string; uid?: string; resourceVersion?: string };
}) {
  return `${kind} ${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`;
}
