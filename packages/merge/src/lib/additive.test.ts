import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { additive } from './additive.ts';
import { deepFreeze } from './deep-freeze.fixture.ts';
import { contributors, originsAt } from './origin-queries.ts';
import { type Traced, trace } from './origins.ts';
import { strategyName, type TwoSidedStrategy } from './strategy.ts';

/** A policy, as a reader hands it to the strategy. */
interface Member {
  readonly group: string;
  readonly name: string;
  readonly spec: { readonly [field: string]: string | readonly number[] };
}

const groups = ['CUSTOM', 'DENY', 'ALLOW'] as const;
const strategy = additive(...groups);

const said = ({ group, name, spec }: Member): Traced<string> => trace(deepFreeze({ [group]: { [name]: spec } }), name);
const all = (members: readonly Member[], by: TwoSidedStrategy = strategy): Traced<string> =>
  members.map(said).reduce((established, challenger) => by.defaults(established, challenger));

const member = (group: string, name: string, spec: Member['spec'] = { rules: [1] }): Member => ({ group, name, spec });

describe('additive', () => {
  it('keeps the policies of both sides, each with its origin', () => {
    const merged = all([member('DENY', 'shop/guests'), member('DENY', 'shop/bots'), member('ALLOW', 'shop/staff')]);
    expect(merged.value).toEqual({
      DENY: { 'shop/guests': { rules: [1] }, 'shop/bots': { rules: [1] } },
      ALLOW: { 'shop/staff': { rules: [1] } },
    });
    expect(originsAt(merged.origins, '/DENY/shop~1bots')).toEqual(['shop/bots']);
    expect(contributors(merged.origins)).toEqual(['shop/guests', 'shop/bots', 'shop/staff']);
  });

  it('keeps a policy without any field', () => {
    const merged = all([member('ALLOW', 'shop/nobody', {}), member('ALLOW', 'shop/staff')]);
    expect(merged.value).toEqual({ ALLOW: { 'shop/nobody': {}, 'shop/staff': { rules: [1] } } });
    expect(originsAt(merged.origins, '/ALLOW/shop~1nobody')).toEqual(['shop/nobody']);
  });

  it('has the groups in their order, then others, and in a group the established policy first', () => {
    const merged = all([
      member('OTHER', 'a'),
      member('ALLOW', 'b'),
      member('ALLOW', 'a'),
      member('CUSTOM', 'z'),
      member('DENY', 'y'),
    ]);
    expect(Object.keys(merged.value)).toEqual(['CUSTOM', 'DENY', 'ALLOW', 'OTHER']);
    expect(Object.keys(merged.value.ALLOW ?? {})).toEqual(['b', 'a']);
    expect(contributors(merged.origins)).toEqual(['z', 'y', 'b', 'a']);
  });

  it('is a custom strategy to GEP-713 (M-08)', () => {
    expect(strategyName(strategy, 'defaults')).toBe('Custom');
  });
});

describe('the laws of additive', () => {
  const spec = fc.dictionary(fc.constantFrom('rules', 'when'), fc.constantFrom<string | number[]>('x', [1], [1, 2]));
  const members = fc.uniqueArray(
    fc.record({
      group: fc.constantFrom(...groups, 'OTHER'),
      name: fc.constantFrom('a/x', 'a/y', 'b/x', 'b/y', 'c', '1', '__proto__'),
      spec,
    }),
    { selector: ({ name }) => name, minLength: 1, maxLength: 7 },
  );
  const shuffled = members.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );

  /** A second implementation: the policies as a list. */
  const listed = (list: readonly Member[]) =>
    list.map(({ group, name, spec }) => JSON.stringify([group, name, spec])).sort();
  const listedIn = ({ value, origins }: Traced<string>) =>
    Object.entries(value).flatMap(([group, there]) =>
      Object.entries(there as Record<string, unknown>).map(([name, spec]) => {
        expect(originsAt(origins, `/${group}/${name.replaceAll('/', '~1')}`)).toEqual([name]);
        return JSON.stringify([group, name, spec]);
      }),
    );

  it('nothing is lost and nothing comes in, as defaults and as overrides', () => {
    fc.assert(
      fc.property(members, (list) => {
        expect(listedIn(all(list)).sort()).toEqual(listed(list));
        const swapped = { ...strategy, defaults: strategy.overrides };
        expect(listedIn(all(list, swapped)).sort()).toEqual(listed(list));
      }),
    );
  });

  it('the order of policies does not matter, but for the order in a group', () => {
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(all(other).value).toEqual(all(list).value);
      }),
    );
  });

  it('it does not matter how policies are grouped into merges', () => {
    fc.assert(
      fc.property(members, members, members, (a, b, c) => {
        const named = (list: readonly Member[], prefix: string) =>
          all(list.map((it) => ({ ...it, name: `${prefix}${it.name}` })));
        const [x, y, z] = [named(a, 'a'), named(b, 'b'), named(c, 'c')] as const;
        const left = strategy.defaults(strategy.defaults(x, y), z);
        const right = strategy.defaults(x, strategy.defaults(y, z));
        expect(JSON.stringify(left.value)).toBe(JSON.stringify(right.value));
        expect(contributors(left.origins)).toEqual(contributors(right.origins));
      }),
    );
  });

  it('a policy that is there twice counts once', () => {
    fc.assert(
      fc.property(members, (list) => {
        const once = all(list);
        const twice = strategy.defaults(once, once);
        expect(twice.value).toEqual(once.value);
        expect(contributors(twice.origins)).toEqual(contributors(once.origins));
      }),
    );
  });
});
