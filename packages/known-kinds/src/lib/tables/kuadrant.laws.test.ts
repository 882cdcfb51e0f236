import type { JsonObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveRules, rulesOf } from './kuadrant-rules.fixture.ts';
import { gateway, object, ref, route, worldOf } from './world.fixture.ts';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 40);
const seed = Number(process.env.PROPERTY_SEED ?? 44);

/** From the least specific target to the most specific one. */
const targets = [
  ref('Gateway', 'g'),
  ref('Gateway', 'g', { sectionName: 'http' }),
  ref('HTTPRoute', 'r'),
  ref('HTTPRoute', 'r', { sectionName: 'main' }),
];
const world = [gateway('a/g'), route('a/r')];

const when = fc.constantFrom('a', 'b').map((predicate) => [{ predicate }]);
const named = (rule: fc.Arbitrary<JsonObject>) =>
  fc.dictionary(fc.constantFrom('x', 'y', 'z'), rule, { minKeys: 1, maxKeys: 3 });
const limit = fc.record(
  { rates: fc.nat(9).map((count) => [{ limit: count, window: '5s' }]), when },
  { requiredKeys: ['rates'] },
);
const value = fc.constantFrom('1', '2').map((text) => ({ plain: { value: text } }));
const code = fc.constantFrom(401, 403).map((number) => ({ code: number }));
const optional = <Fields extends JsonObject>(fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> }) =>
  fc.record(fields, { requiredKeys: [] });
const success = optional({ headers: named(value), filters: named(value) }).filter((it) => Object.keys(it).length > 0);
const response = optional({ unauthenticated: code, unauthorized: code, success }).filter(
  (it) => Object.keys(it).length > 0,
);
const rules = optional({
  authentication: named(value),
  metadata: named(value),
  authorization: named(value),
  callbacks: named(value),
  response,
}).filter((it) => Object.keys(it).length > 0);
const propers = {
  RateLimitPolicy: optional({ when, limits: named(limit) }),
  TokenRateLimitPolicy: optional({ when, limits: named(limit) }),
  AuthPolicy: optional({ when, patterns: named(value), rules }),
};

const specOf = (proper: fc.Arbitrary<JsonObject>) =>
  fc.oneof(
    proper,
    fc.tuple(fc.constantFrom('defaults', 'overrides'), proper, fc.constantFrom(undefined, 'atomic', 'merge')).map(
      ([stanza, spec, strategy]): JsonObject => ({
        [stanza]: { ...spec, ...(strategy === undefined ? {} : { strategy }) },
      }),
    ),
  );

describe("the effective policies of Kuadrant's kinds in the table", () => {
  it.each(Object.entries(propers))('are the same as of kuadrant-operator: %s', (kind, proper) => {
    const placed = fc.record({ level: fc.nat(3), age: fc.nat(3), spec: specOf(proper) });
    fc.assert(
      fc.property(fc.array(placed, { minLength: 1, maxLength: 6 }), (all) => {
        const sorted = all.toSorted((a, b) => a.level - b.level || a.age - b.age);
        const version = kind === 'TokenRateLimitPolicy' ? 'v1alpha1' : 'v1';
        const policies = sorted.map(({ level, age, spec }, index) =>
          object(`kuadrant.io/${version} ${kind}`, `a/p${index}`, { targetRef: targets[level], ...spec }, { age }),
        );
        const { specs } = worldOf(...world, ...policies);
        expect(rulesOf(specs['HTTPRoute a/r#main'])).toEqual(effectiveRules(sorted.map(({ spec }) => spec)));
      }),
      { numRuns, seed },
    );
  });
});
