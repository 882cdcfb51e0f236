import { isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../world.fixture.ts';
import {
  createSharedWorld,
  expectOneWriter,
  gatewayAt,
  gatewayNames,
  policyAt,
  policyNames,
} from './replicas.fixture.ts';

type World = ReturnType<typeof createSharedWorld>;

const generationsIn = (object: KubernetesObject | undefined): readonly number[] => {
  const status = isJsonObject(object?.status) ? object.status : {};
  const entries = objectsIn(status.ancestors);
  return gatewayNames.map((name) => {
    const entry = entries.find(({ ancestorRef }) => isJsonObject(ancestorRef) && ancestorRef.name === name);
    const [condition] = objectsIn(entry?.conditions);
    return typeof condition?.observedGeneration === 'number' ? condition.observedGeneration : 0;
  });
};

/**
 * Lets time pass, in which each policy changes every two seconds. Returns the longest time in which some entry of a policy was behind, in milliseconds.
 * Fails if two replicas answer for a Gateway.
 */
async function changing(world: World, ms: number): Promise<number> {
  const { clock, server, answering } = world;
  const behindSince = new Map<string, number>();
  let longest = 0;
  for (let passed = 0; passed < ms; passed += 250) {
    if (passed % 2000 === 0) {
      for (const name of policyNames) {
        server.update(policyAt(name), ({ spec, ...it }) => ({
          ...it,
          spec: { ...Object(spec), request: `${clock.now()}ms` },
        }));
      }
    }
    await clock.advance(250);
    for (const name of gatewayNames) expect(answering(gatewayAt(name)).length).toBeLessThan(2);
    for (const name of policyNames) {
      const object = server.get(policyAt(name));
      for (const [index, generation] of generationsIn(object).entries()) {
        const entry = `${name} ${gatewayNames[index]}`;
        // An entry is written again with each change, so one that stands still for long has no writer.
        const written = `${entry} ${generation}`;
        if (!behindSince.has(written)) behindSince.set(written, clock.now());
        longest = Math.max(longest, clock.now() - (behindSince.get(written) ?? 0));
      }
    }
  }
  return longest;
}

async function startThree(world: World) {
  const replicas = ['one', 'two', 'three'].map((it) => world.start(it));
  await world.settle(10_000);
  return replicas;
}

const sharesIn = ({ answering }: World) => gatewayNames.map((name) => answering(gatewayAt(name)).join());

describe('replicas that share a cluster', () => {
  it('write the statuses of a single one, and then nothing', async () => {
    const world = createSharedWorld();
    await startThree(world);
    await world.settle(20_000);
    expect(new Set(sharesIn(world)).size).toBeGreaterThan(1);
    expectOneWriter(world.audit);
    for (const name of policyNames) expect(generationsIn(world.server.get(policyAt(name)))).toEqual([1, 1, 1, 1, 1, 1]);
    for (const name of gatewayNames) {
      expect(world.saidOn(gatewayAt(name))).toEqual(['timeouts.example.com/TimeoutPolicyAffected=True/PolicyAffected']);
    }
    const before = world.writes.length;
    await world.settle(600_000);
    expect(world.writes.slice(before)).toEqual([]);
    for (const replica of world.replicas) await replica.end();
  });

  it('leave no entry unwritten for 16 s, and write none twice, when one is killed', async () => {
    const world = createSharedWorld();
    const [, , three] = await startThree(world);
    await changing(world, 6000);
    const before = sharesIn(world);
    expect(before).toContain('three');
    three?.stop(); // For good.
    const longest = await changing(world, 30_000);
    expect(longest).toBeLessThan(16_000);
    expectOneWriter(world.audit);
    const after = sharesIn(world);
    expect(after.every((owner) => owner !== 'three' && owner !== '')).toBe(true);
    expect(after.filter((_, index) => before[index] !== 'three')).toEqual(before.filter((owner) => owner !== 'three'));
  });

  it('leave no entry unwritten for long when one joins, and move few of them', async () => {
    const world = createSharedWorld();
    await startThree(world);
    const before = sharesIn(world);
    world.start('four');
    expect(await changing(world, 20_000)).toBeLessThan(8000);
    expectOneWriter(world.audit);
    const moved = sharesIn(world).filter((owner, index) => owner !== before[index]);
    expect(new Set(moved)).toEqual(new Set(['four']));
  });

  it('are not written to by one that stood still and goes on, before it has its share again', async () => {
    const world = createSharedWorld();
    const [, , three] = await startThree(world);
    await changing(world, 6000);
    three?.stop();
    const longest = await changing(world, 30_000);
    expect(longest).toBeLessThan(16_000);
    three?.goOn();
    expect(gatewayNames.filter((name) => three?.controller.answersFor(gatewayAt(name)))).toEqual([]);
    expect(await changing(world, 20_000)).toBeLessThan(8000);
    expectOneWriter(world.audit);
    expect(sharesIn(world)).toContain('three');
  });

  it('hand everything over when they end cleanly, and one is left', async () => {
    const world = createSharedWorld();
    const [one, two, three] = await startThree(world);
    await one?.end();
    await two?.end();
    await world.settle(5000);
    expect(new Set(sharesIn(world))).toEqual(new Set(['three']));
    expect(await changing(world, 6000)).toBeLessThan(6000);
    expectOneWriter(world.audit);
    await three?.end();
    const leases = [...world.server.requests].filter(
      ({ verb, resource }) => verb === 'create' && resource === 'leases',
    );
    expect(leases).toHaveLength(3);
  });

  it('have one leader among them for the work of a leader, and all call', async () => {
    const calls = new Map<string, string[]>();
    const leading: string[] = [];
    const world = createSharedWorld();
    const replicas = ['one', 'two', 'three'].map((identity) =>
      world.start(identity, {
        onLeading: (isLeader) => void leading.push(`${identity} ${isLeader}`),
        onEffective: ({ cause, targets }) => {
          calls.set(identity, [...(calls.get(identity) ?? []), `${cause} ${targets.length}`]);
        },
      }),
    );
    await world.settle(20_000);
    expect(replicas.filter(({ controller }) => controller.isLeader)).toHaveLength(1);
    for (const { identity } of replicas) {
      expect(calls.get(identity)?.[0]).toBe('start 7');
      expect(new Set(calls.get(identity)?.slice(1))).toEqual(new Set(['takeover 7']));
    }
    const [leader] = replicas.filter(({ controller }) => controller.isLeader);
    expect(leading.at(-1)).toBe(`${leader?.identity} true`);
    await leader?.end();
    await world.settle(5000);
    expect(replicas.filter(({ controller }) => controller.isLeader)).toHaveLength(1);
  });
});

describe('owned objects of replicas that share a cluster', () => {
  it('are written once, by the replica that their target belongs to, and brought back by the one that it moves to', async () => {
    const world = createSharedWorld({
      owns: [{ group: '', kind: 'ConfigMap' }],
      onEffective({ targets, gone, apply }) {
        for (const target of targets.filter((it) => !gone.includes(it))) {
          const metadata = { name: target.split('/')[1] ?? '', namespace: 'shop' };
          apply(target, [{ apiVersion: 'v1', kind: 'ConfigMap', metadata }]);
        }
      },
    });
    const written = () =>
      world.server.requests.flatMap(({ verb, resource, name }) => {
        return resource === 'configmaps' && (verb === 'patch' || verb === 'delete') ? [`${verb} ${name}`] : [];
      });
    const [, , three] = await startThree(world);
    const names = [...gatewayNames.map((name) => `on-${name}`), 'on-all'];
    expect(written().sort()).toEqual(names.map((name) => `patch ${name}`).sort());
    await three?.end();
    await world.settle(5000);
    for (const name of names) world.server.delete(`configmap:shop/${name}`);
    await world.settle(5000);
    expect(names.map((name) => world.server.get(`configmap:shop/${name}`)?.kind)).toEqual(names.map(() => 'ConfigMap'));
    expect(written()).toHaveLength(2 * names.length);
    for (const replica of world.replicas.slice(0, 2)) await replica.end();
  });
});

describe('the options', () => {
  it('refuse a lease beside shards', () => {
    const both = { lease: { namespace: 'shop' }, shards: { namespace: 'shop' } };
    expect(() => createWorld().start(both)).toThrow('leave out lease');
  });
});
