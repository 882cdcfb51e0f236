import { kgateway } from '@policy-machinery/policy-kind';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gateway, route } from '../gateway-api.fixture.ts';
import { paint, painted, paintPolicy, specsTo } from '../policies.fixture.ts';

const child = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' };
const edge = gateway('edge', { listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] });

const delegatesTo = (names: readonly string[]) => [{ backendRefs: names.map((name) => ({ ...child, name })) }];
const parent = (name: string, ...names: readonly string[]) =>
  route('HTTPRoute', name, { parentRefs: [{ name: 'edge' }], rules: delegatesTo(names) });
const kid = (name: string, ...names: readonly string[]) => route('HTTPRoute', name, { rules: delegatesTo(names) });

/** Returns the effective policies of the rules of all children on the paths through one parent. */
function specsUnder(name: string, resources: Parameters<typeof painted>[2]) {
  const { effective } = painted(paintPolicy(), { delegation: true }, resources);
  const all = Object.entries(specsTo([...effective]));
  return all.filter(([path]) => path.includes(` HTTPRoute default/${name}#`));
}

describe('policies under delegation (H-11)', () => {
  it('gives a child with two parents two effective policies, one for each parent', () => {
    const resources = [edge, parent('a', 'kid'), parent('b', 'kid'), kid('kid')];
    const policies = [
      paint('of-a', 'HTTPRoute default/a', { color: 'red', size: 1 }),
      paint('of-b', 'HTTPRoute default/b', { color: 'blue' }),
      paint('own', 'HTTPRoute default/kid', { size: 2 }),
    ];
    const { effective } = painted(paintPolicy(), { delegation: true }, [...resources, ...policies]);
    expect(specsTo(effective.of('httproute.gateway.networking.k8s.io:default/kid#rule-1'))).toEqual({
      'Gateway default/edge#http > HTTPRoute default/a#rule-1 > HTTPRoute default/kid#rule-1': {
        color: 'red',
        size: 2,
      },
      'Gateway default/edge#http > HTTPRoute default/b#rule-1 > HTTPRoute default/kid#rule-1': {
        color: 'blue',
        size: 2,
      },
    });
  });

  it('gives a child no effective policy while its parents are below no Gateway, and one for each that is', () => {
    const orphan = route('HTTPRoute', 'a', { parentRefs: [{ name: 'gone' }], rules: delegatesTo(['kid']) });
    const policy = paint('own', 'HTTPRoute default/kid', { size: 2 });
    const pathsOf = (...resources: readonly ReturnType<typeof route>[]) => {
      const { effective } = painted(paintPolicy(), { delegation: true }, [edge, kid('kid'), policy, ...resources]);
      return Object.keys(specsTo([...effective]));
    };
    expect(pathsOf()).toEqual([]);
    expect(pathsOf(orphan)).toEqual([]);
    expect(pathsOf(orphan, parent('b', 'kid'))).toEqual([
      'Gateway default/edge#http > HTTPRoute default/b#rule-1 > HTTPRoute default/kid#rule-1',
    ]);
  });

  it('does not affect paths through other parents', () => {
    const kids = ['k1', 'k2', 'k3', 'k4'];
    const later = (index: number) => fc.subarray(kids.slice(index));
    const tree = fc.tuple(later(1), later(2), later(3));
    const painting = fc.subarray(['a', 'b', ...kids]);
    fc.assert(
      fc.property(tree, fc.subarray(kids), fc.subarray(kids), painting, (links, ofA, ofB, targets) => {
        const shared = [edge, parent('a', ...ofA), ...kids.map((name, index) => kid(name, ...(links[index] ?? [])))];
        const policies = targets.map((name) =>
          paint(`on-${name}`, `HTTPRoute default/${name}`, { by: name, [name]: 1 }),
        );
        const without = policies.filter(({ metadata }) => metadata.name !== 'on-b');
        const both = specsUnder('a', [...shared, ...policies, parent('b', ...ofB)]);
        expect(both).toEqual(specsUnder('a', [...shared, ...without]));
      }),
    );
  });

  it.each([
    ['nothing', undefined, { color: 'kid', size: 'parent' }],
    ['ShallowMergePreferChild', 'ShallowMergePreferChild', { color: 'kid', size: 'parent' }],
    ['ShallowMergePreferParent', 'ShallowMergePreferParent', { color: 'parent', size: 'parent' }],
  ])(
    'prefer the child under kgateway, unless an annotation of its parent changes that: %s (X-24)',
    (_, mode, expected) => {
      const above = parent('a', 'kid');
      const annotations = mode === undefined ? {} : { 'kgateway.dev/inherited-policy-priority': mode };
      const annotated = { ...above, metadata: { ...above.metadata, annotations } };
      const policies = [
        paint('above', 'HTTPRoute default/a', { color: 'parent', size: 'parent' }),
        paint('own', 'HTTPRoute default/kid', { color: 'kid' }),
      ];
      const resources = [edge, annotated, kid('kid'), ...policies];
      const { effective } = painted(paintPolicy(kgateway()), { delegation: true }, resources);
      const [own] = effective.of('httproute.gateway.networking.k8s.io:default/kid#rule-1');
      expect(own?.spec).toEqual(expected);
    },
  );
});
