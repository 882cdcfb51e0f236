import { formatIssue } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { exhibition, museum, names, target, ticketPolicy, world } from '../museum.fixture.ts';

describe('TargetNode.sections', () => {
  const sectionsOf = (spec: object) => names(target(world(exhibition('e', spec)), 'Exhibition e').sections);

  it.each([
    ['by their names', [{ name: 'attic' }, { name: 'cellar' }], ['e#attic', 'e#cellar']],
    ['without a name, by their place', [{}, {}], ['e#room-1', 'e#room-2']],
    ['with an empty name, by their place', [{ name: '' }], ['e#room-1']],
    ['unnamed beside one that bears that name (W3)', [{ name: 'room-2' }, {}], ['e#room-2', 'e#room-2-2']],
    ['unnamed before one that bears that name (W3)', [{}, { name: 'room-1' }], ['e#room-1-2', 'e#room-1']],
    ['of one name, all of them', [{ name: 'a' }, { name: 'a' }, { name: 'a-2' }], ['e#a', 'e#a-3', 'e#a-2']],
  ])('lists sections %s', (_, rooms, expected) => {
    expect(sectionsOf({ rooms })).toEqual(expected);
  });

  it('keeps the order of the resource, kind of section by kind of section', () => {
    const topology = world(
      museum('louvre', { doors: [{ name: 'main' }, {}], wings: [{ name: 'sully' }, { name: 'denon' }] }),
    );
    expect(names(target(topology, 'Museum louvre').sections)).toEqual([
      'louvre#sully',
      'louvre#denon',
      'louvre#main',
      'louvre#2',
    ]);
  });

  it('carries the value of each section, its resource and its object', () => {
    const louvre = museum('louvre', { wings: [{ name: 'denon', floors: 3 }] });
    const topology = world(louvre);
    const denon = target(topology, 'Museum louvre#denon');
    expect(denon.section).toEqual({ name: 'denon', value: { name: 'denon', floors: 3 } });
    expect(denon.resource).toBe(louvre);
    expect(denon.object).toBe(target(topology, 'Museum louvre'));
  });

  it('are others when they change their kind under their names', () => {
    const topology = world(museum('louvre', { wings: [{ name: 'denon' }] }));
    const wing = target(topology, 'Museum louvre#denon');
    const delta = topology.apply({ upsert: [museum('louvre', { doors: [{ name: 'denon' }] })] });
    const door = target(topology, 'Museum louvre#denon');
    expect([door === wing, wing.kind === door.kind, topology.get(wing) === door]).toEqual([false, false, true]);
    expect([delta.added, delta.removed, delta.changed]).toEqual([[], [], [door.object.locator, door.locator]]);
  });

  it('are found by name however many there are, and follow changes', () => {
    const rooms = Array.from({ length: 100 }, (_, index) => ({ name: `r${index}` }));
    const topology = world(
      exhibition('e', { rooms }),
      ticketPolicy('t', { kind: 'Exhibition', name: 'e', sectionName: 'r99' }),
    );
    const [policy] = topology.policies();
    const found = (name: string) => topology.get(`${target(topology, 'Exhibition e').locator}#${name}`);
    const [first, last] = [found('r0'), found('r99')];
    expect(policy?.attachments[0]?.target).toBe(last);
    topology.apply({ upsert: [exhibition('e', { rooms: [...rooms.slice(1), { name: 'new' }] })] });
    expect([found('r0'), found('r99'), found('new')?.section?.name]).toEqual([undefined, last, 'new']);
    expect(topology.get(first?.locator ?? '')).toBeUndefined();
  });
});

describe('Topology.issues', () => {
  it('reports sections of one name: none of them can be targeted (T-13)', () => {
    const topology = world(
      exhibition('e', { rooms: [{ name: 'a' }, { name: 'a' }] }),
      ticketPolicy('first', { kind: 'Exhibition', name: 'e', sectionName: 'a' }),
      ticketPolicy('second', { kind: 'Exhibition', name: 'e', sectionName: 'a-2' }),
    );
    expect(topology.issues.map(formatIssue)).toMatchInlineSnapshot(`
      [
        "error: more than one section is named "a", so no policy can target it; rename one (exhibition.culture.example.com:default/e) [section-name-collision]",
        "error: targets Exhibition default/e#a, a section that does not exist, or with a name that is not unique; give the resource a section of that name or correct the reference (ticketpolicy.policies.example.com:default/first /spec/targetRefs/0) [missing-section]",
        "error: targets Exhibition default/e#a-2, a section that does not exist, or with a name that is not unique; give the resource a section of that name or correct the reference (ticketpolicy.policies.example.com:default/second /spec/targetRefs/0) [missing-section]",
      ]
    `);
    expect(topology.policies().flatMap(({ attachments }) => attachments.map(({ outcome }) => outcome))).toEqual([
      'SectionNotFound',
      'SectionNotFound',
    ]);
  });

  it('warns of a section with a taken name by place: only the named one can be targeted (W3)', () => {
    const topology = world(
      exhibition('e', { rooms: [{ name: 'room-2' }, {}] }),
      ticketPolicy('named', { kind: 'Exhibition', name: 'e', sectionName: 'room-2' }),
      ticketPolicy('unnamed', { kind: 'Exhibition', name: 'e', sectionName: 'room-2-2' }),
    );
    expect(topology.issues.map(formatIssue)).toMatchInlineSnapshot(`
      [
        "warning: room 2 lacks a name, and "room-2", its name by place, is taken; no policy can target it as "room-2-2" until it is given a name (exhibition.culture.example.com:default/e) [section-name-collision]",
        "error: targets Exhibition default/e#room-2-2, a section that does not exist, or with a name that is not unique; target one of room-2 (ticketpolicy.policies.example.com:default/unnamed /spec/targetRefs/0) [missing-section]",
      ]
    `);
    const [named, unnamed] = topology.policies();
    expect(named?.attachments[0]?.target?.section?.value).toEqual({ name: 'room-2' });
    expect(unnamed?.attachments[0]?.outcome).toBe('SectionNotFound');
  });

  it('counts sections of different sorts with one name as sections of one name', () => {
    const topology = world(
      museum('louvre', { wings: [{ name: 'main' }], doors: [{ name: 'main' }] }),
      ticketPolicy('p', { name: 'louvre', sectionName: 'main' }),
    );
    expect(names(target(topology, 'Museum louvre').sections)).toEqual(['louvre#main', 'louvre#main-2']);
    expect(topology.policies()[0]?.attachments[0]?.outcome).toBe('SectionNotFound');
  });
});
