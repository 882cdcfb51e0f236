import { atomic, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import cdn from '../../vectors/cdn.json' with { type: 'json' };
import foldVsStack from '../../vectors/fold-vs-stack.json' with { type: 'json' };
import figure from '../../vectors/hierarchy-figure.json' with { type: 'json' };
import { anySpec, colorPolicy, compute, specsByPath } from './policies.fixture.ts';

const named = { group: 'colors.example.com', version: 'v1', kind: 'ColorPolicy', spec: anySpec };
const stanzas = defaultsAndOverrides({
  spelling: 'either',
  strategies: { patch, atomic },
  defaultStrategy: 'patch',
  together: 'defaults-and-overrides',
});

describe('effectivePolicies along a hierarchy', () => {
  it('A override > B override > C override > C default > B default > A default, whichever are set (M-11)', () => {
    const { kind, resources } = lineage('a1 > b1 > c1');
    const targets = [kind('a'), kind('b'), kind('c')];
    const colors = definePolicyKind({ ...named, targets, effectiveTargets: [kind('c')], stanzas });
    const precedence = ['a1 overrides', 'b1 overrides', 'c1 overrides', 'c1 defaults', 'b1 defaults', 'a1 defaults'];

    for (let subset = 1; subset < 1 << precedence.length; subset += 1) {
      const set = precedence.filter((_, index) => subset & (1 << index));
      const policies = set.map((place, index) => {
        const [target = '', stanza = ''] = place.split(' ');
        return colorPolicy(`p${index}`, target, { [stanza]: { color: place } }, index);
      });
      const { effective } = compute(colors, targets, [...resources, ...policies]);
      expect(specsByPath(effective)).toEqual({ 'a1>b1>c1': { color: set[0] } });
    }
  });

  it('CDN caching: the Gateway overrides one field and defaults others, and the route sets one of these (M-12)', () => {
    const { kinds, kind, resources } = lineage('g1 > r1');
    const colors = definePolicyKind({
      ...named,
      targets: [kind('g'), kind('r')],
      effectiveTargets: [kind('r')],
      stanzas,
    });
    const policies = cdn.policies.map(({ target, ...spec }, index) =>
      colorPolicy(`p${index}`, target.startsWith('Gateway') ? 'g1' : 'r1', spec),
    );
    const { effective } = compute(colors, kinds, [...resources, ...policies]);
    expect(specsByPath(effective)).toEqual({ 'g1>r1': cdn.expect });

    const [policy] = effective;
    expect(policy?.originOf('/cdn/enabled')).toMatchObject({ stanza: 'overrides', pointer: '/spec/override' });
    expect(policy?.originOf('/cdn/cachePolicy/includeQueryString')?.policy.name).toBe('default/p1');
    expect(policy?.originOf('/cdn/cachePolicy/includeHost')?.policy.name).toBe('default/p0');
  });

  it('one route, two backends: each gets the policies above it and its own (M-19)', () => {
    const { kind, resources } = lineage('g1 > r1 > b1', 'g1 > r1 > b2');
    const targets = [kind('g'), kind('r'), kind('b')];
    const colors = definePolicyKind({ ...named, targets, effectiveTargets: [kind('b')], stanzas });
    const places: Record<string, string> = { 'Gateway/foobar': 'g1', 'HTTPRoute/foobar': 'r1', 'Service/foo': 'b2' };
    const policies = figure.policies.map(({ target, ...spec }, index) =>
      colorPolicy(`p${index}`, places[target] ?? '', spec),
    );
    const { effective } = compute(colors, targets, [...resources, ...policies]);
    expect(specsByPath(effective)).toEqual({
      'g1>r1>b1': figure.expect['Service/bar'],
      'g1>r1>b2': figure.expect['Service/foo'],
    });
  });
});

describe('the reduction of a policy kind (X-04)', () => {
  const effectiveWith = (fold: 'bottom-up' | 'gep-stack') => {
    const { kind, resources } = lineage('a1 > b1 > c1');
    const targets = [kind('a'), kind('b'), kind('c')];
    const colors = definePolicyKind({
      ...named,
      targets,
      effectiveTargets: [kind('c')],
      stanzas: defaultsAndOverrides(),
      fold,
    });
    const policies = foldVsStack.policies.map(({ level, strategy, spec }) => {
      const stanza = strategy === 'AtomicOverrides' ? 'overrides' : 'defaults';
      return colorPolicy(level.toLowerCase(), `${level.toLowerCase()}1`, { [stanza]: spec });
    });
    return specsByPath(compute(colors, targets, [...resources, ...policies]).effective)['a1>b1>c1'];
  };

  it('keeps an override above an intermediate default, from the bottom up', () => {
    expect(effectiveWith('bottom-up')).toEqual(foldVsStack.bottomUpFold);
  });

  it("loses it in GEP-713's stack process, taken literally", () => {
    expect(effectiveWith('gep-stack')).toEqual(foldVsStack.stackProcess);
  });
});

describe('the same level (X-03)', () => {
  const effectiveWith = (sameLevel: 'oldest-wins' | 'established-challenger', stanza: string, seconds: number) => {
    const { kind, resources } = lineage('a1');
    const colors = definePolicyKind({ ...named, targets: [kind('a')], stanzas: defaultsAndOverrides(), sameLevel });
    const policies = [
      colorPolicy('first', 'a1', { [stanza]: { color: 'first' } }, 0),
      colorPolicy('second', 'a1', { [stanza]: { color: 'second' } }, seconds),
    ];
    const [policy] = compute(colors, [kind('a')], [...resources, ...policies]).effective;
    return [policy?.spec.color, policy?.losses[0]?.rule];
  };

  it.each([
    ['oldest-wins', 'defaults', 'older', ['first', 'older']],
    ['oldest-wins', 'overrides', 'older', ['first', 'older']],
    ['established-challenger', 'defaults', 'older', ['second', 'newer']],
    ['established-challenger', 'overrides', 'older', ['first', 'older']],
    ['oldest-wins', 'defaults', 'as old', ['first', 'first-by-name']],
    ['oldest-wins', 'overrides', 'as old', ['first', 'first-by-name']],
    ['established-challenger', 'defaults', 'as old', ['second', 'last-by-name']],
    ['established-challenger', 'overrides', 'as old', ['first', 'first-by-name']],
  ] as const)('%s, %s, the first is %s: %j', (sameLevel, stanza, age, result) => {
    expect(effectiveWith(sameLevel, stanza, age === 'older' ? 1 : 0)).toEqual(result);
  });
});

describe('null in a patch (M-20)', () => {
  const effectiveWith = (above: object | undefined) => {
    const { kind, resources } = lineage('a1 > b1');
    const targets = [kind('a'), kind('b')];
    const colors = definePolicyKind({ ...named, targets, effectiveTargets: [kind('b')], stanzas });
    const below = colorPolicy('below', 'b1', { dark: null, light: 'blue' });
    const policies = above === undefined ? [below] : [below, colorPolicy('above', 'a1', above)];
    return specsByPath(compute(colors, targets, [...resources, ...policies]).effective)['a1>b1'];
  };

  it.each([
    ['nothing', undefined, { light: 'blue' }],
    ['a default of the field', { defaults: { dark: 'olive' } }, { light: 'blue' }],
    ['an override of another field', { overrides: { size: 1 } }, { light: 'blue', size: 1 }],
    ['an override of the field', { overrides: { dark: 'olive' } }, { light: 'blue', dark: 'olive' }],
  ])('removes the field below %s', (_above, above, expected) => {
    expect(effectiveWith(above)).toEqual(expected);
  });
});
