import { describe, expect, it } from 'vitest';
import type { Topology } from '../model/topology.ts';
import { artwork, city, exhibition, frame, museum, names, namespace, target, world } from '../museum.fixture.ts';

const children = (topology: Topology, name: string) => names(topology.children(target(topology, name)));
const parents = (topology: Topology, name: string) => names(topology.parents(target(topology, name)));

describe('TargetNode.linksFrom and TargetNode.linksTo', () => {
  it('lead up to a whole target, and from a whole target down', () => {
    const topology = world(
      city('paris'),
      museum('louvre', { city: 'paris' }),
      artwork('lisa', { frame: 'oak' }),
      frame('oak'),
    );
    expect(children(topology, 'City paris')).toEqual(['louvre']);
    expect(parents(topology, 'Museum louvre')).toEqual(['paris']);
    expect(children(topology, 'Artwork lisa')).toEqual(['oak']);
  });

  it('lead up to one section only, if a section is named (T-12)', () => {
    const topology = world(
      museum('louvre', { wings: [{ name: 'denon' }, { name: 'sully' }] }),
      exhibition('vinci', { shownIn: [{ name: 'louvre', wing: 'denon' }] }),
    );
    expect(children(topology, 'Museum louvre')).toEqual(['louvre#denon', 'louvre#sully']);
    expect(children(topology, 'Museum louvre#denon')).toEqual(['vinci']);
    expect(children(topology, 'Museum louvre#sully')).toEqual([]);
    expect(parents(topology, 'Exhibition vinci')).toEqual(['louvre#denon']);
    expect(parents(topology, 'Museum louvre#denon')).toEqual(['louvre']);
  });

  it('lead from a section down to a section', () => {
    const topology = world(
      exhibition('vinci', { rooms: [{ name: 'first', artworks: [{ name: 'lisa', side: 'front' }] }] }),
      artwork('lisa', { sides: [{ name: 'front' }, { name: 'back' }] }),
    );
    expect(children(topology, 'Exhibition vinci#first')).toEqual(['lisa#front']);
    expect(parents(topology, 'Artwork lisa#front')).toEqual(['lisa', 'vinci#first']);
    expect(parents(topology, 'Artwork lisa')).toEqual([]);
  });

  it('exist once, however many references make them (W6)', () => {
    const topology = world(
      museum('louvre', { wings: [{ name: 'denon' }, { name: 'sully' }] }),
      exhibition('vinci', {
        shownIn: [
          { name: 'louvre', wing: 'denon' },
          { name: 'louvre', wing: 'denon' },
          { name: 'louvre', wing: 'sully' },
        ],
      }),
    );
    expect(parents(topology, 'Exhibition vinci')).toEqual(['louvre#denon', 'louvre#sully']);
    expect(children(topology, 'Museum louvre#denon')).toEqual(['vinci']);
  });

  it('to a whole cover links to its sections from the same place', () => {
    const topology = world(
      exhibition('vinci', {
        rooms: [{ name: 'first', artworks: [{ name: 'lisa', side: 'front' }, { name: 'lisa' }] }],
      }),
      artwork('lisa', { sides: [{ name: 'front' }] }),
    );
    expect(children(topology, 'Exhibition vinci#first')).toEqual(['lisa']);
  });

  it('look in the namespace of the referrer, unless the reference names another', () => {
    const topology = world(
      museum('louvre', {}, 'default'),
      museum('louvre', {}, 'abroad'),
      exhibition('here', { shownIn: [{ name: 'louvre' }] }),
      exhibition('there', { shownIn: [{ name: 'louvre', namespace: 'abroad' }] }),
    );
    const locators = (name: string) => topology.parents(target(topology, name)).map(({ locator }) => locator);
    expect(locators('Exhibition here')).toEqual(['museum.culture.example.com:default/louvre']);
    expect(locators('Exhibition there')).toEqual(['museum.culture.example.com:abroad/louvre']);
  });

  it('distinguish kinds in different case (X-02)', () => {
    const topology = world(museum('louvre'), exhibition('vinci', { shownIn: [{ kind: 'museum', name: 'louvre' }] }));
    expect(parents(topology, 'Exhibition vinci')).toEqual([]);
    expect(topology.unresolved).toHaveLength(1);
  });
});

describe('Topology.unresolved', () => {
  const vinci = exhibition('vinci', { shownIn: [{ name: 'louvre', wing: 'denon' }] });
  const louvre = museum('louvre', { wings: [{ name: 'denon' }] });
  const missing = (topology: Topology) => topology.unresolved.map((reference) => reference.missing);

  it('names the holder, the reference and the missing target', () => {
    const [unresolved] = world(vinci).unresolved;
    expect(unresolved?.from.locator).toBe('exhibition.culture.example.com:default/vinci');
    expect(unresolved?.reference.pointer).toBe('/spec/shownIn/0');
    expect(unresolved?.missing).toBe('museum.culture.example.com:default/louvre');
  });

  it('ends with #? if only the section is missing', () => {
    expect(missing(world(vinci, museum('louvre', { wings: [{ name: 'sully' }] })))).toEqual([
      'museum.culture.example.com:default/louvre#?',
    ]);
  });

  it('becomes a link when the missing resource is added, and dangles again when it is removed', () => {
    const topology = world(vinci);
    topology.apply({ upsert: [louvre] });
    expect(missing(topology)).toEqual([]);
    expect(parents(topology, 'Exhibition vinci')).toEqual(['louvre#denon']);

    topology.apply({ remove: [louvre] });
    expect(missing(topology)).toEqual(['museum.culture.example.com:default/louvre']);
    expect(parents(topology, 'Exhibition vinci')).toEqual([]);
  });
});

describe('TargetNode.namespace', () => {
  it('is the namespace of an object, as soon as the topology holds it', () => {
    const topology = world(museum('louvre', { wings: [{ name: 'denon' }] }), city('paris'));
    expect(target(topology, 'Museum louvre').namespace).toBeUndefined();
    topology.apply({ upsert: [namespace('default')] });
    expect(target(topology, 'Museum louvre').namespace?.locator).toBe('namespace:default');
    expect(target(topology, 'City paris').namespace).toBeUndefined();
  });

  it('adds neither links nor paths (H-03)', () => {
    const topology = world(museum('louvre'), namespace('default'));
    expect(children(topology, 'Namespace default')).toEqual([]);
    expect(parents(topology, 'Museum louvre')).toEqual([]);
  });
});
