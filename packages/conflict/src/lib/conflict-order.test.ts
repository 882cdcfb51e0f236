import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byAge, byLevel, byName, byWeight, type Contender, conflictOrder, isWeight } from './conflict-order.ts';

const order = conflictOrder(byLevel, byAge, byName);
const contender = (level: number, createdAt: number | undefined, name: string): Contender => ({
  level,
  createdAt,
  name,
});

const contenders = fc.record<Contender>({
  level: fc.nat({ max: 2 }),
  createdAt: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
  name: fc.constantFrom('a/x', 'a/y', 'a-b/x', 'b/x', 'cluster-wide'),
});

describe('conflictOrder', () => {
  it.each<[string, string, Contender, Contender]>([
    ['level', 'the less specific, even if newer (C-01)', contender(0, 9, 'z/z'), contender(1, 1, 'a/a')],
    ['age', 'the older, on one level (C-02)', contender(1, 1, 'z/z'), contender(1, 2, 'a/a')],
    ['age', 'the one with a known age', contender(1, 2, 'z/z'), contender(1, undefined, 'a/a')],
    ['name', 'the first by name, at the same age (C-03)', contender(1, 1, 'foo/bar'), contender(1, 1, 'foo/baz')],
    [
      'name',
      'the first by name, when both ages are unknown',
      contender(1, undefined, 'a/a'),
      contender(1, undefined, 'a/b'),
    ],
    ['name', 'the first by the joined namespace/name', contender(1, 1, 'a-b/x'), contender(1, 1, 'a/x')],
    ['name', 'by code units, whatever the locale', contender(1, 1, 'a/B'), contender(1, 1, 'a/a')],
  ])('decides by %s: established is %s', (rule, _, established, challenger) => {
    expect(order.rank(established, challenger)).toEqual({ established, challenger, rule });
    expect(order.rank(challenger, established)).toEqual({ established, challenger, rule });
    expect(order.compare(established, challenger)).toBeLessThan(0);
  });

  it('reports no rule if none distinguishes two items, and establishes the first', () => {
    const [a, b] = [contender(1, 1, 'a/a'), contender(1, 1, 'a/a')];
    const ranking = order.rank(a, b);
    expect(ranking.established).toBe(a);
    expect(ranking.challenger).toBe(b);
    expect(ranking.rule).toBeUndefined();
  });

  it('sorts established first', () => {
    const sorted = [
      contender(0, 2, 'b/x'),
      contender(0, 2, 'b/y'),
      contender(1, 1, 'a/x'),
      contender(1, undefined, 'a/a'),
    ];
    expect([...sorted].reverse().sort(order.compare)).toEqual(sorted);
  });

  it('accepts your own rules', () => {
    const byWeight = { name: 'weight', compare: (a: { weight: number }, b: { weight: number }) => b.weight - a.weight };
    const heavy = { weight: 9, name: 'z' };
    const light = { weight: 1, name: 'a' };
    expect(conflictOrder<typeof heavy>(byWeight, byName).rank(light, heavy)).toEqual({
      established: heavy,
      challenger: light,
      rule: 'weight',
    });
  });

  it('is antisymmetric, and finds a tie only between identical policies', () => {
    fc.assert(
      fc.property(contenders, contenders, (a, b) => {
        expect(Math.sign(order.compare(a, b))).toBe(0 - Math.sign(order.compare(b, a)));
        expect(order.compare(a, b) === 0).toBe(a.level === b.level && a.createdAt === b.createdAt && a.name === b.name);
      }),
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(contenders, contenders, contenders, (a, b, c) => {
        fc.pre(order.compare(a, b) <= 0 && order.compare(b, c) <= 0);
        expect(order.compare(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('sorts the same policies equally from any order (M-27)', () => {
    const shuffled = fc
      .array(contenders, { maxLength: 8 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect([...other].sort(order.compare)).toEqual([...list].sort(order.compare));
      }),
    );
  });
});

describe('isWeight', () => {
  it.each([
    ['0', true],
    ['+5', true],
    ['2147483647', true],
    ['2147483648', false],
    ['-2147483648', true],
    ['-2147483649', false],
    ['3000000000', false],
    ['high', false],
    ['1.5', false],
    ['', false],
  ])('says of %j: %s', (text, expected) => {
    expect(isWeight(text)).toBe(expected);
  });
});

describe('byWeight', () => {
  const order = conflictOrder<ReturnType<typeof policy>>(byWeight('example.com/weight'), byName);
  const policy = (name: string, weight?: string) => ({
    name,
    resource: {
      apiVersion: 'v1',
      kind: 'Policy',
      metadata: { name, ...(weight === undefined ? {} : { annotations: { 'example.com/weight': weight } }) },
    },
  });

  it('establishes the greater weight, and treats a missing or non-integer weight as 0 (G-12)', () => {
    const policies = [policy('a'), policy('b', '-1'), policy('c', '10'), policy('d', 'heavy'), policy('e', '2')];
    expect(policies.sort(order.compare).map(({ name }) => name)).toEqual(['c', 'e', 'a', 'd', 'b']);
    expect(order.rank(policy('x', '1'), policy('y')).rule).toBe('weight');
  });
});
