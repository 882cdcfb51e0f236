import { atomic, customStrategy, fieldWise, jsonPatch, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind, type Fold, withConditions } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';
import type { ContextLayer } from '../fold/context-layer.ts';
import { describeRule, describeStrategy } from '../fold/rule.ts';
import type { EffectiveField } from '../reasons/fields.ts';
import type { EffectivePolicy } from './effective-policy.ts';

type Spec = Record<string, unknown>;

const fail = () => {
  throw new Error('out of paint');
};
const failing = customStrategy<Spec>({ defaults: fail, overrides: fail });
const append = customStrategy<{ readonly [field: string]: unknown }>({
  defaults: (draft, established) => {
    draft.colors = [draft.colors, established.colors].flat();
  },
});
const { kind, kinds, resources } = lineage('a1 > b1 > c1');

/** The effective policy of c1, from policies written as `[target, spec]`: p1, p2 …, each newer than the one before. */
function effectiveOf(policies: readonly (readonly [string, object])[], fold: Fold = 'bottom-up') {
  const Colors = definePolicyKind({
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    targets: [kind('a'), kind('b'), kind('c')],
    effectiveTargets: [kind('c')],
    spec: anySpec,
    stanzas: defaultsAndOverrides({
      strategies: {
        patch,
        atomic,
        failing,
        append,
        ...(fold === 'gep-stack' ? {} : { jsonPatch: jsonPatch() }), // They cannot meet.
        byName: fieldWise({ at: { '/list': { keys: ['name'] } } }),
      },
      defaultStrategy: 'patch',
      together: 'defaults-and-overrides',
    }),
    fold,
  });
  const declared = policies.map(([target, spec], index) => colorPolicy(`p${index + 1}`, target, spec, index));
  const [policy] = compute(Colors, kinds, [...resources, ...declared], { maxFields: 100_000 }).effective;
  if (policy === undefined) throw new Error('no policy reaches c1');
  return policy;
}

const names = (layers: readonly { readonly policy: { readonly name: string } }[]): string =>
  layers.map(({ policy }) => policy.name.replace('default/', '')).join();

const written = ({ losses }: EffectivePolicy<Spec>): readonly string[] =>
  losses.map(({ layer, pointer, winners, strategy, rule }) => {
    return `${names([layer])}${pointer} < ${names(winners)}: ${strategy}, ${describeRule(rule)}`;
  });

describe('EffectivePolicy.originsOf', () => {
  const policy = effectiveOf([
    ['a1', { paint: { red: 1, blue: 1 } }],
    ['b1', { paint: { red: 2 }, size: { height: 2 } }],
  ]);

  it('names all layers that set a part of a field; originOf names the only one', () => {
    expect(names(policy.originsOf(''))).toBe('p2,p1');
    expect(names(policy.originsOf('/paint'))).toBe('p2,p1');
    expect(policy.originOf('/paint')).toBeUndefined();
    expect(policy.originOf('/paint/red')?.policy.name).toBe('default/p2');
    expect(policy.originOf('/paint/blue')?.policy.name).toBe('default/p1');
    expect(policy.originOf('/size')).toMatchObject({ stanza: 'defaults', pointer: '/spec' });
  });

  it('is empty for a field that does not exist', () => {
    for (const absent of ['/none', '/size/width', '/size/height/of', '/paint/green', '/constructor']) {
      expect(policy.originsOf(absent)).toEqual([]);
      expect(policy.originOf(absent)).toBeUndefined();
    }
  });

  it('refuses a malformed pointer', () => {
    expect(() => policy.originsOf('paint')).toThrow(TypeError);
  });

  it('names the layer that removed a field (M-20)', () => {
    const removing = effectiveOf([
      ['a1', { paint: { red: 1, blue: 1 } }],
      ['b1', { paint: { red: null } }],
    ]);
    expect(names(removing.originsOf('/paint/red'))).toBe('p2');
    expect(names(removing.originsOf('/paint/red/deep'))).toBe('p2');
  });
});

describe('EffectivePolicy.origins', () => {
  it('lists maximal subtrees: one entry for a spec that comes from one policy', () => {
    const alone = effectiveOf([['a1', { paint: { red: 1, blue: 1 }, size: 1 }]]);
    expect(alone.origins.map(({ pointer, by }) => [pointer, names(by)])).toEqual([['', 'p1']]);
  });

  it('lists each part of a spec that comes from several policies', () => {
    const mixed = effectiveOf([
      ['a1', { paint: { red: 1, blue: 1 } }],
      ['b1', { paint: { red: 2 }, size: { height: 2, width: 2 } }],
    ]);
    expect(mixed.origins.map(({ pointer, by }) => [pointer, names(by)])).toEqual([
      ['/paint/red', 'p2'],
      ['/paint/blue', 'p1'],
      ['/size', 'p2'],
    ]);
  });
});

describe('EffectivePolicy.losses', () => {
  it('names the losses, with the winner, the strategy and the rule (M-24)', () => {
    const policy = effectiveOf([
      ['a1', { overrides: { red: 1 } }],
      ['b1', { red: 2, blue: 2 }],
      ['b1', { blue: 3, green: 3 }],
      ['c1', { blue: 4 }],
    ]);
    expect(policy.spec).toEqual({ red: 1, blue: 4, green: 3 });
    expect(written(policy)).toEqual([
      'p2/blue < p4: Patch defaults, is more specific',
      'p3/blue < p4: Patch defaults, is more specific',
      'p2 < p1: Patch overrides, is less specific and prevails',
    ]);
  });

  it('distinguishes defaults from overrides, and older from newer, on one level', () => {
    const policy = effectiveOf([
      ['b1', { defaults: { red: 1, blue: 1 }, overrides: { green: 1 } }],
      ['b1', { overrides: { blue: 2, green: 2 } }],
      ['b1', { defaults: { red: 3 } }],
    ]);
    expect(written(policy)).toEqual([
      'p3 < p1: Patch defaults, is older',
      'p1/blue < p2: Patch overrides, overrides, the other is a default',
      'p2/green < p1: Patch overrides, is older',
    ]);
  });

  it('does not count a removal as a loss of the layer that removed (M-20)', () => {
    const policy = effectiveOf([
      ['a1', { red: 1 }],
      ['b1', { red: null }],
    ]);
    expect(policy.spec).toEqual({});
    expect(written(policy)).toEqual(['p1 < p2: Patch defaults, is more specific']);
  });
});

describe('EffectivePolicy.fields', () => {
  const fieldsOf = (policy: EffectivePolicy<Spec>) =>
    policy.fields.map(({ pointer, value, by, over }: EffectiveField<Spec>) => {
      return [pointer, value, names(by), over.map(({ layer }) => names([layer])).join()];
    });

  it('lists every field with its value, the layers that set it, and those that lost', () => {
    const policy = effectiveOf([
      ['a1', { paint: { red: 1, blue: 1 }, list: [1] }],
      ['b1', { paint: { red: 2 } }],
      ['c1', { paint: { red: 3 }, list: [3, 3] }],
    ]);
    expect(fieldsOf(policy)).toEqual([
      ['/paint/red', 3, 'p3', 'p2,p1'],
      ['/paint/blue', 1, 'p1', ''],
      ['/list', [3, 3], 'p3', 'p1'],
    ]);
  });

  it('finds the layers that lost a field when the whole spec was replaced', () => {
    const policy = effectiveOf([
      ['a1', { overrides: { strategy: 'atomic', paint: { red: 1 } } }],
      ['b1', { paint: { red: 2 }, size: 2 }],
      ['c1', { paint: 'any' }],
    ]);
    expect(fieldsOf(policy)).toEqual([
      ['/paint/red', 1, 'p1', 'p2,p3'],
      ['/size', undefined, '', 'p2'],
    ]);
  });

  it('has the value that each loser had set', () => {
    const policy = effectiveOf([
      ['a1', { red: 1 }],
      ['c1', { red: 3 }],
    ]);
    expect(policy.fields[0]?.over).toMatchObject([{ pointer: '/red', value: 1, rule: 'more-specific' }]);
  });

  it('counts a field once if it was lost before the rest of its spec', () => {
    const policy = effectiveOf([
      ['a1', { overrides: { strategy: 'atomic', red: 1 } }],
      ['b1', { red: 2, blue: 2 }],
      ['c1', { red: 3 }],
    ]);
    expect(fieldsOf(policy)).toEqual([
      ['/red', 1, 'p1', 'p2,p3'],
      ['/blue', undefined, '', 'p2'],
    ]);
  });

  it('lists a field that was removed, without a value (M-20)', () => {
    const policy = effectiveOf([
      ['a1', { red: 1, blue: 1 }],
      ['b1', { red: 2 }],
      ['c1', { red: null }],
    ]);
    expect(policy.spec).toEqual({ blue: 1 });
    expect(fieldsOf(policy)).toEqual([
      ['/blue', 1, 'p1', ''],
      ['/red', undefined, 'p3', 'p2,p1'],
    ]);
  });

  it('names all layers with values that a custom strategy combined (M-07)', () => {
    const policy = effectiveOf([
      ['a1', { strategy: 'append', colors: ['red'] }],
      ['b1', { strategy: 'append', colors: ['blue'] }],
    ]);
    expect(fieldsOf(policy)).toEqual([['/colors', ['blue', 'red'], 'p2,p1', '']]);
  });
});

describe('EffectivePolicy.issues', () => {
  const policies = [
    ['a1', { red: 1, green: 1 }],
    ['b1', { strategy: 'failing', red: 2 }],
    ['c1', { blue: 3 }],
  ] as const;

  const failure = {
    code: 'strategy-failed',
    severity: 'error',
    resource: 'colorpolicy.colors.example.com:default/p2',
    pointer: '/spec',
    message: expect.stringContaining('out of paint'),
  };

  it('reports a failing strategy, and leaves out the defaults', () => {
    const policy = effectiveOf(policies);
    expect(policy.spec).toEqual({ red: 1, green: 1, blue: 3 });
    expect(policy.issues).toMatchObject([failure]);
    expect(written(policy)).toEqual(['p2 < p3: Atomic defaults, is more specific']);
  });

  it('reports a failing strategy, and lets the overrides replace everything below', () => {
    const policy = effectiveOf([
      ['a1', { red: 1, green: 1 }],
      ['b1', { overrides: { strategy: 'failing', red: 2 } }],
      ['c1', { blue: 3 }],
    ]);
    expect(policy.spec).toEqual({ red: 2, green: 1 });
    expect(policy.issues).toMatchObject([{ ...failure, pointer: '/spec/overrides' }]);
  });

  it('reports a failing strategy in the literal stack process as well', () => {
    const policy = effectiveOf(policies, 'gep-stack');
    expect(policy.spec).toEqual({ blue: 3 });
    expect(policy.issues).toMatchObject([failure]);
  });

  it("lets a newer policy of the level follow its own strategy if the older one's fails", () => {
    const policy = effectiveOf([
      ['a1', { strategy: 'failing', red: 1 }],
      ['a1', { green: 2 }],
      ['c1', { blue: 3 }],
    ]);
    expect(policy.spec).toEqual({ green: 2, blue: 3 });
    expect(policy.issues.map(({ resource }) => resource)).toEqual(['colorpolicy.colors.example.com:default/p1']);
  });

  it('reports the operations that a JSON Patch cannot apply by index, and applies the others', () => {
    const operations = [
      { op: 'replace', path: '/none', value: 1 },
      { op: 'replace', path: '/red', value: 1 },
    ];
    const policy = effectiveOf([
      ['a1', { overrides: { strategy: 'jsonPatch', operations } }],
      ['c1', { red: 3, blue: 3 }],
    ]);
    expect(policy.spec).toEqual({ red: 1, blue: 3 });
    expect(names(policy.originsOf('/red'))).toBe('p1');
    expect(policy.issues).toMatchObject([
      { code: 'merge-problem', pointer: '/spec/overrides', message: expect.stringContaining('operation 0') },
    ]);
    const alone = effectiveOf([['a1', { strategy: 'jsonPatch', operations: [{ op: 'add', path: '/red', value: 1 }] }]]);
    expect(alone.spec).toEqual({ red: 1 });
  });

  it('is usually empty', () => {
    expect(effectiveOf([['a1', { red: 1 }]]).issues).toEqual([]);
  });
});

describe('EffectivePolicy.spec', () => {
  it('keeps a removed field absent, whatever less specific policies set (M-20)', () => {
    const policy = effectiveOf([
      ['a1', { red: 1 }],
      ['b1', { red: null, blue: 2 }],
      ['c1', { green: 3 }],
    ]);
    expect(policy.spec).toEqual({ blue: 2, green: 3 });
  });

  it("removes a field below by an override's null", () => {
    const policy = effectiveOf([
      ['a1', { overrides: { red: null } }],
      ['c1', { red: 3, blue: 3 }],
    ]);
    expect(policy.spec).toEqual({ blue: 3 });
    expect(written(policy)).toEqual(['p2/red < p1: Patch overrides, is less specific and prevails']);
  });

  it('lets the older policy of a level choose the strategy of the newer one, in both folds (C-05)', () => {
    const policies = [
      ['b1', { strategy: 'atomic', red: 1 }],
      ['b1', { blue: 2 }],
    ] as const;
    expect(effectiveOf(policies, 'bottom-up').spec).toEqual({ red: 1 });
    expect(effectiveOf(policies, 'gep-stack').spec).toEqual({ red: 1 });
  });
});

describe('EffectivePolicy.losses, of specs that are not merged field by field', () => {
  it('are empty for an applied JSON Patch, and for lists that all levels add to', () => {
    const operations = [{ op: 'add', path: '/red', value: 1 }];
    const patched = effectiveOf([
      ['a1', { overrides: { strategy: 'jsonPatch', operations } }],
      ['c1', { blue: 3 }],
    ]);
    expect(patched.spec).toEqual({ red: 1, blue: 3 });
    expect(patched.losses).toEqual([]);

    const listed = effectiveOf(
      ['a1', 'b1', 'c1'].map((target) => [target, { strategy: 'byName', list: [{ name: target }] }] as const),
    );
    expect(listed.spec).toEqual({ list: [{ name: 'c1' }, { name: 'b1' }, { name: 'a1' }] });
    expect(listed.losses).toEqual([]);
  });

  it('name the list as a whole if no such list is left', () => {
    const policy = effectiveOf([
      ['a1', { overrides: { strategy: 'atomic' } }],
      ['b1', { overrides: { strategy: 'byName', list: [{ name: 'y', size: 2 }] } }],
      [
        'c1',
        {
          strategy: 'byName',
          list: [
            { name: 'x', size: 3 },
            { name: 'y', size: 3 },
          ],
        },
      ],
    ]);
    expect(policy.spec).toEqual({});
    expect(new Set(policy.losses.map(({ pointer }) => pointer))).toEqual(new Set(['/list', '']));
  });

  it('name fields in lists that are merged by key, wherever later levels move the items', () => {
    const item = (name: string, fields: object) => ({ name, ...fields });
    const policy = effectiveOf([
      ['a1', { strategy: 'byName', list: [item('x', { size: 1 }), item('y', { size: 1 }), item('z', { zone: 1 })] }],
      ['b1', { overrides: { strategy: 'byName', list: [item('z', { size: 2 })] } }],
      ['c1', { strategy: 'byName', list: [item('z', { size: 3, shape: 3 })] }],
    ]);
    expect(policy.spec).toEqual({
      list: [item('x', { size: 1 }), item('y', { size: 1 }), item('z', { size: 2, shape: 3, zone: 1 })],
    });
    expect(written(policy)).toEqual(['p3/list/2/size < p2: Custom, is less specific and prevails']);
    expect(policy.fields.map(({ pointer, value, by, over }) => [pointer, value, names(by), over.length])).toEqual([
      ['/list/0/name', 'x', 'p1', 0],
      ['/list/0/size', 1, 'p1', 0],
      ['/list/1/name', 'y', 'p1', 0],
      ['/list/1/size', 1, 'p1', 0],
      ['/list/2/name', 'z', 'p2', 0],
      ['/list/2/zone', 1, 'p1', 0],
      ['/list/2/size', 2, 'p2', 1],
      ['/list/2/shape', 3, 'p3', 0],
    ]);
  });

  it('are found among very many fields', () => {
    const length = process.env.LARGE_INPUTS === '1' ? 90_000 : 9_000;
    const spec = (value: number) => Object.fromEntries(Array.from({ length }, (_, key) => [`k${key}`, value]));
    const policy = effectiveOf([
      ['a1', spec(1)],
      ['b1', { ...spec(2), only: 2 }],
      ['c1', { k7: 3 }],
    ]);
    expect(policy.losses).toHaveLength(length + 1); // One of p2, and all of p1, which lost to two others.
    expect(policy.fields).toHaveLength(length + 1);
  });
});

describe('withinObject beside conditions', () => {
  it('evaluates the condition of a parent on the result below its object', () => {
    const Colors = definePolicyKind({
      group: 'colors.example.com',
      version: 'v1',
      kind: 'ColorPolicy',
      targets: [kind('a'), kind('c')],
      effectiveTargets: [kind('c')],
      spec: anySpec,
      stanzas: withConditions(defaultsAndOverrides({ strategies: { patch } }), {
        compile: (field) => (spec) => ({ holds: Object.hasOwn(spec, field) }),
      }),
      withinObject: { strategy: patch, stanza: 'defaults' },
    });
    const specOf = (when: string) => {
      const policies = [colorPolicy('p1', 'a1', { overrides: { when, red: 1 } }), colorPolicy('p2', 'c1', { blue: 2 })];
      return [...compute(Colors, kinds, [...resources, ...policies]).effective][0]?.spec;
    };
    expect(specOf('blue')).toEqual({ red: 1, blue: 2 });
    expect(specOf('green')).toEqual({ blue: 2 });
  });
});

describe('conditions that fail on some spec', () => {
  const specAndIssues = (failing?: 'applies' | 'is-left-out') => {
    const Colors = definePolicyKind({
      group: 'colors.example.com',
      version: 'v1',
      kind: 'ColorPolicy',
      targets: [kind('a'), kind('c')],
      effectiveTargets: [kind('c')],
      spec: anySpec,
      stanzas: withConditions(
        defaultsAndOverrides({ strategies: { patch } }),
        { compile: () => () => ({ error: 'out of paint', missing: false }) },
        failing === undefined ? {} : { failing },
      ),
    });
    const policies = [
      colorPolicy('p1', 'a1', { overrides: { when: 'any', red: 1 } }),
      colorPolicy('p2', 'c1', { red: 2 }),
    ];
    const [policy] = compute(Colors, kinds, [...resources, ...policies]).effective;
    return [policy?.spec, policy?.issues.map(({ message }) => message)];
  };

  it('leave their stanza in force, unless the kind leaves it out, and are reported', () => {
    expect(specAndIssues()).toEqual([{ red: 1 }, ['its condition failed, so it applies: out of paint']]);
    expect(specAndIssues('is-left-out')).toEqual([
      { red: 2 },
      ['its condition failed, so it is left out: out of paint'],
    ]);
  });
});

describe('withinObject', () => {
  it.each([
    ['defaults', { red: 'older', blue: 'newer' }],
    ['overrides', { red: 'older', blue: 'newer' }],
  ] as const)('prefers the older of one level, whichever stanza they write, by %s (G-01)', (stanza, expected) => {
    const Colors = definePolicyKind({
      group: 'colors.example.com',
      version: 'v1',
      kind: 'ColorPolicy',
      targets: [kind('c')],
      spec: anySpec,
      stanzas: defaultsAndOverrides({ strategies: { patch } }),
      withinObject: { strategy: patch, stanza },
    });
    for (const written of ['defaults', 'overrides']) {
      const policies = [
        colorPolicy('p1', 'c1', { [written]: { red: 'older' } }),
        colorPolicy('p2', 'c1', { [written]: { red: 'newer', blue: 'newer' } }, 1),
      ];
      const [policy] = compute(Colors, kinds, [...resources, ...policies]).effective;
      expect(policy?.spec).toEqual(expected);
    }
  });
});

describe('conditions in the literal stack process', () => {
  const Colors = definePolicyKind({
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    targets: [kind('a'), kind('b'), kind('c')],
    effectiveTargets: [kind('c')],
    spec: anySpec,
    stanzas: withConditions(defaultsAndOverrides({ strategies: { patch } }), {
      compile: (field) => (spec) => ({ holds: Object.hasOwn(spec, field) }),
    }),
    fold: 'gep-stack',
  });
  const specOf = (...policies: readonly (readonly [string, object])[]) => {
    const declared = policies.map(([target, spec], index) => colorPolicy(`p${index}`, target, spec, index));
    return [...compute(Colors, kinds, [...resources, ...declared], { maxFields: 100_000 }).effective][0]?.spec;
  };

  it('leave out only the policy with a condition that does not hold', () => {
    const constraint = (when: string) => ({ overrides: { when, red: 50 } });
    const [high, low] = [['a1', { blue: 1 }] as const, ['c1', { green: 1 }] as const];
    expect(specOf(high, ['b1', constraint('red')], low)).toEqual({ blue: 1, green: 1 });
    expect(specOf(high, ['b1', constraint('green')], low)).toEqual({ blue: 1, red: 50, green: 1 });
    expect(specOf(['b1', constraint('red')])).toEqual({});
  });
});

describe('describeRule', () => {
  it('ends a sentence that begins with the winner', () => {
    expect(`p1 ${describeRule('older')}`).toBe('p1 is older');
    expect(`p1 ${describeRule('condition-not-met')}`).toBe('p1 does not meet the condition of the other');
  });

  it('is the whole clause for a loss, with all winners or without any', () => {
    const winners = ['p1', 'p2', 'p1'].map((name) => ({ policy: { name } }) as ContextLayer<unknown>);
    expect(describeRule({ winners, rule: 'older' })).toBe('p1 with p2 is older');
    expect(describeRule({ winners: winners.slice(0, 1), rule: 'condition-not-met' })).toBe(
      'p1 does not meet the condition of the other',
    );
    expect(describeRule({ winners: [], rule: 'condition-not-met' })).toBe(
      'its condition does not hold: no policy below meets it',
    );
    expect(describeRule({ winners: [], rule: 'more-specific' })).toBe('it is removed');
  });

  it("adds the system's reason for the strategy", () => {
    const winners = [{ policy: { name: 'shop/p' } }] as ContextLayer<unknown>[];
    expect(describeRule({ winners, rule: 'more-specific', because: 'mergeType is not set' })).toBe(
      'shop/p is more specific, and mergeType is not set',
    );
  });
});

describe('describeStrategy', () => {
  it("has GEP-713's name, and the dialect's where GEP-713 only says Custom (M-08)", () => {
    expect(describeStrategy({ strategy: 'Patch overrides', dialectName: 'JSONMerge' })).toBe('Patch overrides');
    expect(describeStrategy({ strategy: 'Custom', dialectName: 'merge' })).toBe('merge');
    expect(describeStrategy({ strategy: 'Custom', dialectName: undefined })).toBe('Custom');
  });

  it('does not repeat a name that the reason has', () => {
    const named = { strategy: 'Custom', dialectName: 'merge' } as const;
    expect(describeStrategy({ ...named, because: 'overrides.strategy is merge' })).toBe('Custom');
    expect(describeStrategy({ ...named, because: 'overrides.strategy is not set' })).toBe('merge');
  });
});
