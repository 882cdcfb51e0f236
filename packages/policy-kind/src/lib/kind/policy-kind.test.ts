import {
  atomic,
  customStrategy,
  type MergeStrategy,
  none,
  patch,
  type Stanza,
  strategyName,
} from '@policy-machinery/merge';
import { defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Bed, Garden, policy, WaterSpec, waterPolicy } from '../kinds.fixture.ts';
import { bareSpec } from '../stanzas/bare-spec.ts';
import { defaultsAndOverrides } from '../stanzas/defaults-and-overrides.ts';
import type { StrategyOptions } from '../stanzas/strategy-choice.ts';
import { kindNameFault } from './kind-names.ts';
import { definePolicyKind, type PolicyKind } from './policy-kind.ts';

/** The strategy of a policy that selects none, in GEP-713's words. */
function strategyOf<Spec>(kind: PolicyKind<Spec>, spec: unknown = {}): string | undefined {
  const [layer] = kind.read(policy(spec)).policy?.layers ?? [];
  return layer && strategyName(layer.strategy, layer.stanza);
}

describe('definePolicyKind', () => {
  it('fills in defaults of a declaration, such as the affected targets (T-17)', () => {
    expect(waterPolicy()).toMatchObject({
      group: 'garden.example.com',
      version: 'v1',
      kind: 'WaterPolicy',
      scope: 'Namespaced',
      targets: [Garden, Bed],
      effectiveTargets: [Garden, Bed],
      sameLevel: 'oldest-wins',
      fold: 'bottom-up',
      namespaceLevels: undefined,
      crossNamespace: 'refuse',
    });
  });

  it('keeps the properties of a declaration', () => {
    const parts = {
      scope: 'Cluster',
      targets: [Garden],
      effectiveTargets: [Bed.sections.row],
      sameLevel: 'established-challenger',
      fold: 'gep-stack',
      namespaceLevels: [Garden],
      crossNamespace: 'allow',
      stanzas: bareSpec(),
      ownValue: () => ({ litres: 1 }),
    } as const;
    expect(waterPolicy(parts)).toMatchObject(parts);
  });

  it('accepts as many targets as declared, and otherwise 16 (T-02)', () => {
    const targetRefs = Array.from({ length: 20 }, (_, index) => ({
      group: Garden.group,
      kind: Garden.kind,
      name: `g${index}`,
    }));
    const read = (parts: Parameters<typeof waterPolicy>[0]) => waterPolicy(parts).targetRefs(policy({ targetRefs }));
    expect(read({ maxTargets: 20 })).toMatchObject({ refs: targetRefs, issues: [] });
    expect(read({})).toMatchObject({ refs: [], issues: [{ pointer: '/spec/targetRefs' }] });
    expect(read({ maxTargets: 19 }).issues[0]?.message).toBe('20 targets; split the policy, 19 are allowed');
  });

  it.each([0, -1, 1.5, Number.NEGATIVE_INFINITY, Number.NaN])('refuses %s for the number of targets', (maxTargets) => {
    expect(() => waterPolicy({ maxTargets })).toThrow(
      expect.objectContaining({ code: 'invalid-policy-kind', message: expect.stringContaining('positive integer') }),
    );
  });

  it.each([
    [
      'group',
      { group: 'garden.example.com/v1' },
      'write a DNS subdomain without a version, such as policies.example.com',
    ],
    ['group', { group: 'Garden.example.com' }, 'write a DNS subdomain'],
    ['version', { version: 'garden.example.com/v1' }, 'write a version without its group, such as v1'],
    ['version', { version: '' }, 'write a version'],
    ['plural', { plural: 'WaterPolicies' }, 'write lower-case letters and digits, such as timeoutpolicies'],
    ['kind', { kind: 'Water Policy' }, 'write letters and digits, such as TimeoutPolicy'],
  ])('refuses a %s that no API server has: %j', (field, parts, expected) => {
    expect(() => waterPolicy(parts)).toThrow(
      expect.objectContaining({ code: 'invalid-policy-kind', message: expect.stringContaining(expected) }),
    );
    expect(() => waterPolicy(parts)).toThrow(`The ${field} of `);
    const names = { group: 'garden.example.com', version: 'v1', kind: 'WaterPolicy', plural: 'waterpolicies' };
    expect([kindNameFault(names), kindNameFault({ ...names, ...parts })]).toEqual([
      undefined,
      expect.stringMatching(new RegExp(`^The ${field} of .*${expected}`)),
    ]);
  });

  it.each([
    ['as its declaration says', { plural: 'waters' }, 'waters'],
    ['by default the plural of the kind', {}, 'waterpolicies'],
  ])('has a name and a version in URLs: %s', (_, parts, plural) => {
    expect(waterPolicy({ version: 'v1beta1', ...parts })).toMatchObject({ plural, versions: ['v1beta1'] });
  });

  it.each([{ targets: [] }, { effectiveTargets: [] }])('refuses a kind without targets: %j', (parts) => {
    expect(() => waterPolicy(parts)).toThrow(expect.objectContaining({ code: 'invalid-policy-kind' }));
  });

  it('refuses targets that are not kinds, such as a section that its kind does not have', () => {
    const message =
      'WaterPolicy has a target, number 2, that is not a kind; give a target kind, or a section that it has, such as Gateway.sections.listener';
    const untyped = [Bed, undefined] as never; // As a program in JavaScript gives them.
    expect(() => waterPolicy({ targets: untyped })).toThrow(
      expect.objectContaining({ code: 'invalid-policy-kind', message }),
    );
  });

  it.each([
    [
      'by hand',
      { '~standard': { version: 1, vendor: 'test', validate: () => Promise.reject(new Error('late')) } } as const,
    ],
    ['of zod', WaterSpec.refine(async () => true)],
  ])('refuses an asynchronous schema: one %s', (_, spec) => {
    const names = { group: 'garden.example.com', version: 'v1', kind: 'WaterPolicy' };
    expect(() => definePolicyKind({ ...names, targets: [Garden], spec })).toThrow(TypeError);
    expect(() => definePolicyKind({ ...names, targets: [Garden], spec })).toThrow(/WaterPolicy.*must be synchronous/);
  });

  it('reads targetRefs', () => {
    const target = { group: 'garden.example.com', kind: 'Bed', name: 'roses' };
    expect(waterPolicy().targetRefs(policy({ targetRefs: [target] })).refs).toEqual([
      { ...target, pointer: '/spec/targetRefs/0' },
    ]);
  });
});

describe('definePolicyKind: targetRefs', () => {
  it('ignores namespaces of cluster-scoped targets when it compares them (T-15)', () => {
    const Park = defineTargetKind({ group: 'garden.example.com', kind: 'Park', scope: 'Cluster' });
    const ref = { group: Park.group, kind: Park.kind, name: 'tiergarten' };
    const targetRefs = [ref, { ...ref, namespace: 'stray' }];
    expect(waterPolicy({ targets: [Park] }).targetRefs(policy({ targetRefs })).issues).toHaveLength(1);
    const beds = targetRefs.map((it) => ({ ...it, kind: 'Bed' }));
    expect(waterPolicy({ targets: [Bed] }).targetRefs(policy({ targetRefs: beds })).issues).toEqual([]);
  });
});

describe('definePolicyKind: the default strategy (C-08)', () => {
  it.each([
    ['None', 'one kind, declared and effective', [Bed], [Bed]],
    ['None', 'one kind, as a whole and by section', [Bed, Bed.sections.row], [Bed, Bed.sections.row]],
    ['Atomic defaults', 'an effect on another kind', [Garden], [Bed]],
    ['Atomic defaults', 'several kinds', [Garden, Bed], [Garden, Bed]],
    ['Atomic defaults', 'several declared kinds, one effective', [Garden, Bed], [Bed]],
  ])('is %s for %s', (expected, _, targets, effectiveTargets) => {
    expect(strategyOf(waterPolicy({ targets, effectiveTargets }))).toBe(expected);
  });

  it('is None for a kind that is declared direct, whatever its targets, and Atomic defaults for one that is inherited', () => {
    expect(strategyOf(waterPolicy({ targets: [Garden, Bed], policyClass: 'Direct' }))).toBe('None');
    expect(strategyOf(waterPolicy({ targets: [Bed], policyClass: 'Inherited' }))).toBe('Atomic defaults');
  });

  it('refuses a direct kind with effective targets that its policies cannot target', () => {
    const declare = () =>
      waterPolicy({ targets: [Garden], effectiveTargets: [Bed.sections.row], policyClass: 'Direct' });
    expect(declare).toThrow(
      'WaterPolicy is direct and has the effective target Bed row, which its policies cannot target; name it in targets, or leave it out of effectiveTargets',
    );
  });

  it('uses the declared targets as effective targets by default', () => {
    expect(strategyOf(waterPolicy({ targets: [Bed] }))).toBe('None');
  });

  const custom = customStrategy({ defaults: () => undefined, overrides: () => undefined });
  const only = (strategy: MergeStrategy, stanza: Stanza): MergeStrategy => {
    const { [stanza]: combine, granularity } = strategy;
    return combine === undefined ? { granularity } : { granularity, [stanza]: combine };
  };
  const steps: [string, MergeStrategy][] = [
    ['Atomic defaults', only(atomic, 'defaults')],
    ['Patch defaults', only(patch, 'defaults')],
    ['Atomic overrides', only(atomic, 'overrides')],
    ['Patch overrides', only(patch, 'overrides')],
    ['Custom', custom],
  ];

  it.each(steps.map(([expected], index) => [expected, index] as const))(
    'is %s where nothing that comes before it is supported',
    (expected, index) => {
      const supported = steps.slice(index).reverse();
      const strategies = Object.fromEntries(supported.map(([name, strategy]) => [name, strategy]));
      expect(strategyOf(waterPolicy({ stanzas: defaultsAndOverrides({ strategies }) }))).toBe(expected);
    },
  );

  it.each([
    ['Atomic defaults', { defaults: {} }],
    ['Atomic overrides', { overrides: {} }],
  ])('is %s for a stanza without a finer choice: %j (M-22)', (expected, spec) => {
    const stanzas = defaultsAndOverrides({ strategies: { patch, atomic } });
    expect(strategyOf(waterPolicy({ stanzas }), spec)).toBe(expected);
  });

  it('is the default of the kind, if it has one', () => {
    const options = { strategies: { atomic, patch }, defaultStrategy: 'patch' } as const;
    expect(strategyOf(waterPolicy({ stanzas: bareSpec(options) }))).toBe('Patch defaults');
    expect(strategyOf(waterPolicy({ stanzas: defaultsAndOverrides(options) }), { overrides: {} })).toBe(
      'Patch overrides',
    );
  });

  it('uses the ladder for a stanza that the kind’s own default does not support', () => {
    const strategies = { atomic, append: only(custom, 'defaults') };
    const stanzas = defaultsAndOverrides({ strategies, defaultStrategy: 'append' });
    expect(strategyOf(waterPolicy({ stanzas }), { defaults: {} })).toBe('Custom');
    expect(strategyOf(waterPolicy({ stanzas }), { overrides: {} })).toBe('Atomic overrides');
  });
});

describe.each([
  ['bareSpec', bareSpec],
  ['defaultsAndOverrides', defaultsAndOverrides],
])('%s: strategies that cannot work', (_, reader) => {
  it.each<[string, StrategyOptions, RegExp]>([
    ['None beside others (C-07)', { strategies: { none, atomic } }, /None cannot be combined/],
    ['no strategies', { strategies: {} }, /No strategy supports defaults/],
    [
      'a strategy that can do nothing',
      { strategies: { x: { granularity: 'Custom' as const } } },
      /No strategy supports/,
    ],
    ['a default that is none of them', { strategies: { atomic }, defaultStrategy: 'toString' }, /"toString".*atomic/],
  ])('refuses %s', (_, options, message) => {
    expect(() => reader(options)).toThrow(expect.objectContaining({ code: 'invalid-policy-kind' }));
    expect(() => reader(options)).toThrow(message);
  });

  it('accepts None alone', () => {
    expect(reader({ strategies: { none } }).strategies).toEqual({ none });
  });
});

describe('bareSpec', () => {
  it('refuses strategies that do not support its stanza', () => {
    expect(() => bareSpec({ strategies: { none }, stanza: 'overrides' })).toThrow(/No strategy supports overrides/);
  });

  it('treats the spec as defaults, or as overrides with that option of the kind (M-23)', () => {
    expect(strategyOf(waterPolicy({ stanzas: bareSpec() }))).toBe('Atomic defaults');
    expect(strategyOf(waterPolicy({ stanzas: bareSpec({ stanza: 'overrides' }) }))).toBe('Atomic overrides');
  });

  it('leaves targets and strategy out of the spec proper (P-03)', () => {
    const kind = waterPolicy({ stanzas: bareSpec({ strategies: { atomic, patch } }) });
    const [layer] = kind.read(policy({ targetRefs: [], strategy: 'patch', litres: 1 })).policy?.layers ?? [];
    expect(layer).toMatchObject({ spec: { litres: 1 }, stanza: 'defaults', strategy: patch, pointer: '/spec' });
    expect(layer?.spec).toEqual({ litres: 1 });
  });

  it('selects by another field with that option of the kind', () => {
    const stanzas = bareSpec({ strategies: { JSONMerge: patch, Replace: atomic }, strategyField: 'mergeType' });
    expect(strategyOf(waterPolicy({ stanzas }), { mergeType: 'JSONMerge' })).toBe('Patch defaults');
  });

  it('treats a selection of null, which the API server prunes, as none', () => {
    expect(strategyOf(waterPolicy({ stanzas: bareSpec() }), { strategy: null })).toBe('Atomic defaults');
  });

  it('leaves the field to the spec proper if policies cannot select', () => {
    const kind = definePolicyKind({
      group: 'garden.example.com',
      version: 'v1',
      kind: 'WaterPolicy',
      targets: [Garden],
      spec: z.object({ strategy: z.number() }),
      stanzas: bareSpec({ strategyField: false }),
    });
    expect(kind.read(policy({ strategy: 5 })).policy?.layers[0]?.spec).toEqual({ strategy: 5 });
  });
});
