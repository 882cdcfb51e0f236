import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { defineTargetKind } from './model/define-target-kind.ts';
import type { TargetKindDefinition } from './model/target-kind.ts';
import type { TargetNode } from './model/target-node.ts';
import {
  artwork,
  city,
  deepFrozen,
  exhibition,
  group,
  Museum,
  museum,
  names,
  namespace,
  TicketPolicy,
  targetKinds,
  ticketPolicy,
  world,
  written,
} from './museum.fixture.ts';
import { createTopology } from './topology.ts';

const louvre = museum('louvre', { wings: [{ name: 'denon' }] });
const vinci = exhibition('vinci', { shownIn: [{ name: 'louvre', wing: 'denon' }] });
const id = {
  louvre: 'museum.culture.example.com:default/louvre',
  denon: 'museum.culture.example.com:default/louvre#denon',
  vinci: 'exhibition.culture.example.com:default/vinci',
  policy: 'ticketpolicy.policies.example.com:default/p',
};
function fail(): never {
  throw new Error('broken');
}
const Theatre = defineTargetKind({ group, kind: 'Theatre', sections: { stage: { list: () => [] } } });
const nothing = { added: [], removed: [], changed: [], ignored: [] };

describe('createTopology', () => {
  it('refuses a kind that is given twice', () => {
    expect(() => createTopology({ targetKinds: [Museum, Museum] })).toThrow(
      expect.objectContaining({
        code: 'duplicate-kind',
        message: expect.stringContaining('museum.culture.example.com'),
      }),
    );
  });

  it.each([
    ['a declared target', { targets: [Museum, Theatre] }],
    ['an effective target', { effectiveTargets: [Theatre] }],
    ['a section', { targets: [Theatre.sections.stage] }],
  ])('refuses a policy kind with %s of a kind that it lacks, and names both', (_, change) => {
    expect(() => createTopology({ targetKinds, policyKinds: [{ ...TicketPolicy, ...change }] })).toThrow(
      expect.objectContaining({
        code: 'unknown-kind',
        issues: [
          {
            code: 'unknown-kind',
            severity: 'error',
            message:
              'TicketPolicy.policies.example.com targets Theatre.culture.example.com; add that kind to targetKinds',
          },
        ],
      }),
    );
  });

  it('counts a kind in another case as missing (X-02)', () => {
    const museum = defineTargetKind({ group, kind: 'museum' });
    const policyKinds = [{ ...TicketPolicy, targets: [museum] }];
    expect(() => createTopology({ targetKinds, policyKinds })).toThrow('targets museum.culture.example.com');
  });

  it('begins empty', () => {
    const topology = createTopology({ targetKinds });
    expect([...topology.targets]).toEqual([]);
    expect(topology.policies()).toEqual([]);
    expect(topology.issues).toEqual([]);
  });
});

describe('Topology.apply', () => {
  it('returns additions, including sections and policies', () => {
    expect(
      createTopology({ targetKinds, policyKinds: [TicketPolicy] }).apply({
        upsert: [louvre, ticketPolicy('p', { name: 'louvre' })],
      }),
    ).toEqual({ ...nothing, added: [id.louvre, id.denon, id.policy] });
  });

  it('lists the additions of a large load, whenever you read it', () => {
    const topology = createTopology({ targetKinds });
    const museums = Array.from({ length: 1500 }, (_, index) => museum(`m${index}`, { wings: [{ name: 'denon' }] }));
    const delta = topology.apply({ upsert: museums });
    topology.apply({ remove: museums.slice(7), upsert: [museum('m0')] });
    const locators = museums.map(({ metadata }) => `museum.culture.example.com:default/${metadata.name}`);
    const added = locators.flatMap((locator) => [locator, `${locator}#denon`]).sort();
    expect(delta).toEqual({ ...nothing, added });
  });

  it('returns removals, and the targets with lost links', () => {
    expect(world(louvre, vinci).apply({ remove: [louvre] })).toEqual({
      ...nothing,
      removed: [id.louvre, id.denon],
      changed: [id.vinci],
    });
  });

  it('replaces a resource', () => {
    const topology = world(louvre, vinci);
    const delta = topology.apply({ upsert: [museum('louvre', { wings: [{ name: 'sully' }] })] });
    expect(delta).toEqual({
      added: ['museum.culture.example.com:default/louvre#sully'],
      removed: [id.denon],
      changed: [id.vinci, id.louvre],
      ignored: [],
    });
  });

  it('counts targets and policies with changed attachments as changed', () => {
    const topology = world(ticketPolicy('p', { name: 'louvre' }));
    expect(topology.apply({ upsert: [louvre] })).toEqual({
      ...nothing,
      added: [id.louvre, id.denon],
      changed: [id.policy],
    });
    expect(topology.apply({ remove: [id.policy] })).toEqual({ ...nothing, removed: [id.policy], changed: [id.louvre] });
  });

  it('counts objects and sections as changed when their Namespace is added or removed', () => {
    const topology = world(louvre, city('paris'));
    const changed = { ...nothing, changed: [id.louvre, id.denon] };
    expect(topology.apply({ upsert: [namespace('default')] })).toEqual({ ...changed, added: ['namespace:default'] });
    expect(topology.apply({ remove: ['namespace:default'] })).toEqual({ ...changed, removed: ['namespace:default'] });
  });

  it('upserts and removes at once, and upserts resources in both lists', () => {
    const topology = world(louvre, vinci);
    expect(topology.apply({ upsert: [louvre, museum('orsay')], remove: [vinci, louvre] })).toEqual({
      ...nothing,
      added: ['museum.culture.example.com:default/orsay'],
      removed: [id.vinci],
      changed: [id.denon],
    });
  });

  it.each([
    ['a resource', louvre],
    ['a reference', { group, kind: 'Museum', namespace: 'default', name: 'louvre' }],
    ['a locator', id.louvre],
  ])('removes by %s', (_, item) => {
    const topology = world(louvre);
    topology.apply({ remove: [item] });
    expect([...topology.targets]).toEqual([]);
  });

  it('skips removals of missing resources', () => {
    expect(world(louvre).apply({ remove: [vinci, 'museum.culture.example.com:default/prado'] })).toEqual(nothing);
  });

  it('refuses removals that name no whole resource, and stays unchanged', () => {
    const topology = world(louvre);
    const section = { group, kind: 'Museum', namespace: 'default', name: 'louvre', section: 'denon' };
    const remove = [id.louvre, 'nonsense', '', id.denon, section, { ...section, name: '' }];
    const faulty = (message: string) =>
      expect.objectContaining({ code: 'invalid-locator', message: expect.stringContaining(message) });
    expect(() => topology.apply({ remove })).toThrow(
      expect.objectContaining({
        code: 'invalid-resources',
        issues: [
          faulty('remove[1]: "nonsense" is not a locator: write'),
          faulty('remove[2]: "" is not a locator: write'),
          faulty(`remove[3]: "${id.denon}" is a section, which goes with its resource; remove the resource, or`),
          faulty(`remove[4]: "${id.denon}" is a section`),
          faulty('remove[5]: '),
        ],
      }),
    );
    expect(topology.get(id.louvre)).toBeDefined();
  });

  it('names the places of both duplicates, whatever namespace a cluster-scoped one has', () => {
    const paris = { ...city('paris'), metadata: { name: 'paris', namespace: 'france' } };
    expect(() => world().apply({ upsert: [city('paris'), louvre, paris] })).toThrow(
      expect.objectContaining({
        issues: [
          {
            code: 'duplicate-resource',
            severity: 'error',
            resource: 'city.culture.example.com:paris',
            message: 'upsert[0] and upsert[2] are one resource; leave one out',
          },
        ],
      }),
    );
  });

  it('does nothing when there is nothing to do', () => {
    expect(world(louvre).apply({})).toEqual(nothing);
    expect(world(louvre).apply({ upsert: [louvre] })).toEqual(nothing);
  });

  it('lists resources of unknown kinds', () => {
    const theatre = { ...museum('odeon'), kind: 'Theatre' };
    const otherCase = { ...museum('prado'), kind: 'museum' };
    const topology = world();
    expect(topology.apply({ upsert: [theatre, otherCase] }).ignored).toEqual([
      'museum.culture.example.com:default/prado',
      'theatre.culture.example.com:default/odeon',
    ]);
    expect([...topology.targets]).toEqual([]);
  });

  it('puts a namespaced resource without a namespace into default, and ignores the namespace of a cluster-scoped one', () => {
    const { apiVersion, kind } = louvre;
    const topology = world({ apiVersion, kind, metadata: { name: 'prado' } });
    topology.apply({ upsert: [{ ...city('madrid'), metadata: { name: 'madrid', namespace: 'default' } }] });
    expect([...topology.targets].map(({ locator }) => locator)).toEqual([
      'city.culture.example.com:madrid',
      'museum.culture.example.com:default/prado',
    ]);
  });

  it('counts versions of a kind as the same resource', () => {
    const topology = world(louvre);
    expect(topology.apply({ upsert: [{ ...louvre, apiVersion: `${group}/v1beta1` }] }).changed).toEqual([
      id.louvre,
      id.denon,
    ]);
  });

  it('refuses all values that are not a Kubernetes object, or duplicates, at once, and stays unchanged', () => {
    const topology = world(louvre);
    const upsert = [
      vinci,
      null,
      5,
      [],
      { kind: 'Museum' },
      vinci,
      museum('a#b'),
      museum('a', {}, 'b/c'),
    ] as KubernetesObject[];
    const remove = [null, {}, { metadata: {} }] as unknown as KubernetesObject[];
    const faulty = (place: string) => ({ code: 'no-kubernetes-object', message: expect.stringContaining(place) });
    expect(() => topology.apply({ upsert, remove })).toThrow(
      expect.objectContaining({
        code: 'invalid-resources',
        issues: [
          ...[1, 2, 3, 4].map((index) => faulty(`upsert[${index}]: `)),
          {
            code: 'duplicate-resource',
            resource: id.vinci,
            message: expect.stringContaining('upsert[0] and upsert[5]'),
          },
          ...[6, 7].map((index) => faulty(`upsert[${index}]: `)),
          ...[0, 1, 2].map((index) => faulty(`remove[${index}]: `)),
        ].map((issue) => expect.objectContaining(issue)),
      }),
    );
    expect(names(topology.targets)).toEqual(['louvre', 'louvre#denon']);
  });

  it('keeps frozen resources unchanged', () => {
    const resources = deepFrozen([louvre, vinci, city('paris'), ticketPolicy('p', { name: 'louvre' })]);
    const before = structuredClone(resources);
    const topology = world(...resources);
    topology.apply({ upsert: resources });
    topology.apply({ remove: resources });
    expect(resources).toEqual(before);
    expect(world(louvre).get(id.louvre)?.resource).toBe(louvre);
  });

  it('costs only one resource when a function of its kind throws', () => {
    const topology = world(louvre, vinci, artwork('broken', { frame: {}, sides: [{ frame: {} }, { frame: 'oak' }] }));
    expect(topology.issues).toMatchObject([
      { code: 'unreadable-resource', resource: 'artwork.culture.example.com:default/broken' },
      { code: 'unreadable-resource', resource: 'artwork.culture.example.com:default/broken#1' },
    ]);
    expect(names(topology.targets)).toEqual(['broken', 'broken#1', 'broken#2', 'vinci', 'louvre', 'louvre#denon']);
    expect(topology.unresolved).toHaveLength(1);
  });

  it.each<[string, Partial<TargetKindDefinition>]>([
    ['sections', { sections: { wing: { list: fail } } }],
    ['names of sections', { sections: { wing: { list: () => [{ value: {} }], nameOf: fail } } }],
    ['references', { references: fail }],
    [
      'references halfway',
      {
        references: function* () {
          yield* [];
          fail();
        },
      },
    ],
    ['references of sections', { sections: { wing: { list: () => [{ value: {} }], references: fail } } }],
    [
      'sections that a reference means',
      {
        references: () =>
          [{ direction: 'up', to: { group, kind: 'Museum', name: 'louvre' }, toSections: fail, pointer: '' }] as const,
      },
    ],
  ])('costs only one resource when reading its %s throws', (_, functions) => {
    const topology = createTopology({
      targetKinds: [Museum, defineTargetKind({ group, kind: 'Broken', ...functions })],
    });
    topology.apply({ upsert: [louvre, { ...museum('x'), kind: 'Broken' }] });
    expect(topology.issues).toMatchObject([
      { code: 'unreadable-resource', message: 'cannot be read: broken; correct the resource' },
    ]);
    expect(names(topology.targets)).toEqual(expect.arrayContaining(['x', 'louvre', 'louvre#denon']));
  });
});

describe('Topology', () => {
  const old = world(louvre, vinci, ticketPolicy('p', { name: 'louvre', sectionName: 'denon' }));
  const held = { denon: old.get(id.denon), vinci: old.get(id.vinci), louvre: old.get(id.louvre) };
  old.apply({
    remove: [vinci, id.policy],
    upsert: [exhibition('goya', { shownIn: [{ name: 'louvre', wing: 'denon' }] })],
  });
  const goya = 'exhibition.culture.example.com:default/goya';

  it('answers as of the last change for a node from before the change', () => {
    const denon = held.denon as TargetNode;
    expect(names(old.children(denon))).toEqual(['goya']);
    expect(names(old.parents(denon))).toEqual(['louvre']);
    expect(names(old.descendants(held.louvre as TargetNode))).toEqual(['goya', 'louvre#denon']);
    expect(old.policiesAt(denon)).toEqual([]);
    expect(written(old.paths(denon, goya))).toEqual(['louvre#denon > goya']);
    expect(old.get(denon)).toBe(denon);
  });

  it('stays unchanged if a function of a kind throws where that is not an issue of one resource', () => {
    const Flag = defineTargetKind({ group, kind: 'Flag' });
    const flag = (name: string) => ({ ...museum(name), kind: 'Flag' });
    const Policy = {
      ...TicketPolicy,
      targets: [Flag],
      targetRefs: ({ metadata }: KubernetesObject) => ({
        refs: metadata.name === 'bad' ? [undefined as never] : [],
        issues: [],
      }),
    };
    const topology = createTopology({ targetKinds: [Flag], policyKinds: [Policy] });
    topology.apply({ upsert: [flag('a')] });
    const [bad, good] = ['bad', 'good'].map((name) => ({ ...ticketPolicy(name) }));
    expect(() => topology.apply({ upsert: [flag('b'), bad as KubernetesObject] })).toThrow(TypeError);
    expect(names(topology.targets)).toEqual(['a']);
    expect(topology.policies()).toEqual([]);
    expect(topology.apply({ upsert: [flag('c'), good as KubernetesObject] }).added).toHaveLength(2);
    expect(names(topology.targets)).toEqual(['a', 'c']);
  });

  it('keeps the target of a name for as long as the name is there', () => {
    expect(names(held.denon?.linksTo ?? [])).toEqual(['goya']);
    expect(old.get(id.vinci)).toBeUndefined();
    expect(held.vinci?.linksFrom).toEqual([]);
  });

  it.each([
    ['a locator', goya],
    ['a reference', { group, kind: 'Exhibition', namespace: 'default', name: 'goya' }],
  ])('answers for %s', (_, name) => {
    expect(names(old.parents(name))).toEqual(['louvre#denon']);
    expect(names(old.ancestors(name))).toEqual(['louvre', 'louvre#denon']);
    expect(written(old.pathsTo(name))).toEqual(['louvre > louvre#denon > goya']);
    expect(written(old.paths(name, name))).toEqual(['goya']);
    expect([old.children(name), old.descendants(name), old.policiesAt(name)]).toEqual([[], [], []]);
  });

  it.each([
    ['that is gone', () => held.vinci as TargetNode],
    ['that never was', () => 'museum.culture.example.com:default/prado'],
  ])('returns nothing for a target %s', (_, name) => {
    const gone = name();
    expect([...old.parents(gone), ...old.children(gone), ...old.ancestors(gone), ...old.descendants(gone)]).toEqual([]);
    expect([...old.pathsTo(gone), ...old.policiesAt(gone)]).toEqual([]);
    expect([...old.paths(gone, goya), ...old.paths(goya, gone)]).toEqual([]);
    expect(old.get(gone)).toBeUndefined();
  });
});

describe('Topology.get', () => {
  const topology = world(louvre);

  it.each([
    ['a locator', id.denon],
    ['a reference', { group, kind: 'Museum', namespace: 'default', name: 'louvre', section: 'denon' }],
    [
      'a reference with its kind in lower case',
      { group, kind: 'museum', namespace: 'default', name: 'louvre', section: 'denon' },
    ],
  ])('finds a target by %s', (_, name) => {
    expect(topology.get(name)?.locator).toBe(id.denon);
  });

  it.each(['museum.culture.example.com:default/prado', '__proto__:__proto__'])('does not find "%s"', (name) => {
    expect(topology.get(name)).toBeUndefined();
  });
});

describe('Topology.targets', () => {
  it('goes by locator, each object before its sections', () => {
    const topology = world(vinci, louvre, museum('arts'), city('paris'));
    expect(names(topology.targets)).toEqual(['paris', 'vinci', 'arts', 'louvre', 'louvre#denon']);
  });

  it('is by locator even if one namespace or group is the prefix of another', () => {
    const GroupMuseum = defineTargetKind({ group: `${group}.fr`, kind: 'Museum' });
    const topology = createTopology({ targetKinds: [Museum, GroupMuseum] });
    topology.apply({
      upsert: [
        ...['a', 'a.b', 'a-b', 'a0'].map((namespace) => museum('x', {}, namespace)),
        { ...museum('x', {}, 'a'), apiVersion: `${group}.fr/v1` },
      ],
    });
    expect([...topology.targets].map(({ locator }) => locator)).toEqual([
      'museum.culture.example.com.fr:a/x',
      'museum.culture.example.com:a-b/x',
      'museum.culture.example.com:a.b/x',
      'museum.culture.example.com:a/x',
      'museum.culture.example.com:a0/x',
    ]);
  });
});

describe('Topology.roots', () => {
  it('are the targets that paths begin with', () => {
    const topology = world(vinci, louvre, museum('arts'), city('paris'));
    expect(names(topology.roots)).toEqual(['paris', 'arts', 'louvre']);
  });

  it('leave out an object that is linked section by section', () => {
    const holder = exhibition('vinci', { rooms: [{ artworks: [{ name: 'lisa', side: 'front' }] }] });
    expect(names(world(holder, artwork('lisa', { sides: [{ name: 'front' }] })).roots)).toEqual(['vinci']);
    expect(names(world(holder, artwork('lisa', { sides: [{ name: 'front' }, { name: 'back' }] })).roots)).toEqual([
      'lisa',
      'vinci',
    ]);
  });
});
