import type { JsonObject, JsonValue } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gateway, object, ref, route, worldOf } from './world.fixture.ts';

const kuadrant = 'kuadrant.io/v1';
const onGateway = { targetRef: ref('Gateway', 'g') };
const onRoute = { targetRef: ref('HTTPRoute', 'r') };
const base = [gateway('a/g'), route('a/r')];
const main = 'HTTPRoute a/r#main';
const merged = (kind: string, high: object, low: object) =>
  worldOf(
    ...base,
    object(`${kuadrant} ${kind}`, 'a/g', { ...onGateway, ...high }),
    object(`${kuadrant} ${kind}`, 'a/r', { ...onRoute, ...low }, { age: 1 }),
  );

const limit = (count: number) => ({ rates: [{ limit: count, window: '5s' }] });
const when = (predicate: string) => [{ predicate }];

describe('conditions beside the rules of Kuadrant', () => {
  it("are one rule: the overriding policy's prevail, and stay beside the rules", () => {
    const high = { overrides: { strategy: 'merge', when: when('from outside'), limits: { cap: limit(1) } } };
    const { specs, outcomes, effective } = merged('RateLimitPolicy', high, {
      when: when('is POST'),
      limits: { own: limit(9) },
    });
    expect(specs).toEqual({ [main]: { when: when('from outside'), limits: { cap: limit(1), own: limit(9) } } });
    expect(outcomes).toEqual({ 'a/g': 'enforced', 'a/r': 'partly-enforced' });
    expect(effective[0]?.losses).toMatchObject([{ layer: { policy: { name: 'a/r' } }, pointer: '/when' }]);
  });

  it('yield to the more specific policy under defaults', () => {
    const high = { defaults: { strategy: 'merge', when: when('high'), limits: { a: limit(1) } } };
    expect(merged('RateLimitPolicy', high, { limits: { b: limit(2) } }).specs).toEqual({
      [main]: { when: when('high'), limits: { a: limit(1), b: limit(2) } },
    });
    expect(merged('RateLimitPolicy', high, { when: when('low'), limits: { b: limit(2) } }).specs).toEqual({
      [main]: { when: when('low'), limits: { a: limit(1), b: limit(2) } },
    });
  });

  it.each(['AuthPolicy', 'RateLimitPolicy', 'TokenRateLimitPolicy'])('are left unchanged in a %s alone', (kind) => {
    const spec = {
      when: when('r'),
      patterns: { p: { allOf: when('x') } },
      limits: { l: limit(1) },
      rules: { response: { success: { headers: { h: { plain: { value: '1' } } } } } },
    };
    const version = kind === 'TokenRateLimitPolicy' ? 'kuadrant.io/v1alpha1' : kuadrant;
    expect(worldOf(...base, object(`${version} ${kind}`, 'a/r', { ...onRoute, ...spec })).specs).toEqual({
      [main]: spec,
    });
  });

  it('do not make a policy less empty, nor do patterns', () => {
    const high = { defaults: { rules: { authentication: { a: { anonymous: {} } } } } };
    for (const low of [{ when: when('low') }, { patterns: { p: { allOf: when('x') } } }]) {
      expect(merged('AuthPolicy', high, low).specs).toEqual({
        [main]: { rules: { authentication: { a: { anonymous: {} } } } },
      });
    }
  });
});

/** The rules of a spec by their names, as Kuadrant's operator lists them. */
function rulesOf(spec: JsonObject): Map<string, JsonValue> {
  const rules = new Map<string, JsonValue>();
  const add = (path: readonly string[]): void => {
    const at = path.reduce<JsonValue | undefined>((value, key) => (value as JsonObject | undefined)?.[key], spec);
    if (at !== undefined) rules.set(path.join('/'), at);
  };
  const addAll = (...path: readonly string[]): void => {
    const at = path.reduce<JsonValue | undefined>((value, key) => (value as JsonObject | undefined)?.[key], spec);
    for (const name of Object.keys((at ?? {}) as JsonObject)) add([...path, name]);
  };
  add(['when']);
  for (const field of ['limits', 'patterns']) addAll(field);
  for (const phase of ['authentication', 'metadata', 'authorization', 'callbacks']) addAll('rules', phase);
  for (const answer of ['unauthenticated', 'unauthorized']) add(['rules', 'response', answer]);
  for (const sort of ['headers', 'filters']) addAll('rules', 'response', 'success', sort);
  return rules;
}

/** Merges the specs of some policies, the least specific first, as Kuadrant's operator does: rule by rule, or all of them. */
function naively(specs: readonly JsonObject[], isEmpty: (spec: JsonObject) => boolean) {
  let below: { readonly rules: Map<string, JsonValue>; readonly isEmpty: boolean } | undefined;
  for (const spec of specs.toReversed()) {
    const [stanza = 'defaults'] = ['defaults', 'overrides'].filter((name) => name in spec);
    const { strategy = 'atomic', ...proper } = (spec[stanza] ?? spec) as JsonObject;
    const [own, low] = [rulesOf(proper), below];
    if (low === undefined) below = { rules: own, isEmpty: isEmpty(proper) };
    else if (strategy === 'merge') {
      const rules = new Map(stanza === 'defaults' ? [...own, ...low.rules] : [...low.rules, ...own]);
      below = { rules, isEmpty: isEmpty(proper) && low.isEmpty };
    } else if (stanza === 'overrides' || low.isEmpty) below = { rules: own, isEmpty: isEmpty(proper) };
  }
  return below?.rules;
}

const names = ['a', 'b', 'c'];
const value = fc.integer({ min: 0, max: 9 }).map((it): JsonValue => ({ value: it }));
const someOf = (what: fc.Arbitrary<JsonValue>) =>
  fc.dictionary(fc.constantFrom(...names), what, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
const sometimes = <Value>(what: fc.Arbitrary<Value>) => fc.option(what, { nil: undefined, freq: 2 });
const conditions = sometimes(fc.constantFrom('x', 'y').map((it) => when(it) as JsonValue));
const withoutUnset = (it: unknown) => JSON.parse(JSON.stringify(it)) as JsonObject;

const authSpec = fc
  .record({
    when: conditions,
    patterns: sometimes(someOf(value)),
    rules: sometimes(
      fc.record({
        authentication: someOf(value),
        authorization: sometimes(someOf(value)),
        response: sometimes(
          fc.record({
            unauthorized: sometimes(value),
            success: fc.record({ headers: sometimes(someOf(value)), filters: someOf(value) }),
          }),
        ),
      }),
    ),
  })
  .map(withoutUnset);
const limitSpec = fc.record({ when: conditions, limits: sometimes(someOf(value)) }).map(withoutUnset);

const inStanza = (proper: fc.Arbitrary<JsonObject>) =>
  fc
    .tuple(proper, fc.constantFrom('defaults', 'overrides', undefined), fc.constantFrom('atomic', 'merge'))
    .map(([spec, stanza, strategy]) => (stanza === undefined ? spec : { [stanza]: { strategy, ...spec } }));

describe('the kinds of Kuadrant beside a naive merge of rules', () => {
  const targets = [
    onGateway,
    { targetRef: ref('Gateway', 'g', { sectionName: 'http' }) },
    onRoute,
    { targetRef: ref('HTTPRoute', 'r', { sectionName: 'main' }) },
  ];

  it.each([
    ['AuthPolicy', authSpec, (spec: JsonObject) => spec.rules === undefined],
    ['RateLimitPolicy', limitSpec, (spec: JsonObject) => spec.limits === undefined],
  ] as const)('%s', (kind, proper, isEmpty) => {
    fc.assert(
      fc.property(fc.tuple(...targets.map(() => sometimes(inStanza(proper)))), (specs) => {
        const declared = specs.flatMap((spec, index) =>
          spec === undefined ? [] : [object(`${kuadrant} ${kind}`, `a/p${index}`, { ...targets[index], ...spec })],
        );
        const spec = worldOf(...base, ...declared).specs[main];
        const expected = naively(
          specs.filter((it) => it !== undefined),
          isEmpty,
        );
        expect(spec === undefined ? undefined : rulesOf(spec as JsonObject)).toEqual(expected);
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 40) },
    );
  });
});
