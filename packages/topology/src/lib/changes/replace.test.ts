import { groupKindKey, groupKindOf, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDot } from '../drawing/dot.ts';
import { defineTargetKind } from '../model/define-target-kind.ts';
import type { Topology } from '../model/topology.ts';
import {
  artwork,
  exhibition,
  group,
  Museum,
  museum,
  namespace,
  TicketPolicy,
  targetKinds,
  ticketPolicy,
  world,
} from '../museum.fixture.ts';
import { createTopology } from '../topology.ts';

const museums = { group, kind: 'Museum' };
const louvre = museum('louvre');
const prado = museum('prado');
const id = { louvre: 'museum.culture.example.com:default/louvre', prado: 'museum.culture.example.com:default/prado' };

const keysOf = (kinds: Topology['requiredKinds']) => kinds.map(({ kind }) => kind);

describe('Topology.replace', () => {
  it('takes items of a list without version and kind, and refuses items of other kinds', () => {
    const topology = world();
    const items = [louvre, prado].map(({ apiVersion, kind, ...item }) => ({ apiVersion: undefined, ...item }));
    topology.replace(museums, items);
    expect(toDot(topology)).toBe(toDot(world(louvre, prado)));
    expect(() => topology.replace(museums, [{ kind: 'City', metadata: { name: 'paris' } }])).toThrow(
      /list\[0\]: it is a City/,
    );
  });

  it('replaces the resources of a kind by a complete list, and returns the effects', () => {
    const topology = world(louvre, exhibition('vinci'));
    expect(topology.replace(museums, [prado])).toEqual({
      added: [id.prado],
      removed: [id.louvre],
      changed: [],
      ignored: [],
    });
    expect([...topology.targets].map(({ ref }) => ref.name)).toEqual(['vinci', 'prado']);
  });

  it('replaces policies, Namespaces that are not targets, and ReferenceGrants', () => {
    const topology = createTopology({ targetKinds: [Museum], policyKinds: [{ ...TicketPolicy, targets: [Museum] }] });
    topology.apply({ upsert: [louvre, namespace('default'), ticketPolicy('p', { name: 'louvre' })] });
    topology.replace(TicketPolicy, [ticketPolicy('q', { name: 'louvre' })]);
    expect(topology.policiesAt(id.louvre).map(({ resource }) => resource.metadata.name)).toEqual(['q']);
    for (const kind of topology.requiredKinds) topology.replace(kind, []);
    expect([...topology.targets, ...topology.policies()]).toEqual([]);
  });

  it('removes resources that are being deleted and no longer count, too', () => {
    const Leaving = defineTargetKind({ group, kind: 'Museum', whileDeleting: 'is-gone' });
    const topology = createTopology({ targetKinds: [Leaving] });
    const metadata = { ...louvre.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    topology.apply({ upsert: [{ ...louvre, metadata }] });
    topology.replace(museums, []);
    expect(topology.issues).toEqual([]);
  });

  it('changes nothing if the list has the same versions of the same objects', () => {
    const versioned = (title: string): KubernetesObject => ({
      ...museum('louvre', { title }),
      metadata: { name: 'louvre', namespace: 'default', resourceVersion: '7' },
    });
    const topology = world(versioned('Louvre'));
    expect(topology.replace(museums, [versioned('Louvre')]).changed).toEqual([]);
    expect(topology.replace(museums, [versioned('Le Louvre')]).changed).toEqual([id.louvre]);
  });

  it('refuses objects of other kinds, and leaves the topology unchanged', () => {
    const topology = world(louvre);
    const other = { ...louvre, apiVersion: 'other.example.com/v1' };
    expect(() => topology.replace(museums, [prado, artwork('mona'), other])).toThrow(
      expect.objectContaining({
        code: 'invalid-resources',
        issues: [
          expect.objectContaining({ code: 'other-kind', message: expect.stringContaining('list[1]') }),
          expect.objectContaining({ code: 'other-kind', message: expect.stringContaining('list[2]') }),
        ],
      }),
    );
    expect([...topology.targets].map(({ locator }) => locator)).toEqual([id.louvre]);
    expect(topology.unlistedKinds).toEqual([]);
  });

  it.each([
    ['what is no list', 'louvre', 'list'],
    ['what is no object', [undefined], 'list[0]'],
    ['an object that is in the list twice', [louvre, louvre], 'list[0] and list[1]'],
  ])('refuses %s', (_, list, place) => {
    expect(() => world().replace(museums, list as never)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(place) }),
    );
  });

  it('refuses a kind that the topology does not have, or has in another case', () => {
    for (const kind of ['Circus', 'museum']) {
      expect(() => world().replace({ group, kind }, [])).toThrow(expect.objectContaining({ code: 'unknown-kind' }));
    }
  });
});

describe('Topology.replace, kind by kind', () => {
  const pool = [
    ...['a', 'b', 'c'].map((name) => museum(name, { wings: [{ name: 'w' }] })),
    ...['a', 'b'].map((name) => museum(name, { artworks: [{ name: 'x' }] })),
    ...['x', 'y'].map((name) => exhibition(name, { shownIn: [{ name: 'a', wing: 'w' }, { name: 'b' }] })),
    ...['x', 'y'].map((name) => artwork(name)),
    ...['p', 'q'].map((name) => ticketPolicy(name, { name: 'a' })),
    namespace('default'),
  ];
  const worlds = fc.subarray(pool).map((all) => [...new Map(all.map((it) => [locatorOf(it), it])).values()]);

  it('equals a topology of the listed resources, in any order of lists', () => {
    const kinds = fc.shuffledSubarray([...world().requiredKinds], { minLength: world().requiredKinds.length });
    fc.assert(
      fc.property(worlds, worlds, kinds, (before, after, order) => {
        const topology = world(...before);
        for (const kind of order) {
          const isOfKind = (it: KubernetesObject) => groupKindKey(groupKindOf(it)) === groupKindKey(kind);
          topology.replace(kind, after.filter(isOfKind));
        }
        expect(toDot(topology)).toBe(toDot(world(...after)));
        expect(topology.issues).toEqual(world(...after).issues);
      }),
    );
  });
});

describe('Topology.requiredKinds', () => {
  const kindsOf = (...kinds: readonly (readonly [kind: string, ...refersTo: readonly string[]])[]) => {
    const targetKinds = kinds.map(([kind, ...refersTo]) =>
      defineTargetKind({ group, kind, mayReferTo: (to) => refersTo.includes(to.kind) }),
    );
    return keysOf(createTopology({ targetKinds }).requiredKinds).slice(2);
  };

  it('come after the kinds that they may refer to, and otherwise in the order given', () => {
    expect(kindsOf(['Leaf', 'Branch'], ['Stone'], ['Branch', 'Tree'], ['Tree'])).toEqual([
      'Tree',
      'Branch',
      'Leaf',
      'Stone',
    ]);
    expect(kindsOf(['Egg', 'Hen'], ['Hen', 'Egg'])).toEqual(['Hen', 'Egg']);
  });

  it('says how to ask an API server for targets, policies, Namespaces and ReferenceGrants, each kind once', () => {
    const Gallery = defineTargetKind({ group, kind: 'Gallery', plural: 'galeries', versions: ['v2', 'v1'] });
    const Echo = defineTargetKind({ group, kind: 'Echo', derive: () => [] });
    const City = defineTargetKind({ group, kind: 'City', scope: 'Cluster' });
    const policyKinds = [{ ...TicketPolicy, targets: [Gallery] }];
    const topology = createTopology({ targetKinds: [Gallery, City, Echo], policyKinds });
    expect(topology.requiredKinds).toEqual([
      { group: '', kind: 'Namespace', plural: 'namespaces', versions: ['v1'], scope: 'Cluster' },
      {
        group: 'gateway.networking.k8s.io',
        kind: 'ReferenceGrant',
        plural: 'referencegrants',
        versions: ['v1', 'v1beta1'],
        scope: 'Namespaced',
      },
      { group, kind: 'Gallery', plural: 'galeries', versions: ['v2', 'v1'], scope: 'Namespaced' },
      { group, kind: 'City', plural: 'cities', versions: ['v1'], scope: 'Cluster' },
      {
        group: 'policies.example.com',
        kind: 'TicketPolicy',
        plural: 'ticketpolicies',
        versions: ['v1'],
        scope: 'Namespaced',
      },
    ]);
  });
});

describe('Topology.unlistedKinds', () => {
  it('are none for a topology without lists', () => {
    expect(world(louvre).unlistedKinds).toEqual([]);
  });

  it('are the required kinds without a list, from the first list on', () => {
    const topology = world(louvre);
    topology.replace(museums, [louvre]);
    expect(topology.unlistedKinds).toEqual(
      topology.requiredKinds.filter((it) => it.group !== museums.group || it.kind !== museums.kind),
    );
    for (const kind of topology.requiredKinds) topology.replace(kind, []);
    expect(topology.unlistedKinds).toEqual([]);
  });

  it('stay the same in another topology with a change applied, and when a list is refused', () => {
    const topology = world();
    topology.replace(museums, []);
    const before = keysOf(topology.unlistedKinds);
    expect(keysOf(topology.with({ upsert: [louvre] }).topology.unlistedKinds)).toEqual(before);
    expect(() => topology.replace({ group, kind: 'Artwork' }, [louvre])).toThrow();
    expect(keysOf(topology.unlistedKinds)).toEqual(before);
  });

  it('count for a kind of policies, unless they are other kinds of policies', () => {
    const Other = { ...TicketPolicy, kind: 'PricePolicy' };
    const topology = createTopology({ targetKinds, policyKinds: [TicketPolicy, Other] });
    for (const kind of topology.requiredKinds) if (!kind.kind.endsWith('Policy')) topology.replace(kind, []);
    expect(keysOf(topology.unlistedFor(TicketPolicy))).toEqual(['TicketPolicy']);
    topology.replace(TicketPolicy, []);
    expect(keysOf(topology.unlistedFor(TicketPolicy))).toEqual([]);
    expect(keysOf(topology.unlistedKinds)).toEqual(['PricePolicy']);
  });
});
