import { definePolicyKind, gep713Experimental } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from './policies.fixture.ts';

/** The effective spec of r1 below g1, from policies written as `[target, spec]`, each newer than the one before. */
function specOf(
  options: Parameters<typeof gep713Experimental>[0],
  ...policies: readonly (readonly [string, object])[]
) {
  const { kind, kinds, resources } = lineage('g1 > r1');
  const Colors = definePolicyKind({
    ...gep713Experimental(options),
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    targets: kinds,
    effectiveTargets: [kind('r')],
    spec: anySpec,
  });
  const declared = policies.map(([target, spec], index) => colorPolicy(`p${index}`, target, spec, index));
  return [...compute(Colors, kinds, [...resources, ...declared]).effective][0]?.spec;
}

describe('the gep713Experimental profile', () => {
  const map = [
    ['g1', { override: { labels: { foo: 'c' }, cdn: { host: 'g' } } }],
    ['r1', { default: { labels: { foo: 'a', bar: 'b' }, cdn: { host: 'r', query: 'r' } } }],
  ] as const;

  it('merges structs field by field and replaces the maps of strings that it is told of (M-15, M-16)', () => {
    expect(specOf({ maps: ['/labels'] }, ...map)).toEqual({ labels: { foo: 'c' }, cdn: { host: 'g', query: 'r' } });
    expect(specOf({}, ...map)).toMatchObject({ labels: { foo: 'c', bar: 'b' } });
  });

  it('replaces lists, except those that it is told the keys of (M-16, M-17)', () => {
    const lists = [
      ['g1', { override: { ports: [{ name: 'a', size: 1 }] } }],
      ['r1', { default: { ports: [{ name: 'a', size: 2, color: 2 }, { name: 'b' }] } }],
    ] as const;
    expect(specOf({}, ...lists)).toEqual({ ports: [{ name: 'a', size: 1 }] });
    expect(specOf({ lists: { '/ports': { keys: ['name'] } } }, ...lists)).toEqual({
      ports: [{ name: 'a', size: 1, color: 2 }, { name: 'b' }],
    });
  });

  it('takes empty lists for unset, and the older of one level first, in both stanzas (M-14, X-03)', () => {
    const policies = [
      ['r1', { default: { ports: [] }, override: { size: 'older' } }],
      ['r1', { default: { ports: [1] }, override: { size: 'newer' } }],
    ] as const;
    expect(specOf({}, ...policies)).toEqual({ ports: [1], size: 'older' });
  });
});
