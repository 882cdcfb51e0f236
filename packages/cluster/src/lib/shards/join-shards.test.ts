import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinShards } from '../../index.ts';
import { createMembers, type Member, ownersOf } from './members.fixture.ts';

type World = ReturnType<typeof createMembers>;

/** Lets time pass. Returns the longest time that a key had no owner, in milliseconds; fails if a key has two. */
async function watched({ clock }: World, members: readonly Member[], ms: number, step = 100): Promise<number> {
  const without = ownersOf(members).map(() => 0);
  let longest = 0;
  for (let passed = 0; passed < ms; passed += step) {
    await clock.advance(step);
    for (const [index, owners] of ownersOf(members).entries()) {
      expect(owners.length, owners.join(' and ')).toBeLessThan(2);
      without[index] = owners.length === 0 ? (without[index] ?? 0) + step : 0;
      longest = Math.max(longest, without[index] ?? 0);
    }
  }
  return longest;
}

async function three() {
  const world = createMembers();
  const members = ['one', 'two', 'three'].map((it) => world.join(it));
  await watched(world, members, 10_000);
  return { world, members };
}

const countsOf = (members: readonly Member[]) => {
  const owners = ownersOf(members).flat();
  return members.map(({ identity }) => owners.filter((it) => it === identity).length);
};

describe('joinShards', () => {
  it('gives all keys to the only member', async () => {
    const world = createMembers();
    const one = world.join('one');
    expect(one.shard.isHeld()).toBe(false);
    await world.clock.advance(0);
    expect(countsOf([one])).toEqual([40]);
    expect(one.shard.members).toEqual(['timeouts-one']);
    await one.shard.release();
  });

  it('shares the keys among members that start together, each key with one of them', async () => {
    const { members, world } = await three();
    const counts = countsOf(members);
    expect(counts.reduce((sum, count) => sum + count)).toBe(40);
    expect(Math.min(...counts)).toBeGreaterThan(2);
    expect(await watched(world, members, 60_000)).toBe(0);
    expect(world.errors).toEqual([]);
  });

  it('moves keys to a new member only, and within seconds', async () => {
    const { members, world } = await three();
    const before = ownersOf(members);
    const four = world.join('four');
    expect(await watched(world, [...members, four], 10_000)).toBeLessThan(4000);
    const after = ownersOf([...members, four]);
    const moved = after.filter(([owner], index) => owner !== before[index]?.[0]);
    expect(moved.every(([owner]) => owner === 'four')).toBe(true);
    expect(moved.length).toBeGreaterThan(3);
    expect(moved.length).toBeLessThan(20);
  });

  it('leaves no key to a member that is dead, as one that joins sees when its Lease has run out', async () => {
    const { members, world } = await three();
    const [one, ...others] = members;
    one?.stop(); // For good.
    await watched(world, members, 14_000);
    const four = world.join('four');
    expect(await watched(world, [...others, four], 20_000)).toBeLessThan(4000);
    expect(countsOf([four])[0]).toBeGreaterThan(3);
  });

  it('moves no key from a member that has not let go of it yet, however late its answers are', async () => {
    const { members, world } = await three();
    for (const member of members) member.slow(1500);
    const four = world.join('four');
    await watched(world, [...members, four], 20_000);
    expect(countsOf([four])[0]).toBeGreaterThan(3);
  });

  it('moves the keys of a member that is released within seconds, and no others', async () => {
    const { members, world } = await three();
    const [one, ...others] = members;
    const before = ownersOf(members);
    await one?.shard.release();
    expect(await watched(world, others, 5000)).toBeLessThan(3000);
    for (const [index, [owner]] of ownersOf(others).entries()) {
      if (before[index]?.[0] !== 'one') expect(owner).toBe(before[index]?.[0]);
    }
  });

  it('moves the keys of a member that dies within 13 s', async () => {
    const { members, world } = await three();
    const [one, ...others] = members;
    one?.cut(true);
    one?.stop(); // For good.
    const longest = await watched(world, members, 20_000);
    expect(longest).toBeGreaterThan(8000);
    expect(longest).toBeLessThan(13_000);
    expect(countsOf(others).reduce((sum, count) => sum + count)).toBe(40);
  });

  it('ends for a member that cannot renew its Lease, 2 s before others act on its keys', async () => {
    const { members, world } = await three();
    const [one] = members;
    one?.cut(true);
    for (let left = 81; left > 0 && one?.shard.isHeld() === true; left -= 1) await watched(world, members, 100);
    expect(one?.shard.isHeld()).toBe(false);
    expect(await watched(world, members, 1800)).toBe(1800);
    await watched(world, members, 4000);
    expect(ownersOf(members).every((owners) => owners.length === 1)).toBe(true);
    one?.cut(false);
    expect(await watched(world, members, 10_000)).toBeLessThan(4000);
    expect(countsOf(members)[0]).toBeGreaterThan(4);
  });

  it('ends for a paused process when it resumes', async () => {
    const { members, world } = await three();
    const [one] = members;
    one?.stop();
    await watched(world, members, 30_000);
    one?.goOn();
    expect(one?.shard.isHeld()).toBe(false);
    expect(await watched(world, members, 10_000, 50)).toBeLessThan(4000);
    expect(countsOf(members)[0]).toBeGreaterThan(4);
  });

  it('waits for a Lease that somebody has deleted as long as its member may act', async () => {
    const { members, world } = await three();
    const [one] = members;
    one?.cut(true);
    world.server.delete('lease.coordination.k8s.io:policies/timeouts-one');
    expect(await watched(world, members, 20_000)).toBeLessThan(13_000);
    one?.cut(false);
    await watched(world, members, 10_000);
    expect(countsOf(members)[0]).toBeGreaterThan(4);
    expect(world.server.get('lease.coordination.k8s.io:policies/timeouts-one')).toBeDefined();
  });

  it('acts on no key as long as another member is alive that publishes nothing', async () => {
    const world = createMembers();
    const spec = { holderIdentity: 'mute', leaseDurationSeconds: 12, leaseTransitions: 0 };
    const metadata = {
      name: 'timeouts-mute',
      namespace: 'policies',
      labels: { 'policy-machinery/shards': 'timeouts' },
    };
    world.server.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
    const one = world.join('one');
    await world.clock.advance(11_000);
    expect(countsOf([one])).toEqual([0]);
    await world.clock.advance(3000);
    expect(countsOf([one])).toEqual([40]);
  });

  it('deletes Leases that have ended, after a minute', async () => {
    const { members, world } = await three();
    await members[0]?.shard.release();
    const lease = 'lease.coordination.k8s.io:policies/timeouts-one';
    await watched(world, members.slice(1), 30_000, 1000);
    expect(world.server.get(lease)).toBeDefined();
    await watched(world, members.slice(1), 60_000, 1000);
    expect(world.server.get(lease)).toBeUndefined();
  });

  it('refuses times that do not fit', () => {
    const options = { namespace: 'a', name: 'b', renewDeadline: 20_000 };
    expect(() => joinShards({ request: () => Promise.reject() }, options)).toThrow('the times of lease a/b do not fit');
  });
});

describe('for any members that come, go, stand still and lose their network', () => {
  const event = fc.record({
    who: fc.nat(3),
    what: fc.constantFrom('join', 'leave', 'cut', 'uncut', 'stop', 'goOn', 'slow', 'fast'),
    after: fc.integer({ min: 0, max: 14_000 }),
  });

  it('each key has one owner at most, and one again within 14 s after the last event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 12 }), async (events) => {
        const world = createMembers();
        const all: Member[] = [world.join('first')];
        const places: (Member | undefined)[] = [all[0]];
        for (const { who, what, after } of events) {
          const member = places[who];
          if (member === undefined && what === 'join') {
            places[who] = world.join(`m${all.length}`);
            all.push(...(places[who] === undefined ? [] : [places[who]]));
          } else if (what === 'leave' && member?.runs === true) {
            places[who] = undefined;
            void member.shard.release();
          } else if (what === 'cut' || what === 'uncut') member?.cut(what === 'cut');
          else if (what === 'slow' || what === 'fast') member?.slow(what === 'slow' ? 1500 : 0);
          else if (what === 'stop') member?.stop();
          else if (what === 'goOn') member?.goOn();
          await watched(world, all, after, 250);
        }
        for (const member of places) {
          member?.cut(false);
          member?.slow(0);
          member?.goOn();
        }
        if (places.every((it) => it === undefined)) return;
        expect(await watched(world, all, 40_000, 250)).toBeLessThanOrEqual(14_000);
        expect(ownersOf(all).every((owners) => owners.length === 1)).toBe(true);
      }),
      { numRuns: 15 },
    );
  });
});
