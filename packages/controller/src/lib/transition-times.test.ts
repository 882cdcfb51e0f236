import type { Clock } from '@policy-machinery/cluster';
import { isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, createWorld, gateway, route, timeouts } from './world.fixture.ts';

type World = ReturnType<typeof createWorld>;
type Replica = ReturnType<World['start']>;

const locators = [at.policy('slow'), at.policy('fast'), at.gateway('edge'), at.route('cart')];

/** The conditions of an object, by ancestor and type. */
function conditionsOf({ metadata: { uid = '' }, status }: KubernetesObject): ReadonlyMap<string, string> {
  if (!isJsonObject(status)) return new Map();
  const holders = [status, ...objectsIn(status.ancestors), ...objectsIn(status.parents)];
  return new Map(
    holders.flatMap((holder) => {
      const about = JSON.stringify(holder.ancestorRef ?? holder.parentRef ?? {});
      return objectsIn(holder.conditions).map(({ type, lastTransitionTime }) => {
        return [`${uid} ${about} ${type}`, String(lastTransitionTime)] as const;
      });
    }),
  );
}

/** A world in which policies flip between found and missing targets, and replicas whose clocks do not agree. */
function createReplicas() {
  const lease = { namespace: 'shop', name: 'timeouts' };
  const policies = [
    timeouts('slow', 'Gateway edge', { request: '10s' }),
    timeouts('fast', 'HTTPRoute cart', { idle: '1s' }),
  ];
  const world = createWorld({ objects: [gateway('edge'), route('cart', 'edge'), ...policies], controller: { lease } });
  const skews = [0, 0];
  const start = (index: number): Replica => {
    const { monotonic, setTimeout } = world.clock;
    const clock: Clock = { monotonic, setTimeout, now: () => world.clock.now() + (skews[index] ?? 0) };
    return world.start({ clock, lease: { ...lease, identity: `replica-${index}` } });
  };
  const replicas = [start(0), start(1)];
  let flips = 0;
  let known: ReadonlyMap<string, string> = new Map();
  return {
    get flips() {
      return flips;
    },
    /** Lets the replicas do their work, and checks what they have written. */
    async look() {
      await world.settle(6000);
      const objects = locators.flatMap((locator) => world.server.get(locator) ?? []);
      const now = new Map(objects.flatMap((object) => [...conditionsOf(object)]));
      for (const [condition, time] of now) {
        const before = known.get(condition) ?? time;
        expect(Date.parse(time), condition).toBeGreaterThanOrEqual(Date.parse(before));
        if (time !== before) flips += 1;
      }
      known = now;
    },
    flip() {
      if (world.server.get(at.gateway('edge')) === undefined) world.server.create(gateway('edge'));
      else world.server.delete(at.gateway('edge'));
    },
    skew(index: number, ms: number) {
      skews[index] = ms;
    },
    /** Stops a replica and starts it again. If it leads, the other one takes over. */
    async restart(index: number) {
      await replicas[index]?.stop();
      await world.settle(6000);
      replicas[index] = start(index);
    },
    async stop() {
      for (const replica of replicas) await replica.stop();
    },
  };
}

const hour = 3_600_000;
const replica = fc.nat({ max: 1 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('flip' as const) }) },
  fc.record({ do: fc.constant('skew' as const), replica, ms: fc.integer({ min: -hour, max: hour }) }),
  fc.record({ do: fc.constant('restart' as const), replica }),
);

describe('lastTransitionTime', () => {
  it('never goes back, for any clocks and any replica that acts', async () => {
    let flips = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const replicas = createReplicas();
        await replicas.look();
        for (const each of steps) {
          if (each.do === 'flip') replicas.flip();
          else if (each.do === 'skew') replicas.skew(each.replica, each.ms);
          else await replicas.restart(each.replica);
          await replicas.look();
        }
        await replicas.stop();
        flips += replicas.flips;
      }),
      { numRuns: Math.ceil(Number(process.env.PROPERTY_RUNS ?? 40) / 10) },
    );
    expect(flips).toBeGreaterThan(5);
  }, 600_000);

  it('stays unchanged when a replica starts again, or takes over', async () => {
    const replicas = createReplicas();
    await replicas.look();
    replicas.skew(1, -hour);
    await replicas.restart(0);
    await replicas.look();
    await replicas.restart(1);
    await replicas.look();
    expect(replicas.flips).toBe(0);
    await replicas.stop();
  });
});
