import { atomic, none, patch } from '@policy-machinery/merge';
import { bareSpec, defaultsAndOverrides, definePolicyKind, type StanzaReader } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, type TargetNode } from '@policy-machinery/topology';
import { lineage, lineageRef } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anySpec, colorPolicy, compute, specsByPath } from '../conformance/policies.fixture.ts';
import {
  Artwork,
  City,
  Exhibition,
  Museum,
  museumKinds,
  museumResource,
  Namespace,
} from '../properties/museum.fixture.ts';
import { effectivePolicies } from './effective-policies.ts';
import { statusQueries } from './status-queries-of.ts';

const named = { group: 'colors.example.com', version: 'v1', kind: 'ColorPolicy', spec: anySpec };
const stanzas = defaultsAndOverrides({ strategies: { patch, atomic }, defaultStrategy: 'patch' });

describe('effectivePolicies', () => {
  const { kind, kinds, resources } = lineage('a1 > b1');
  const targets = [kind('a'), kind('b')];
  const Colors = definePolicyKind({ ...named, targets, effectiveTargets: [kind('b')], stanzas });

  it('leaves out and reports a policy with an invalid spec, and computes the rest (C-13)', () => {
    const Strict = definePolicyKind({
      ...named,
      targets,
      effectiveTargets: [kind('b')],
      spec: z.object({ red: z.number() }).partial(),
      stanzas,
    });
    const policies = [colorPolicy('p1', 'a1', { red: 1 }), colorPolicy('p2', 'b1', { red: 'very' })];
    const { effective } = compute(Strict, kinds, [...resources, ...policies]);

    expect(specsByPath(effective)).toEqual({ 'a1>b1': { red: 1 } });
    expect(effective.issues).toMatchObject([
      {
        code: 'invalid-spec',
        severity: 'error',
        resource: 'colorpolicy.colors.example.com:default/p2',
        pointer: '/spec/red',
      },
    ]);
  });

  it('refuses a kind that the topology does not have', () => {
    const topology = createTopology({ targetKinds: kinds });
    expect(() => effectivePolicies(topology, Colors)).toThrow(expect.objectContaining({ code: 'unknown-kind' }));
  });

  it('counts a policy without a creation timestamp as the newest, with a warning', () => {
    const undated = colorPolicy('p1', 'b1', { red: 1 });
    const policies = [
      { ...undated, metadata: { name: 'p1', namespace: 'default' } },
      colorPolicy('p2', 'b1', { red: 2 }),
    ];
    const { effective } = compute(Colors, kinds, [...resources, ...policies]);
    expect(specsByPath(effective)).toEqual({ 'a1>b1': { red: 2 } });
    expect(effective.issues).toMatchObject([{ code: 'missing-creation-timestamp', severity: 'warning' }]);
  });

  it('ignores a policy without stanzas', () => {
    const silent: StanzaReader = { strategies: { patch }, read: () => ({ layers: [], faults: [] }) };
    const Silent = definePolicyKind({ ...named, targets, effectiveTargets: [kind('b')], stanzas: silent });
    const { effective } = compute(Silent, kinds, [...resources, colorPolicy('p1', 'a1', {})]);
    expect([...effective]).toEqual([]);
    expect(effective.uncovered()).toHaveLength(1);
  });

  it('counts a policy once on a path with several of its targets: defaults where they are most specific', () => {
    const both = { ...colorPolicy('p1', 'a1', {}), spec: { targetRefs: ['a1', 'b1'].map(lineageRef), red: 1 } };
    const other = colorPolicy('p2', 'a1', { red: 2, blue: 2 }, 1);
    const [policy] = compute(Colors, kinds, [...resources, both, other]).effective;
    expect(policy?.layers.map(({ policy: { name }, depth }) => [name, depth])).toEqual([
      ['default/p1', 1],
      ['default/p2', 0],
    ]);
    expect(policy?.spec).toEqual({ red: 1, blue: 2 });
    expect(policy?.losses.map(({ rule }) => rule)).toEqual(['more-specific']);
  });

  it('counts the overrides of such a policy where they are least specific', () => {
    const targetRefs = ['a1', 'b1'].map(lineageRef);
    const both = { ...colorPolicy('p1', 'a1', {}), spec: { targetRefs, overrides: { red: 1 } } };
    const [policy] = compute(Colors, kinds, [...resources, both]).effective;
    expect(policy?.layers.map(({ policy: { name }, depth }) => [name, depth])).toEqual([['default/p1', 0]]);
  });

  it('follows the topology, including paths', () => {
    const p1 = colorPolicy('p1', 'a1', { red: 1 });
    const { topology, effective } = compute(Colors, kinds, [...resources, p1]);
    expect(specsByPath(effective)).toEqual({ 'a1>b1': { red: 1 } });
    const more = lineage('a2 > b1', 'a1 > b2').resources.filter(({ metadata }) => metadata.name !== 'a1');
    topology.apply({ upsert: more, remove: [p1, ...resources.filter((it) => it.metadata.name === 'a1')] });

    expect(specsByPath(effective)).toEqual({ 'a2>b1': null, b2: null });
    expect(specsByPath(effectivePolicies(topology, Colors))).toEqual({ 'a2>b1': null, b2: null });
  });

  it('computes equal contexts once: they share one spec object', () => {
    const wide = lineage('a1 > b1', 'a1 > b2', 'a2 > b2');
    const policies = [colorPolicy('p1', 'a1', { red: 1 }), colorPolicy('p2', 'a1', { blue: 2 }, 1)];
    const { effective } = compute(Colors, wide.kinds, [...wide.resources, ...policies]);
    const [first, second, ...others] = [...effective];
    expect(first?.spec).toEqual({ red: 1, blue: 2 });
    expect(second?.target).not.toBe(first?.target);
    expect(second?.spec).toBe(first?.spec);
    expect(others).toEqual([]);
  });

  it('iterates over targets in the order of locators', () => {
    const wide = lineage('a1 > b2', 'a1 > b3', 'a1 > b1');
    const { effective } = compute(Colors, wide.kinds, [...wide.resources, colorPolicy('p1', 'a1', {})]);
    expect([...effective].map(({ target }) => target.ref.name)).toEqual(['b1', 'b2', 'b3']);
  });
});

/** A CarePolicy on something of the museum. */
function care(name: string, targetRef: object, spec: object, namespace = 'east'): KubernetesObject {
  const metadata = { name, namespace, creationTimestamp: '2024-01-01T00:00:00Z' };
  return {
    apiVersion: 'care.example.com/v1',
    kind: 'CarePolicy',
    metadata,
    spec: { targetRefs: [targetRef], ...spec },
  };
}
const careKind = { group: 'care.example.com', version: 'v1', kind: 'CarePolicy', spec: anySpec, stanzas };
const refTo = (kind: string, name: string, sectionName?: string) => ({
  group: 'museum.example.com',
  kind,
  name,
  ...(sectionName === undefined ? {} : { sectionName }),
});
const east: KubernetesObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'east' } };
const west: KubernetesObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'west' } };
const eastRef = { group: '', kind: 'Namespace', name: 'east' };

describe('effectivePolicies with namespaces', () => {
  const museum = museumResource('Museum', 'tate', 'east', {
    refs: [
      { kind: 'Exhibition', namespace: 'east', name: 'monet' },
      { kind: 'Exhibition', namespace: 'west', name: 'miro' },
    ],
  });
  const exhibitions = [
    museumResource('Exhibition', 'monet', 'east', {}),
    museumResource('Exhibition', 'miro', 'west', {}),
  ];
  const world = [east, west, museum, ...exhibitions];
  const targets = [Namespace, Museum, Exhibition];
  const levelsOf = (kind: ReturnType<typeof definePolicyKind>, policies: readonly KubernetesObject[]) => {
    const { effective } = compute(kind, museumKinds, [...world, ...policies]);
    return [...effective].map(({ target, levels, spec }) => [
      target.ref.name,
      levels.map((level) => level.target.ref.name),
      spec,
    ]);
  };
  const policies = [
    care('p1', eastRef, { light: 'dim', guide: 'east' }),
    care('p2', refTo('Museum', 'tate'), { light: 'bright', guide: 'tate' }),
    care('p3', refTo('Exhibition', 'monet'), { guide: 'monet' }),
  ];

  it('puts the namespace of each object right above the object, without separate paths (H-03)', () => {
    const Care = definePolicyKind({ ...careKind, targets, effectiveTargets: [Exhibition] });
    expect(levelsOf(Care, policies)).toEqual([
      ['monet', ['east', 'tate', 'east', 'monet'], { guide: 'monet', light: 'dim' }],
      ['miro', ['east', 'tate'], { light: 'bright', guide: 'tate' }],
    ]);
  });

  it('counts a namespace that a path passes twice once: its defaults the last time, its overrides the first', () => {
    const Care = definePolicyKind({ ...careKind, targets, effectiveTargets: [Exhibition] });
    const { effective } = compute(Care, museumKinds, [
      ...world,
      care('p1', eastRef, { light: 'dim' }),
      care('p2', refTo('Museum', 'tate'), {}),
      care('p4', eastRef, { overrides: { guide: 'east' } }),
    ]);
    const [monet] = effective.of('exhibition.museum.example.com:east/monet');
    expect(monet?.layers.map(({ policy: { name }, depth }) => [name, depth])).toEqual([
      ['east/p1', 2],
      ['east/p2', 1],
      ['east/p4', 0],
    ]);
    expect(monet?.pathCount).toBe(1n);
  });

  it('counts the namespaces above objects of some kinds only, if the policy kind says so (X-28)', () => {
    const Care = definePolicyKind({ ...careKind, targets, effectiveTargets: [Exhibition], namespaceLevels: [Museum] });
    expect(levelsOf(Care, policies)).toEqual([
      ['monet', ['east', 'tate', 'monet'], { guide: 'monet', light: 'bright' }],
      ['miro', ['east', 'tate'], { light: 'bright', guide: 'tate' }],
    ]);
  });

  it('lets a policy affect a namespace only where the namespace is a level, whatever was asked before (D-01, X-28)', () => {
    const Care = definePolicyKind({ ...careKind, targets, effectiveTargets: [Exhibition], namespaceLevels: [Museum] });
    const westRef = { group: '', kind: 'Namespace', name: 'west' };
    const policy = care('p1', westRef, { targetRefs: [westRef, refTo('Exhibition', 'miro')], light: 'dim' }, 'west');
    const { topology, effective } = compute(Care, museumKinds, [...world, policy]);
    const affecting = (locator: string) => effective.affecting(topology.get(locator) as TargetNode).policies.length;
    expect([affecting('exhibition.museum.example.com:west/miro'), affecting('namespace:west')]).toEqual([1, 0]);
    expect(effective.reachInGroups('carepolicy.care.example.com:west/p1')).toHaveLength(1);
    expect(affecting('namespace:west')).toBe(0);
  });
});

describe('effectivePolicies with sections', () => {
  const exhibition = museumResource('Exhibition', 'monet', 'east', {
    sections: ['blue', 'red'].map((room, index) => ({
      name: room,
      refs: [{ kind: 'Artwork', namespace: 'east', name: 'lilies', sections: [index === 0 ? 'front' : 'back'] }],
    })),
  });
  const artwork = museumResource('Artwork', 'lilies', 'east', { sections: [{ name: 'front' }, { name: 'back' }] });
  const targets = [Exhibition, Exhibition.sections.room, Artwork, Artwork.sections.side].filter(
    (it) => it !== undefined,
  );
  const Care = definePolicyKind({ ...careKind, targets });
  const specsOf = (...policies: readonly KubernetesObject[]) => {
    const { effective } = compute(Care, museumKinds, [exhibition, artwork, ...policies]);
    return Object.fromEntries(
      [...effective].map(({ target, spec }) => [`${target.ref.name}#${target.ref.section ?? ''}`, spec]),
    );
  };

  it('keeps a path that entered one section out of the others (H-05)', () => {
    const inRoom = care('p1', refTo('Exhibition', 'monet', 'blue'), { light: 'dim' });
    expect(specsOf(inRoom)).toEqual({
      'lilies#': { light: 'dim' },
      'lilies#front': { light: 'dim' },
      'monet#blue': { light: 'dim' },
    });
    const onSide = care('p1', refTo('Artwork', 'lilies', 'back'), { light: 'none' });
    expect(specsOf(onSide)).toEqual({ 'lilies#back': { light: 'none' } });
  });

  it('passes the level of the whole object on the way into a section (H-05)', () => {
    const onWhole = care('p1', refTo('Artwork', 'lilies'), { light: 'dim', glass: true });
    const onSide = care('p2', refTo('Artwork', 'lilies', 'back'), { light: 'none' });
    expect(specsOf(onWhole, onSide)).toEqual({
      'lilies#': { light: 'dim', glass: true },
      'lilies#front': { light: 'dim', glass: true },
      'lilies#back': { light: 'none', glass: true },
    });
  });

  it('lists the sections on the way of a policy to a target by locator, whichever of them have policies', () => {
    const refs = [{ kind: 'Artwork', namespace: 'east', name: 'lilies' }];
    const rooms = ['a', 'b', 'c', 'd'].map((name) => ({ name, refs }));
    const { topology, effective } = compute(Care, museumKinds, [
      museumResource('Exhibition', 'monet', 'east', { sections: rooms }),
      museumResource('Artwork', 'lilies', 'east', {}),
      care('whole', refTo('Exhibition', 'monet'), { guide: 'monet' }),
      care('room', refTo('Exhibition', 'monet', 'b'), { light: 'dim' }),
    ]);
    const { policies } = effective.affecting(topology.get('artwork.museum.example.com:east/lilies') as TargetNode);
    expect(policies.map(({ policy, parents }) => [policy.name, Array.from(parents, ({ ref }) => ref.section)])).toEqual(
      [
        ['east/room', ['b']],
        ['east/whole', ['a', 'b', 'c', 'd']],
      ],
    );
  });

  it('follows sections that are added, removed and targeted, however many there are', () => {
    const sides = Array.from({ length: 100 }, (_, index) => ({ name: `s${index}` }));
    const kind = definePolicyKind({ ...careKind, targets, effectiveTargets: targets.slice(-1) });
    const onWhole = care('p1', refTo('Artwork', 'lilies'), { light: 'dim' });
    const { topology, effective } = compute(kind, museumKinds, [
      museumResource('Artwork', 'lilies', 'east', { sections: sides }),
      onWhole,
    ]);
    const light = (side: string) =>
      effective.of(`artwork.museum.example.com:east/lilies#${side}`).map(({ spec }) => spec);
    expect([...effective]).toHaveLength(100);
    topology.apply({
      upsert: [
        museumResource('Artwork', 'lilies', 'east', { sections: [...sides.slice(1), { name: 'new' }] }),
        care('p2', refTo('Artwork', 'lilies', 's1'), { light: 'none' }),
      ],
    });
    expect(['s0', 's1', 's99', 'new'].map(light)).toEqual([
      [],
      [{ light: 'none' }],
      [{ light: 'dim' }],
      [{ light: 'dim' }],
    ]);
    topology.apply({ remove: [onWhole] });
    expect([...effective].map(({ target }) => target.ref.section)).toEqual(['s1']);
  });
});

describe('effectivePolicies, maxContexts', () => {
  const { kind, kinds, resources } = lineage(
    ...[1, 2, 3, 4].flatMap((step) => [`j${step} > l${step} > j${step + 1}`, `j${step} > r${step} > j${step + 1}`]),
  );
  const Colors = definePolicyKind({
    ...named,
    targets: [kind('l'), kind('r')],
    effectiveTargets: [kind('j')],
    stanzas,
  });
  const policies = [1, 2, 3, 4].flatMap((step) => [
    colorPolicy(`l${step}`, `l${step}`, { [`l${step}`]: true }),
    colorPolicy(`r${step}`, `r${step}`, { [`r${step}`]: true }),
  ]);
  const { topology } = compute(Colors, kinds, [...resources, ...policies]);

  it('allows this number of contexts of one target', () => {
    const effective = effectivePolicies(topology, Colors, { maxContexts: 16 });
    expect(effective.of('j.lineage.example.com:default/j5')).toHaveLength(16);
  });

  it('leaves out a target with more, reports it, and computes the others', () => {
    const limited = effectivePolicies(topology, Colors, { maxContexts: 15 });
    expect(limited.of('j.lineage.example.com:default/j5')).toEqual([]);
    expect(limited.of('j.lineage.example.com:default/j4')).toHaveLength(8);
    expect(limited.issues).toMatchObject([
      { code: 'too-many-contexts', severity: 'error', resource: 'j.lineage.example.com:default/j5' },
    ]);
  });

  it('leaves out targets below as well', () => {
    const limited = effectivePolicies(topology, Colors, { maxContexts: 3 });
    expect([...limited].map(({ target }) => target.ref.name)).toEqual(['j2', 'j2']);
    expect(limited.issues.map(({ resource }) => resource?.slice(-2))).toEqual(['j3', 'j4', 'j5']);
  });

  it('allows at most 256 contexts of one target, and 64 more for each link to the target', () => {
    const rungs = Array.from({ length: 10 }, (_, step) => [
      `x${step} > m${step} > x${step + 1}`,
      `x${step} > n${step} > x${step + 1}`,
    ]);
    const world = lineage(...rungs.flat());
    const Ms = definePolicyKind({ ...named, targets: [world.kind('m')], effectiveTargets: [world.kind('x')], stanzas });
    const onEach = Array.from({ length: 10 }, (_, step) => colorPolicy(`m${step}`, `m${step}`, { [`m${step}`]: 1 }));
    const { effective } = compute(Ms, world.kinds, [...world.resources, ...onEach]);
    const count = (name: string) => effective.of(`x.lineage.example.com:default/${name}`).length;
    expect([count('x7'), count('x8'), count('x9'), count('x10')]).toEqual([127, 255, 0, 0]); // And one without policies.
    expect(statusQueries(effective).leftOut.map(({ ref }) => ref.name)).toEqual(['x10', 'x9']);

    const stars = lineage(...Array.from({ length: 600 }, (_, index) => `m${index} > x0`));
    const onAll = Array.from({ length: 600 }, (_, index) => colorPolicy(`m${index}`, `m${index}`, { index }));
    const many = compute(
      definePolicyKind({ ...named, targets: [stars.kind('m')], effectiveTargets: [stars.kind('x')], stanzas }),
      stars.kinds,
      [...stars.resources, ...onAll],
    );
    expect([...many.effective]).toHaveLength(600);
  });

  it('does not count contexts below the effective targets', () => {
    const Lefts = definePolicyKind({ ...named, targets: Colors.targets, effectiveTargets: [kind('l')], stanzas });
    const world = compute(Lefts, kinds, [...resources, ...policies]);
    const limited = effectivePolicies(world.topology, Lefts, { maxContexts: 8 });
    expect(limited.issues).toEqual([]);
    expect([...limited]).toHaveLength([...world.effective].length);
  });
});

describe('EffectivePolicies.of', () => {
  const { kind, kinds, resources } = lineage('a1 > b1');
  const targets = [kind('a'), kind('b')];
  const Colors = definePolicyKind({ ...named, targets, effectiveTargets: [kind('b')], stanzas: bareSpec() });
  const { topology, effective } = compute(Colors, kinds, [...resources, colorPolicy('p1', 'a1', { red: 1 })]);
  const locator = 'b.lineage.example.com:default/b1';

  it('accepts a locator, a reference or a target', () => {
    const ref = { ...lineageRef('b1'), namespace: 'default' };
    for (const target of [locator, ref, topology.get(locator) ?? '']) {
      expect(effective.of(target).map(({ spec }) => spec)).toEqual([{ red: 1 }]);
    }
  });

  it('finds nothing for a target that is not an effective target, or does not exist', () => {
    expect(effective.of('a.lineage.example.com:default/a1')).toEqual([]);
    expect(effective.of('b.lineage.example.com:default/b9')).toEqual([]);
  });
});

describe('EffectivePolicies.uncovered', () => {
  const { kind, kinds, resources } = lineage('a1 > b1', 'a2 > b1', 'a2 > b2');
  const targets = [kind('a')];
  const Colors = definePolicyKind({
    ...named,
    targets,
    effectiveTargets: [kind('b')],
    stanzas: bareSpec({ strategies: { none } }),
  });
  const { effective } = compute(Colors, kinds, [...resources, colorPolicy('p1', 'a1', {})]);

  it('lists the contexts without policies, of all targets or of one', () => {
    const namesOf = (contexts: ReturnType<typeof effective.uncovered>) =>
      contexts.flatMap((context) => [...context.paths()].map((path) => path.map(({ ref }) => ref.name).join('>')));
    expect(namesOf(effective.uncovered())).toEqual(['a2>b1', 'a2>b2']);
    expect(namesOf(effective.uncovered('b.lineage.example.com:default/b2'))).toEqual(['a2>b2']);
    expect(effective.uncovered('b.lineage.example.com:default/b9')).toEqual([]);
  });

  it('counts a policy without fields as a policy', () => {
    expect(effective.of('b.lineage.example.com:default/b1').map(({ spec }) => spec)).toEqual([{}]);
  });
});

describe('effectivePolicies with cluster-scoped targets', () => {
  it('reaches from a cluster-scoped target into every namespace', () => {
    const city = museumResource('City', 'london', 'unused', {
      refs: [{ kind: 'Museum', namespace: 'west', name: 'tate' }],
    });
    const Care = definePolicyKind({
      ...careKind,
      targets: [City],
      effectiveTargets: [Museum],
      crossNamespace: 'allow',
    });
    const tate = museumResource('Museum', 'tate', 'west', {});
    const { effective } = compute(Care, museumKinds, [
      city,
      tate,
      care('p1', refTo('City', 'london'), { light: 'dim' }),
    ]);
    expect([...effective].map(({ target, spec }) => [target.locator, spec])).toEqual([
      ['museum.museum.example.com:west/tate', { light: 'dim' }],
    ]);
  });
});

describe('EffectivePolicies.along', () => {
  const { kind, kinds, resources } = lineage('a1 > b1 > c1', 'a2 > b1', 'a3 > b2');
  const Colors = definePolicyKind({
    ...named,
    targets: kinds,
    effectiveTargets: [kind('b'), kind('c')],
    stanzas,
  });
  const policies = [
    colorPolicy('p1', 'a1', { red: 1 }),
    colorPolicy('p2', 'a2', { red: 2 }),
    colorPolicy('p3', 'c1', { blue: 3 }),
  ];
  const { topology, effective } = compute(Colors, kinds, [...resources, ...policies]);
  const at = (name: string) => topology.get(`${name[0]}.lineage.example.com:default/${name}`) as TargetNode;
  const along = (...names: readonly string[]) =>
    effective.along(names.map(at)).map(({ target, spec }) => [target.ref.name, spec]);

  it('returns the effective policy of each effective target in the context of the path', () => {
    expect(along('a1', 'b1', 'c1')).toEqual([
      ['b1', { red: 1 }],
      ['c1', { red: 1, blue: 3 }],
    ]);
    expect(along('a2', 'b1')).toEqual([['b1', { red: 2 }]]);
  });

  it('returns nothing for a path without policies', () => {
    expect(along('a3', 'b2')).toEqual([]);
    expect(along()).toEqual([]);
  });

  it('returns the policy of the context for each of its paths', () => {
    for (const policy of effective) {
      for (const path of policy.paths()) {
        const last = effective.along(path).at(-1);
        expect(last?.isSame(policy)).toBe(true);
      }
      expect(effective.of(policy.target).filter((it) => it.isSame(policy))).toHaveLength(1);
    }
  });
});
