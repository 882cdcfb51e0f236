import { describe, expect, it } from 'vitest';
import { city, exhibition, museum, target, world } from '../museum.fixture.ts';
import { formatPath, formatTarget } from './format.ts';

const topology = world(
  city('paris'),
  museum('louvre', { city: 'paris', wings: [{ name: 'denon' }] }),
  exhibition('vinci', { shownIn: [{ name: 'louvre', wing: 'denon' }] }),
);

describe('formatTarget', () => {
  it.each([
    ['City paris', 'City paris'],
    ['Museum louvre', 'Museum default/louvre'],
    ['Museum louvre#denon', 'Museum default/louvre#denon'],
  ])('writes %s as "%s"', (name, expected) => {
    expect(formatTarget(target(topology, name))).toBe(expected);
  });
});

describe('formatPath', () => {
  it('leaves out an object if its section comes next', () => {
    const [path = []] = topology.pathsTo(target(topology, 'Exhibition vinci'));
    expect(formatPath(path)).toBe('City paris > Museum default/louvre#denon > Exhibition default/vinci');
    expect(formatPath(path.slice(0, 2))).toBe('City paris > Museum default/louvre');
  });
});
