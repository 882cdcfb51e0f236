import { byAge, byName, byWeight } from '@policy-machinery/conflict';
import { patch } from '@policy-machinery/merge';
import { byAnnotation, defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { type KubernetesObject, locatorOf, type ObjectMeta, specOf } from '@policy-machinery/resource';
import { createTopology, type TopologyChange } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { anySpec, compute } from '../../conformance/policies.fixture.ts';
import { Exhibition, Museum, museumKinds, museumResource, Namespace } from '../../properties/museum.fixture.ts';
import { type EffectivePolicies, effectivePolicies } from '../effective-policies.ts';
import { statusQueries } from '../status-queries-of.ts';

const careKind = {
  group: 'care.example.com',
  version: 'v1',
  kind: 'CarePolicy',
  targets: [Namespace, Museum, Exhibition],
  effectiveTargets: [Exhibition],
  order: [byWeight('care.example.com/weight'), byAge, byName],
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
  spec: anySpec,
} as const;
const CarePolicy = definePolicyKind(careKind);

/** A policy on its namespace. */
function care(name: string, namespace: string, spec: object, metadata: Partial<ObjectMeta> = {}): KubernetesObject {
  const targetRefs = [{ group: '', kind: 'Namespace', name: namespace }];
  return {
    apiVersion: 'care.example.com/v1',
    kind: 'CarePolicy',
    metadata: { name, namespace, ...metadata },
    spec: { targetRefs, ...spec },
  };
}

/** Returns a policy of the west for what it says of the light. */
const careOn = (targetRef: object) => (light: string | undefined) => ({
  ...care('west', 'west', {}),
  spec: { targetRefs: [targetRef], ...(light === undefined ? {} : { light }) },
});

const namespaces = ['east', 'west'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
const tate = museumResource('Museum', 'tate', 'east', {
  refs: [{ kind: 'Exhibition', namespace: 'west', name: 'miro' }],
});
const tateRef = { group: 'museum.example.com', kind: 'Museum', name: 'tate' };
const miro = museumResource('Exhibition', 'miro', 'west', {});

describe('EffectivePolicies.takeChanges', () => {
  const ofEast = care('light', 'east', { light: 'dim', guide: 'east' }, { creationTimestamp: 'yesterday' });
  const ofWest = care('quiet', 'west', { guide: 'west' });

  it.each([
    ['a creation time', care('quiet', 'west', { guide: 'west' }, { creationTimestamp: '2026-01-02T00:00:00Z' })],
    ['a weight', care('quiet', 'west', { guide: 'west' }, { annotations: { 'care.example.com/weight': '1' } })],
  ])('names the objects of a policy that goes before others because it has %s', (_, older) => {
    const { topology, effective } = compute(CarePolicy, museumKinds, [...namespaces, tate, miro, ofEast, ofWest]);
    const namesOnMiro = () => effective.explain(locatorOf(miro)).policies.map(({ name }) => name);
    expect(namesOnMiro()).toEqual(['east/light', 'west/quiet']);
    effective.takeChanges();
    topology.apply({ upsert: [older] });
    expect(effective.takeChanges().affectedObjects).toEqual([locatorOf(miro), 'namespace:west']);
    expect(namesOnMiro()).toEqual(['west/quiet', 'east/light']);
  });

  it.each([
    ['on a target', careOn({ ...tateRef, kind: 'Exhibition', name: 'miro' })],
    ['on a namespace', careOn({ group: '', kind: 'Namespace', name: 'west' })],
  ])('names the objects above with a policy that counts because another %s no longer sets its fields', (_, edited) => {
    const onTate = { ...care('all', 'east', {}), spec: { targetRefs: [tateRef], light: 'dim' } };
    const { topology, effective } = compute(CarePolicy, museumKinds, [
      ...namespaces,
      tate,
      miro,
      onTate,
      edited('own'),
    ]);
    effective.takeChanges(); // Nobody has asked for anything.
    topology.apply({ upsert: [edited(undefined)] });
    expect(effective.takeChanges().affectedObjects).toContain(locatorOf(tate));
    expect(effective.affected.map(({ target }) => target.object.locator)).toContain(locatorOf(tate));
  });

  describe('without a call for a long time', () => {
    const klee = museumResource('Exhibition', 'klee', 'west', {});
    const withKlee = museumResource('Museum', 'tate', 'east', {
      refs: ['miro', 'klee'].map((name) => ({ kind: 'Exhibition', namespace: 'west', name })),
    });
    const ofGuests = care('guests', 'west', { guide: 'guests' });

    it('leaves out items that were added and removed', () => {
      const { topology, effective } = compute(CarePolicy, museumKinds, [...namespaces, tate, miro, ofEast]);
      effective.takeChanges();
      topology.apply({ upsert: [klee, withKlee, ofGuests] });
      expect([...effective.of(locatorOf(klee))]).toHaveLength(1);
      topology.apply({ remove: [klee, ofGuests], upsert: [tate] });
      const { targets, policies, affectedObjects } = effective.takeChanges();
      for (const name of [...targets, ...policies, ...affectedObjects]) expect(name).not.toMatch(/klee|guests/);
      expect(targets).toContain(locatorOf(miro)); // Its effective policy was another one in between.
    });

    it('names removed items, even if they were added and removed once more', () => {
      const { topology, effective } = compute(CarePolicy, museumKinds, [...namespaces, klee, withKlee, ofGuests]);
      effective.takeChanges();
      for (const change of [{ remove: [klee, ofGuests] }, { upsert: [klee, ofGuests] }]) {
        topology.apply(change);
        expect([...effective]).toHaveLength('remove' in change ? 0 : 1);
      }
      topology.apply({ remove: [klee, ofGuests] });
      const { targets, policies } = effective.takeChanges();
      expect(targets).toEqual([locatorOf(klee)]);
      expect(policies).toEqual([locatorOf(ofGuests)]);
    });
  });

  it('names everything after a change too large to follow, and answers are up to date', () => {
    const klee = museumResource('Exhibition', 'klee', 'west', {});
    const { topology, effective } = compute(CarePolicy, museumKinds, [...namespaces, miro, klee, ofEast, ofWest]);
    const specs = () => [...effective].map(({ spec }) => spec);
    expect(specs()).toEqual([{ guide: 'west' }, { guide: 'west' }]);
    effective.takeChanges();
    const crowd = Array.from({ length: 1001 }, (_, index) => museumResource('Artwork', `a${index}`, 'east', {}));
    topology.apply({ upsert: [care('quiet', 'west', { guide: 'none' }), ...crowd], remove: [klee, ofEast] });
    expect(specs()).toEqual([{ guide: 'none' }]);
    const { targets, policies, affectedObjects } = effective.takeChanges();
    expect(targets).toEqual([klee, miro].map((it) => locatorOf(it)));
    expect(policies).toEqual([ofEast, ofWest].map((it) => locatorOf(it)));
    expect(affectedObjects).toEqual(expect.arrayContaining([locatorOf(miro), locatorOf(klee), 'namespace:east']));
  });

  it('names targets below one that chooses another way of merging', () => {
    const values = {
      child: { strategy: patch, stanza: 'defaults' },
      parent: { strategy: patch, stanza: 'overrides' },
    } as const;
    const Chosen = definePolicyKind({ ...careKind, strategyChooser: byAnnotation({ annotation: 'prefer', values }) });
    const west = (prefer: string, status = 'Old') => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'west', annotations: { prefer } },
      status: { phase: status },
    });
    const onMiro = {
      ...care('own', 'west', { light: 'own' }),
      spec: { targetRefs: [{ ...tateRef, kind: 'Exhibition', name: 'miro' }], light: 'own' },
    };
    const world = [west('child'), miro, care('all', 'west', { light: 'all' }), onMiro];
    const { topology, effective } = compute(Chosen, museumKinds, world);
    const spec = () => [...effective].map((it) => it.spec);
    expect(spec()).toEqual([{ light: 'own' }]);
    effective.takeChanges();
    topology.apply({ upsert: [west('child', 'New')] });
    expect([spec(), effective.takeChanges().targets]).toEqual([[{ light: 'own' }], []]);
    topology.apply({ upsert: [west('parent', 'New')] });
    expect([spec(), effective.takeChanges().targets]).toEqual([[{ light: 'all' }], [locatorOf(miro)]]);
  });

  it('names targets with changed own values, and no target with only changed links', () => {
    const Spoken = definePolicyKind({ ...careKind, ownValue: ({ resource }) => ({ tone: specOf(resource).tone }) });
    const saying = (tone: string) => museumResource('Exhibition', 'miro', 'west', { tone });
    const world = [...namespaces, tate, saying('warm'), ofWest];
    const { topology, effective } = compute(Spoken, museumKinds, world);
    const changed = (change: TopologyChange) => {
      for (const { spec } of effective) expect(spec).toBeDefined(); // What nobody has asked for may have changed.
      topology.apply(change);
      return effective.takeChanges().targets;
    };
    expect(changed({ upsert: [saying('cool')] })).toEqual([locatorOf(miro)]);
    expect(changed({ remove: [tate] })).toEqual([]);
  });

  it('names a policy around a target that becomes managed, or ceases to be', () => {
    const Managed = definePolicyKind({
      ...careKind,
      ancestors: [Museum],
      manages: ({ resource }) => specOf(resource).open !== false,
    });
    const saying = (open: boolean) =>
      museumResource('Museum', 'tate', 'east', {
        open,
        refs: [{ kind: 'Exhibition', namespace: 'west', name: 'miro' }],
      });
    const { topology, effective } = compute(Managed, museumKinds, [...namespaces, saying(true), miro, ofEast]);
    expect([...statusQueries(effective).outcomesOf(locatorOf(ofEast))]).toEqual(['enforced']);
    for (const open of [false, true]) {
      effective.takeChanges();
      topology.apply({ upsert: [saying(open)] });
      expect(effective.takeChanges().policies).toEqual([locatorOf(ofEast)]);
    }
  });

  it.each([
    ['has asked for nothing', () => undefined],
    ['has asked for specs alone', (effective: EffectivePolicies<unknown>) => [...effective].map(({ spec }) => spec)],
    ['has asked for everything', (effective: EffectivePolicies<unknown>) => [...effective.affected]],
  ])('names removed targets, their policies, and the targets above, where somebody %s', (_, ask) => {
    const onMuseum = { ...care('p', 'east', { light: 'dim' }), spec: { targetRefs: [tateRef], light: 'dim' } };
    const { topology, effective } = compute(CarePolicy, museumKinds, [...namespaces, tate, miro, onMuseum]);
    ask(effective);
    topology.apply({ remove: [miro] });
    expect(effective.takeChanges()).toMatchObject({ targets: [locatorOf(miro)], policies: [locatorOf(onMuseum)] });
    topology.apply({ upsert: [miro] });
    effective.takeChanges();
    topology.apply({ upsert: [museumResource('Museum', 'tate', 'east', {})] });
    const { targets, policies, affectedObjects } = effective.takeChanges();
    expect([targets, policies]).toEqual([[locatorOf(miro)], [locatorOf(onMuseum)]]);
    expect(affectedObjects).toEqual(expect.arrayContaining([locatorOf(miro), locatorOf(tate)]));
  });

  it('names targets above a policy that loses its effect, without an earlier question about them', () => {
    const onMuseum = { ...care('p', 'east', {}), spec: { targetRefs: [tateRef], light: 'dim' } };
    const miroRef = { ...tateRef, kind: 'Exhibition', name: 'miro' };
    const onMiro = { ...care('q', 'west', {}), spec: { targetRefs: [miroRef], light: 'off' } };
    const noir = museumResource('Exhibition', 'noir', 'east', {});
    const { topology, effective } = compute(CarePolicy, museumKinds, [...namespaces, tate, miro, noir, onMuseum]);
    expect([...effective].map(({ spec }) => spec)).toEqual([{ light: 'dim' }]);
    expect(effective.explain(locatorOf(noir)).policies).toEqual([]);
    topology.apply({ upsert: [onMiro] });
    expect(effective.takeChanges().affectedObjects).toContain(locatorOf(tate));
    expect(effective.explain(locatorOf(tate)).policies).toEqual([]);
  });
});

describe('EffectivePolicies.changes', () => {
  const light = (level: string) => care('light', 'east', { light: level });
  const dark = museumResource('Exhibition', 'noir', 'east', {});

  it('creates independent readers of the same changes', () => {
    const { topology, effective } = compute(CarePolicy, museumKinds, [...namespaces, dark, light('dim')]);
    expect([...effective]).toHaveLength(1);
    const readers = [effective.changes(), effective.changes()];
    topology.apply({ upsert: [light('off')] });
    const told = { targets: [locatorOf(dark)], policies: [locatorOf(light('off'))] };
    for (const { take } of [...readers, { take: () => effective.takeChanges() }]) {
      expect(take()).toMatchObject(told);
      expect(take()).toMatchObject({ targets: [], policies: [], affectedObjects: [] });
    }
  });

  it('begins with the changes after the reader was created', () => {
    const { topology, effective } = compute(CarePolicy, museumKinds, [...namespaces, dark, light('dim')]);
    topology.apply({ upsert: [light('off')] });
    const changes = effective.changes();
    expect(changes.take().policies).toEqual([]);
    expect(effective.takeChanges().policies).toEqual([locatorOf(light('off'))]);
  });

  it('includes traffic from namespaces that are used later', () => {
    const Lent = definePolicyKind({ ...careKind, crossNamespace: 'consumer' });
    const lent = (level: string) => ({
      ...care('lent', 'east', { light: level }),
      spec: { targetRefs: [{ ...tateRef, kind: 'Exhibition', name: 'miro', namespace: 'west' }], light: level },
    });
    const { topology, effective } = compute(Lent, museumKinds, [...namespaces, tate, miro, lent('dim')]);
    const changes = effective.changes();
    expect([...effective.forTrafficFrom('east')].map(({ spec }) => spec)).toEqual([{ light: 'dim' }]);
    topology.apply({ upsert: [lent('off')] });
    expect(changes.take().targets).toEqual([locatorOf(miro)]);
    expect(effective.forTrafficFrom('east').takeChanges().targets).toEqual([locatorOf(miro)]);
  });

  it('names policies that differ for the traffic of consumers only, whether or not anybody has asked for it', () => {
    const Lent = definePolicyKind({ ...careKind, crossNamespace: 'consumer' });
    const lent = (name: string, second: number) => ({
      ...care(name, 'east', { light: name }),
      metadata: { name, namespace: 'east', creationTimestamp: `2026-01-01T00:00:0${second}Z` },
      spec: { targetRefs: [{ ...tateRef, kind: 'Exhibition', name: 'miro', namespace: 'west' }], light: name },
    });
    const { topology, effective } = compute(Lent, museumKinds, [...namespaces, tate, miro, lent('a', 1), lent('b', 2)]);
    effective.takeChanges();
    topology.apply({ upsert: [lent('a', 3)] });
    const { policies } = effective.takeChanges();
    expect(policies.map((locator) => locator.split('/').at(-1))).toEqual(['a', 'b']);
  });

  it('names a policy that is a target as well, when there are other issues about it', () => {
    const Lent = definePolicyKind({ ...careKind, extensionRefs: true });
    const Charter = definePolicyKind({ ...careKind, group: 'museum.example.com', kind: 'Museum' });
    const topology = createTopology({ targetKinds: museumKinds, policyKinds: [Charter, Lent] });
    const targetRefs = [{ group: '', kind: 'Namespace', name: 'east' }];
    const charter = museumResource('Museum', 'uffizi', 'east', {
      targetRefs,
      sections: [{ name: 'a', policies: ['named'] }],
    });
    topology.apply({ upsert: [...namespaces, charter] });
    const effective = effectivePolicies(topology, Charter);
    expect(topology.issuesAbout(locatorOf(charter)).map(({ code }) => code)).toEqual(['missing-policy']);
    effective.takeChanges();
    topology.apply({ upsert: [care('named', 'east', {})] });
    expect(topology.issuesAbout(locatorOf(charter))).toEqual([]);
    expect(effective.takeChanges().policies).toEqual([locatorOf(charter)]);
  });

  it('names the policies above targets with too many contexts, also when as many of these are left out as before', () => {
    const museum = (name: string, ...shows: string[]) =>
      museumResource('Museum', name, 'east', {
        refs: shows.map((to) => ({ kind: 'Exhibition', namespace: 'west', name: to })),
      });
    const on = (name: string) => ({
      ...care(name, 'east', {}),
      spec: { targetRefs: [{ ...tateRef, name }], light: name },
    });
    const exhibitions = ['x', 'y'].map((name) => museumResource('Exhibition', name, 'west', {}));
    const world = [...namespaces, ...exhibitions, museum('a', 'x', 'y'), museum('b', 'x'), on('a'), on('b')];
    const { topology, effective } = compute(CarePolicy, museumKinds, world, { maxContexts: 1 });
    const leftOut = () =>
      effective.issues.flatMap(({ code, resource }) => (code === 'too-many-contexts' ? [resource] : []));
    expect(leftOut()).toEqual([locatorOf(museumResource('Exhibition', 'x', 'west', {}))]);
    effective.takeChanges();
    topology.apply({ upsert: [museum('b', 'y')] });
    expect(leftOut()).toEqual([locatorOf(museumResource('Exhibition', 'y', 'west', {}))]);
    expect(effective.takeChanges().policies).toEqual([locatorOf(on('a')), locatorOf(on('b'))]);
  });
});
