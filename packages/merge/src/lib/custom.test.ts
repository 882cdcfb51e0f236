import type { JsonObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { customStrategy, type Recipe } from './custom.ts';
import { deepFreeze } from './deep-freeze.fixture.ts';
import { mergePatch } from './merge-patch.ts';
import { contributors, listFields, originsAt } from './origin-queries.ts';
import { type Traced, trace } from './origins.ts';
import type { Stanza } from './strategy.ts';

interface Rule {
  readonly name: string;
  readonly rate?: number;
  readonly burst?: number;
}

interface Spec {
  readonly headers?: readonly string[];
  readonly rules?: readonly Rule[];
  readonly limit?: number;
  readonly meta?: { readonly owner?: string; readonly tier?: number };
}

function merge(established: Spec, challenger: Spec, recipe: Recipe<Spec>, stanza: Stanza = 'defaults'): Traced<string> {
  const strategy = customStrategy<Spec>({ [stanza]: recipe });
  const combined = strategy[stanza]?.(
    trace<string>(established as JsonObject, 'gateway'),
    trace<string>(challenger as JsonObject, 'route'),
  );
  if (combined === undefined) throw new TypeError('unsupported');
  return combined;
}

/** Rules of the same name are merged field by field, the challenger's fields prevail; the others are added. */
const mergeRulesByName: Recipe<Spec> = (draft, established) => {
  draft.rules ??= [];
  for (const rule of established.rules ?? []) {
    const same = draft.rules.find(({ name }) => name === rule.name);
    if (same === undefined) draft.rules.push(rule);
    else Object.assign(same, { ...rule, ...same });
  }
};

describe('customStrategy (M-07)', () => {
  it('merges by changing a draft of the challenger', () => {
    const merged = merge({ limit: 5 }, { headers: ['a'] }, (draft, established) => {
      draft.limit ??= established.limit ?? 0;
    });
    expect(merged.value).toEqual({ headers: ['a'], limit: 5 });
  });

  it('merges by returning a new spec, also one that holds parts of the draft', () => {
    const merged = merge(
      { headers: ['x-gateway'], rules: [{ name: 'all', rate: 1 }] },
      { headers: ['x-route'], rules: [{ name: 'own', rate: 2 }] },
      (draft, established) => ({ ...draft, rules: [...(draft.rules ?? []), ...(established.rules ?? [])] }),
    );
    expect(merged.value).toEqual({
      headers: ['x-route'],
      rules: [
        { name: 'own', rate: 2 },
        { name: 'all', rate: 1 },
      ],
    });
  });

  it('can return one of its inputs', () => {
    const [established, challenger] = [{ limit: 1 }, { limit: 2 }];
    expect(merge(established, challenger, (_, it) => it).value).toBe(established);
    expect(merge(established, challenger, () => undefined).value).toBe(challenger);
  });

  it('concatenates lists', () => {
    const merged = merge({ headers: ['x-gateway'] }, { headers: ['x-route'] }, (draft, established) => {
      draft.headers?.push(...(established.headers ?? []));
    });
    expect(merged.value).toEqual({ headers: ['x-route', 'x-gateway'] });
    expect(originsAt(merged.origins, '/headers')).toEqual(['route', 'gateway']);
  });

  it('merges lists by name', () => {
    const merged = merge(
      { rules: [{ name: 'all', rate: 9, burst: 3 }, { name: 'more' }] },
      { rules: [{ name: 'own' }, { name: 'all', rate: 1 }] },
      mergeRulesByName,
    );
    expect(merged.value).toEqual({
      rules: [{ name: 'own' }, { name: 'all', rate: 1, burst: 3 }, { name: 'more' }],
    });
  });

  it.each<[string, { defaults?: Recipe<Spec>; overrides?: Recipe<Spec> }, Stanza[]]>([
    ['defaults', { defaults: () => undefined }, ['defaults']],
    ['overrides', { overrides: () => undefined }, ['overrides']],
    ['both', { defaults: () => undefined, overrides: () => undefined }, ['defaults', 'overrides']],
  ])('supports the stanzas that it has a recipe for: %s', (_, recipes, expected) => {
    const strategy = customStrategy(recipes);
    expect((['defaults', 'overrides'] as const).filter((stanza) => strategy[stanza] !== undefined)).toEqual(expected);
  });
});

describe('customStrategy: origins by comparison (M-24)', () => {
  it('takes a value that equals one input from that input', () => {
    const merged = merge({ limit: 5, meta: { owner: 'ops' } }, { meta: { tier: 2 } }, (draft, established) => ({
      limit: established.limit ?? 0,
      meta: { ...established.meta, ...draft.meta },
    }));
    expect(listFields(merged)).toEqual([
      { pointer: '/limit', by: ['gateway'], removed: false, value: 5 },
      { pointer: '/meta/owner', by: ['gateway'], removed: false, value: 'ops' },
      { pointer: '/meta/tier', by: ['route'], removed: false, value: 2 },
    ]);
  });

  it.each<[Stanza, string]>([
    ['defaults', 'route'],
    ['overrides', 'gateway'],
  ])('under %s takes equal values from the side that prevails: %s', (stanza, expected) => {
    const recipe: Recipe<Spec> = (draft) => ({ limit: draft.limit ?? 0, headers: ['new'] });
    expect(originsAt(merge({ limit: 5 }, { limit: 5 }, recipe, stanza).origins, '/limit')).toEqual([expected]);
  });

  it('takes no list from a side where an item is an empty object instead of another value', () => {
    const strategy = customStrategy<JsonObject>({ overrides: () => ({ list: [5] }) });
    const merged = strategy.overrides?.(trace({ list: [{}] }, 'gateway'), trace({ list: [5] }, 'route'));
    expect(merged && originsAt(merged.origins, '/list')).toEqual(['route']);
  });

  it.each<[string, Spec, Spec, Recipe<Spec>]>([
    [
      'computed from a field of both',
      { limit: 5 },
      { limit: 3 },
      (draft, { limit = 0 }) => ({ limit: limit + (draft.limit ?? 0) }),
    ],
    [
      'computed from a field of one and something else of the other',
      { meta: { tier: 2 } },
      { limit: 3, headers: [] },
      (draft, { meta }) => {
        draft.limit = (draft.limit ?? 0) * (meta?.tier ?? 1);
      },
    ],
    ['that neither had', {}, { headers: [] }, () => ({ headers: [], limit: 7 })],
  ])('takes a value %s from both', (_, established, challenger, recipe) => {
    expect(originsAt(merge(established, challenger, recipe).origins, '/limit')).toEqual(['route', 'gateway']);
  });

  it.each<[string, readonly Rule[], string[]]>([
    ['the items of one', [{ name: 'y' }, { name: 'own' }], ['route', 'gateway']],
    ['some items of one, since the other may have removed the rest', [{ name: 'own' }], ['route', 'gateway']],
    ['equal items, whatever the order of their keys', [{ rate: 1, name: 'all' }, { name: 'x' }], ['gateway']],
    ['items of both', [{ name: 'all', rate: 1 }, { name: 'own' }], ['route', 'gateway']],
    ['an item of one and a new one', [{ name: 'own' }, { name: 'new' }], ['route', 'gateway']],
    ['no items', [], ['route', 'gateway']],
  ])('takes a list from the inputs that its items come from: %s', (_, rules, expected) => {
    const merged = merge(
      { rules: [{ name: 'all', rate: 1 }, { name: 'x' }] },
      { rules: [{ name: 'own' }, { name: 'y' }] },
      () => ({ rules }),
    );
    expect(originsAt(merged.origins, '/rules')).toEqual(expected);
  });

  it('keeps the origins of an earlier merge', () => {
    const below = mergePatch(
      trace<string>({ limit: 1, headers: ['a'] }, 'listener'),
      trace({ headers: ['b'] }, 'route'),
    );
    const strategy = customStrategy<Spec>({
      defaults: (draft) => {
        draft.meta = { tier: 1 };
      },
    });
    const merged = strategy.defaults?.(trace<string>({ meta: { tier: 1 } }, 'gateway'), below);
    expect(merged && listFields(merged)).toEqual([
      { pointer: '/limit', by: ['listener'], removed: false, value: 1 },
      { pointer: '/headers', by: ['route'], removed: false, value: ['b'] },
      { pointer: '/meta/tier', by: ['gateway'], removed: false, value: 1 },
    ]);
  });

  it('keeps the removals of an earlier merge', () => {
    const below = mergePatch(trace<string>({ limit: 1 }, 'listener'), trace({ limit: null }, 'route'));
    const strategy = customStrategy<Spec>({
      defaults: (draft) => {
        draft.headers = ['a'];
      },
    });
    const merged = strategy.defaults?.(trace<string>({ headers: ['a'] }, 'gateway'), below);
    expect(merged && originsAt(merged.origins, '/limit')).toEqual(['route']);
    expect(merged && mergePatch(trace<string>({ limit: 9 }, 'top'), merged).value).toEqual({ headers: ['a'] });
  });

  it('keeps one origin if all fields have the same', () => {
    const merged = merge({ limit: 1 }, { limit: 2 }, (_, { limit = 0 }) => ({ limit }));
    expect(merged.origins).toEqual({ by: ['gateway'] });
  });

  it.each<[string, Recipe<Spec>]>([
    [
      'from the draft',
      (draft) => {
        delete draft.headers;
      },
    ],
    ['by leaving it out of the spec that it returns', ({ limit = 0 }) => ({ limit })],
  ])('takes a field that the recipe removes %s as removed by the established policy', (_, recipe) => {
    const merged = merge({ meta: { owner: 'ops' } }, { limit: 2, headers: ['a'] }, recipe);
    expect(listFields(merged)).toEqual([
      { pointer: '/limit', by: ['route'], removed: false, value: 2 },
      { pointer: '/headers', by: ['gateway'], removed: true, value: undefined },
    ]);
    expect(mergePatch(trace<string>({ headers: ['b'] }, 'top'), merged).value).toEqual({ limit: 2 });
  });

  it('takes nothing from a policy that changed nothing', () => {
    const allAgree: Recipe<Spec> = (draft, { headers = [] }) => {
      draft.headers = draft.headers?.filter((it) => headers.includes(it)) ?? [];
    };
    expect(merge({ headers: ['a', 'b'] }, { headers: ['a'] }, allAgree).origins).toEqual({ by: ['route'] });
    expect(merge({ headers: ['a'] }, { headers: ['a', 'b'] }, allAgree).origins).toEqual({ by: ['gateway'] });
    expect(originsAt(merge({ headers: ['a', 'c'] }, { headers: ['a', 'b'] }, allAgree).origins, '/headers')).toEqual([
      'route',
      'gateway',
    ]);
  });
});

describe('customStrategy: purity (M-01, H-11)', () => {
  it('works on frozen inputs', () => {
    const merged = merge(
      deepFreeze({ rules: [{ name: 'all', rate: 9 }] }),
      deepFreeze({ rules: [{ name: 'all', burst: 1 }] }),
      mergeRulesByName,
    );
    expect(merged.value).toEqual({ rules: [{ name: 'all', burst: 1, rate: 9 }] });
  });

  it('neither freezes nor changes its inputs', () => {
    const established = { rules: [{ name: 'all', rate: 9 }, { name: 'more' }] };
    const challenger = { rules: [{ name: 'all', burst: 1 }] };
    const before = structuredClone([established, challenger]);
    const { value } = merge(established, challenger, mergeRulesByName);
    expect([established, challenger]).toEqual(before);
    const parts = [established, challenger].flatMap((spec) => [spec, spec.rules, ...spec.rules]);
    for (const part of [...parts, value]) expect(Object.isFrozen(part)).toBe(false);
  });

  it('changes no input even where a recipe moves a part of it and then changes it', () => {
    const established = { meta: { owner: 'ops' }, rules: [{ name: 'all' }] };
    const { value } = merge(established, {}, (draft, { meta, rules = [] }) => {
      draft.meta = meta ?? {};
      draft.meta.owner = 'dev';
      draft.rules = [...rules];
      for (const rule of draft.rules) rule.rate = 1;
    });
    expect(value).toEqual({ meta: { owner: 'dev' }, rules: [{ name: 'all', rate: 1 }] });
    expect(established).toEqual({ meta: { owner: 'ops' }, rules: [{ name: 'all' }] });
  });

  it('passes on errors of a recipe, without changing the inputs', () => {
    const challenger = { limit: 1 };
    const failing = () =>
      merge({}, challenger, (draft) => {
        draft.limit = 2;
        throw new RangeError('no such limit');
      });
    expect(failing).toThrow(new RangeError('no such limit'));
    expect(challenger).toEqual({ limit: 1 });
  });

  it.each<[string, Recipe<Spec>, string]>([
    ['a list', (_, { headers }) => void (headers as string[]).push('x'), ' at /headers'],
    ['a field', (_, established) => void Object.assign(established.meta ?? {}, { tier: 3 }), ' at /meta/tier'],
    ['a new field', (_, established) => void Object.assign(established, { limit: 3 }), ''],
    [
      'a part that is not the part that it moves',
      (draft, established) => {
        draft.meta = established.meta ?? {};
        (established.headers as string[]).push('x');
      },
      ' at /headers',
    ],
  ])('refuses a recipe that changes the established spec instead of the draft: %s', (_, recipe, place) => {
    const message = `The recipe changes the established spec${place}; change the draft, or return a new spec`;
    expect(() => merge({ headers: ['a'], meta: { tier: 1 } }, {}, recipe)).toThrow(new TypeError(message));
  });

  it.each<[string, unknown, string]>([
    ['Infinity', { limit: Number.POSITIVE_INFINITY }, '/limit to Infinity'],
    ['NaN', { meta: { tier: Number.NaN } }, '/meta/tier to NaN'],
    [
      'a number in a list',
      { rules: [{ name: 'a' }, { rate: Number.NEGATIVE_INFINITY }] },
      '/rules/1/rate to -Infinity',
    ],
    ['a function', { limit: () => 5 }, '/limit to a function that is not JSON'],
    ['a bigint', { limit: 5n }, '/limit to a bigint that is not JSON'],
  ])('refuses a recipe that returns a value that JSON cannot represent: %s', (_, returned, place) => {
    const recipe = (() => returned) as Recipe<Spec>;
    const message = `The recipe sets ${place}; set a JSON value, or delete the field`;
    expect(() => merge({}, {}, recipe)).toThrow(new TypeError(message));
  });

  it.each([
    ['a list', []],
    ['a scalar', 5],
    ['a promise', Promise.resolve({})],
  ])('refuses a recipe that returns %s', (_, returned) => {
    expect(() => merge({}, {}, (() => returned) as unknown as Recipe<Spec>)).toThrow(TypeError);
  });
});

describe('customStrategy: untrusted inputs', () => {
  const copyAll = customStrategy<Record<string, { readonly polluted?: boolean }>>({
    defaults: (draft, established) => {
      for (const [key, value] of Object.entries(established)) draft[key] = value;
    },
  });
  const hostile = (key: string): Traced<string> => trace(JSON.parse(`{"${key}": {"polluted": true}}`), 'hostile');
  const harmless = trace<string>({ a: {} }, 'harmless');

  it.each(['__proto__', 'constructor', 'prototype'])('keeps the key %s of a draft as data', (key) => {
    const merged = copyAll.defaults?.(harmless, hostile(key));
    expect(JSON.stringify(merged?.value)).toBe(`{"${key}":{"polluted":true},"a":{}}`);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('throws where a recipe assigns to __proto__, and changes no prototype', () => {
    expect(() => copyAll.defaults?.(hostile('__proto__'), harmless)).toThrow('setPrototypeOf');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(harmless.value)).toBe(Object.prototype);
  });

  it('refuses specs that nest too deeply where they differ', () => {
    const deep = (end: number) => JSON.parse(`${'{"a":'.repeat(10_000)}${end}${'}'.repeat(10_000)}`);
    const strategy = customStrategy<{ readonly a: number; readonly moved?: number }>({
      defaults: (draft, established) => {
        draft.moved = established.a;
      },
    });
    const combine = () => strategy.defaults?.(trace(deep(2), 'gateway'), trace(deep(3), 'route'));
    expect(combine).toThrow(expect.objectContaining({ code: 'too-deep' }));
  });

  it('accepts specs of any depth where they equal one input', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
    const strategy = customStrategy<{ readonly a: number; readonly b?: number }>({
      defaults: (draft) => ({ ...draft, b: 1 }),
    });
    const merged = strategy.defaults?.(trace({ b: 1 }, 'gateway'), trace(deep, 'route'));
    expect(merged && originsAt(merged.origins, '/a')).toEqual(['route']);
  });

  it('merges maps and lists of very many entries', () => {
    const length = process.env.LARGE_INPUTS === '1' ? 100_000 : 10_000;
    const numbers = (from: number) => Array.from({ length }, (_, index) => from + index);
    const spec = (from: number) => ({
      list: numbers(from),
      map: Object.fromEntries(numbers(from).map((number) => [`key-${number}`, number])),
    });
    const strategy = customStrategy<ReturnType<typeof spec>>({
      defaults: (draft, { list, map }) => ({ list: [...draft.list, ...list], map: { ...map, ...draft.map } }),
    });
    const merged = strategy.defaults?.(trace(spec(0), 'gateway'), trace(spec(length), 'route'));
    expect(merged && listFields(merged)).toHaveLength(2 * length + 1);
    expect(merged && contributors(merged.origins)).toEqual(['route', 'gateway']);
  });
});
