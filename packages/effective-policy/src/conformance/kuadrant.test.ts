import { celConditions } from '@policy-machinery/cel';
import { definePolicyKind, gep713, kuadrant } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import vectors from '../../vectors/kuadrant-rfc-0009.json' with { type: 'json' };
import { anySpec, colorPolicy, compute } from './policies.fixture.ts';

const { kind, kinds, resources } = lineage('g1 > r1');

const declaration = {
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  targets: [kind('g'), kind('r')],
  effectiveTargets: [kind('r')],
  spec: anySpec,
};
const Policies = definePolicyKind({
  ...kuadrant({ rules: ['/rules/*', '/limits'], conditions: celConditions() }),
  ...declaration,
});

function effectiveOf(...policies: readonly (readonly [string, object])[]) {
  const declared = policies.map(([target, spec], index) => colorPolicy(`p${index}`, target, spec, index));
  const { effective } = compute(Policies, kinds, [...resources, ...declared]);
  expect(effective.issues).toEqual([]);
  const [policy] = effective;
  return policy;
}

describe("the kuadrant profile on RFC 0009's examples (K-01 to K-11)", () => {
  it.each(vectors.map((vector) => [vector.id, vector] as const))('%s', (_id, { high, low, expect: expected }) => {
    expect(effectiveOf(['g1', high], ['r1', low])?.spec).toEqual(expected);
  });

  it('names strategies as GEP-713 does, with its own names beside (M-08)', () => {
    const policy = effectiveOf(
      ['g1', { defaults: { strategy: 'merge', limits: { a: 1 } } }],
      ['r1', { limits: { a: 2 } }],
    );
    expect(policy?.losses).toMatchObject([{ strategy: 'Custom', dialectName: 'merge', pointer: '' }]);
  });

  it('lets an empty policy yield to defaults (K-08, X-22)', () => {
    expect(effectiveOf(['g1', { defaults: { limits: { a: 1 } } }], ['r1', {}])?.spec).toEqual({ limits: { a: 1 } });
  });

  it.each([
    ['limits without any', { limits: {} }],
    ['a stanza of no limits', { defaults: { limits: {} } }],
    ['something beside limits that are none', { limits: {}, guards: ['mine'] }],
    ['a guard of no limits', { guards: ['mine'] }],
  ])('takes %s for an empty policy, which yields to atomic defaults (K-08, X-22)', (_, low) => {
    expect(effectiveOf(['g1', { defaults: { limits: { a: 1 } } }], ['r1', low])?.spec).toEqual({ limits: { a: 1 } });
  });

  it('takes rules in phases for a policy that wins, even if no phase has any (K-08)', () => {
    const high = { defaults: { rules: { authentication: { a: 'G' } } } };
    expect(effectiveOf(['g1', high], ['r1', { rules: {} }])?.spec).toEqual({ rules: {} });
  });

  it('keeps the other fields of a policy without rules, where rules are merged', () => {
    const high = { defaults: { strategy: 'merge', limits: { a: 1 } } };
    const low = { limits: {}, guards: ['mine'] };
    expect(effectiveOf(['g1', high], ['r1', low])?.spec).toEqual({ limits: { a: 1 }, guards: ['mine'] });
  });

  it('leaves out a policy that is being deleted, which others than Kuadrant leave in force until it is gone', () => {
    const Others = definePolicyKind({ ...gep713(), ...declaration });
    const policy = colorPolicy('p', 'g1', { defaults: { limits: { a: 1 } } });
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    const ending = { ...policy, metadata: { ...policy.metadata, deletionTimestamp } };
    const specsOf = (of: typeof Policies) =>
      [...compute(of, kinds, [...resources, ending]).effective].map(({ spec }) => spec);
    expect(specsOf(Policies)).toEqual([]);
    expect(specsOf(Others)).toEqual([{ limits: { a: 1 } }]);
  });

  it('does not take a policy that removes something for an empty one (M-20)', () => {
    const Patches = definePolicyKind({ ...gep713(), ...declaration, emptyChallenger: 'yields' });
    const policies = [
      colorPolicy('p1', 'g1', { defaults: { strategy: 'patch', a: 1, b: 2 } }),
      colorPolicy('p2', 'r1', { defaults: { strategy: 'patch', a: null } }),
    ];
    const [policy] = compute(Patches, kinds, [...resources, ...policies]).effective;
    expect(policy?.spec).toEqual({ b: 2 });
  });

  it('unsets an inherited default by its name alone as well (K-07, X-21)', () => {
    const high = { defaults: { strategy: 'merge', rules: { authentication: { a: 'G', b: 'G' } } } };
    const policy = effectiveOf(['g1', high], ['r1', { rules: { authorization: { c: 'R' } }, unset: ['a'] }]);
    expect(policy?.spec).toEqual({ rules: { authentication: { b: 'G' }, authorization: { c: 'R' } } });
    expect(policy?.originOf('/rules/authentication/a')?.policy.name).toBe('default/p1');
  });

  it('unsets rules with dots in their names, and no part of other rules', () => {
    const authentication = { jwt: 'G', 'api.example.com': 'G', api: { jwt: { issuer: 'x' } } };
    const high = { defaults: { strategy: 'merge', rules: { authentication } } };
    const unset = ['jwt', 'authentication.api.example.com'];
    expect(effectiveOf(['g1', high], ['r1', { unset }])?.spec).toEqual({
      rules: { authentication: { api: { jwt: { issuer: 'x' } } } },
    });
  });

  it("unsets the fields of a policy's unset, though its condition is not met (K-07)", () => {
    const high = { defaults: { strategy: 'merge', limits: { a: 1, b: 1 } } };
    const middle = { overrides: { strategy: 'merge', when: 'spec.limits.c > 50', limits: { c: 50 } }, unset: ['a'] };
    const policy = effectiveOf(['g1', high], ['r1', middle], ['r1', { limits: { c: 1 } }]);
    expect(policy?.spec).toEqual({ limits: { b: 1, c: 1 } });
  });

  it('takes the newer of two defaults on one level, as the established one yields (X-03)', () => {
    expect(effectiveOf(['r1', { limits: { a: 1 } }], ['r1', { limits: { a: 2 } }])?.spec).toEqual({ limits: { a: 2 } });
  });

  it('names the policy with the unmet condition (K-06)', () => {
    const high = { overrides: { strategy: 'merge', when: 'spec.limits.a > 50', limits: { a: 50 } } };
    expect(effectiveOf(['g1', high], ['r1', { limits: { a: 30 } }])?.losses).toMatchObject([
      { rule: 'condition-not-met', pointer: '' },
    ]);
  });

  it('does not apply a constraint where there is nothing to constrain', () => {
    const high = { overrides: { strategy: 'merge', when: 'spec.limits.a > 50', limits: { a: 50 } } };
    const policy = effectiveOf(['g1', high]);
    expect(policy?.spec).toEqual({});
    expect(policy?.losses).toMatchObject([{ pointer: '', winners: [], rule: 'condition-not-met' }]);
  });

  it('asks the conditions of several levels, each about the policies below it', () => {
    const constraint = (bound: number) => ({
      overrides: { strategy: 'merge', when: `spec.limits.a > ${bound}`, limits: { a: bound } },
    });
    const chain = (...bounds: readonly number[]) =>
      effectiveOf(
        ['g1', constraint(bounds[0] ?? 0)],
        ['r1', constraint(bounds[1] ?? 0)],
        ['r1', { limits: { a: 100 } }],
      );
    expect(chain(50, 70)?.spec).toEqual({ limits: { a: 50 } });
    expect(chain(80, 70)?.spec).toEqual({ limits: { a: 70 } });
  });
});

describe("the kuadrant profile's conditions on requests", () => {
  const Limits = definePolicyKind({
    ...kuadrant({ rules: ['/limits'], guards: 'when' }),
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    targets: [kind('g'), kind('r')],
    effectiveTargets: [kind('r')],
    spec: anySpec,
  });
  const specOf = (high: object, low: object) => {
    const policies = [colorPolicy('p0', 'g1', high), colorPolicy('p1', 'r1', low, 1)];
    return [...compute(Limits, kinds, [...resources, ...policies]).effective][0]?.spec;
  };
  const [admin, night] = [{ predicate: 'path == "/admin"' }, { predicate: 'hour > 22' }];

  it("stay with the rules of their own policy: a route's do not narrow inherited rules", () => {
    const high = { defaults: { strategy: 'merge', limits: { global: { rate: 100 } } } };
    const low = { when: [admin], limits: { mine: { rate: 5 } } };
    expect(specOf(high, low)).toEqual({ limits: { global: { rate: 100 }, mine: { rate: 5, when: [admin] } } });
  });

  it("of an override do not widen or narrow the rules below, and come before the rule's own", () => {
    const high = { overrides: { strategy: 'merge', when: [night], limits: { global: { rate: 100, when: [admin] } } } };
    const low = { when: [admin], limits: { global: { rate: 1 }, mine: { rate: 5 } } };
    expect(specOf(high, low)).toEqual({
      limits: { global: { rate: 100, when: [night, admin] }, mine: { rate: 5, when: [admin] } },
    });
  });

  it('has each rule once where both policies have rules of the same name in their stanzas', () => {
    const high = {
      defaults: { strategy: 'merge', limits: { a: { rate: 1 }, b: { rate: 1 } } },
      overrides: { strategy: 'merge', limits: { c: { rate: 1 } } },
    };
    const low = {
      defaults: { strategy: 'merge', limits: { a: { rate: 2 } } },
      overrides: { strategy: 'merge', limits: { c: { rate: 2 }, d: { rate: 2 } } },
    };
    expect(specOf(high, low)).toEqual({ limits: { a: { rate: 2 }, b: { rate: 1 }, c: { rate: 1 }, d: { rate: 2 } } });
  });
});
