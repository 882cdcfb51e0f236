import { describe, expect, it } from 'vitest';
import { lineage, lineageRef } from './lineage.ts';
import { names } from './museum.fixture.ts';
import { createTopology } from './topology.ts';

describe('lineage', () => {
  it('makes one resource of each name, and one kind of each letter', () => {
    const { kinds, resources } = lineage('g1 > r1 > b1', 'g1>r2>b1');
    expect(kinds.map(({ kind }) => kind)).toEqual(['G', 'R', 'B']);
    const topology = createTopology({ targetKinds: kinds });
    topology.apply({ upsert: resources });
    expect(names(topology.targets)).toEqual(['b1', 'g1', 'r1', 'r2']);
    expect(names(topology.get('b.lineage.example.com:default/b1')?.linksFrom ?? [])).toEqual(['r1', 'r2']);
  });

  it('hands out its kinds by their letters', () => {
    expect(lineage('g1 > gw1').kind('gw').kind).toBe('GW');
    expect(() => lineage('g1').kind('x')).toThrow(expect.objectContaining({ code: 'invalid-lineage' }));
  });

  it.each(['', 'g', '1', 'G1', 'g1 >', 'g1 -> r1'])('refuses "%s"', (path) => {
    expect(() => lineage(path)).toThrow(expect.objectContaining({ code: 'invalid-lineage' }));
  });
});

describe('lineageRef', () => {
  it('returns the fields that target a resource of a lineage', () => {
    expect(lineageRef('g1')).toEqual({ group: 'lineage.example.com', kind: 'G', name: 'g1' });
  });
});
