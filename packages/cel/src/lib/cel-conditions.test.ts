import { PolicyMachineryError } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { celConditions } from './cel-conditions.ts';

const { compile } = celConditions();

/** A spec with one of everything. */
const spec = {
  replicas: 3,
  ratio: 0.5,
  whole: 2,
  huge: 2 ** 70,
  name: 'checkout',
  on: true,
  nothing: null,
  hosts: ['a.example.com', 'b.example.com'],
  rates: [{ limit: 100 }, { limit: 10_000, unit: 'day' }],
  labels: { app: 'shop', 'with-dash': 'yes' },
  since: '2024-01-01T00:00:00Z',
};

describe('celConditions', () => {
  it.each([
    ['spec.replicas == 3'],
    ['self.spec.replicas == 3'],
    ['self.spec == spec'],
    ['spec.replicas + 1 == 4'],
    ['spec.replicas * 2 > 5 && spec.replicas % 2 == 1'],
    ['spec.replicas / 2 == 1'],
    ['spec.replicas == 3.0 && spec.replicas < 3.5'],
    ['type(spec.replicas) == int && type(spec.ratio) == double'],
    ['spec.ratio + 0.5 == 1.0 && spec.ratio < 1'],
    ['double(spec.whole) + 0.5 == 2.5'],
    ['spec.huge > 9223372036854775807 && type(spec.huge) == double'],
    ['spec.name.startsWith("check") && spec.name.contains("eck") && spec.name.endsWith("out")'],
    ['spec.name.matches("^[a-z]{1,63}$") && size(spec.name) == 8'],
    ['spec.on && spec.nothing == null'],
    ['"a.example.com" in spec.hosts && spec.hosts[1] == "b.example.com"'],
    ['spec.hosts + ["c"] == ["a.example.com", "b.example.com", "c"]'],
    ['spec.rates.all(r, r.limit >= 100) && spec.rates.exists_one(r, has(r.unit))'],
    ['spec.rates.exists(r, r.unit == "day")'],
    ['spec.rates.map(r, r.limit) == [100, 10000] && spec.rates.map(r, has(r.unit), r.limit)[0] == 10000'],
    ['spec.rates.filter(r, r.limit > 100)[0].unit == "day"'],
    ['spec.labels["with-dash"] == "yes" && spec.labels.all(key, spec.labels[key] != "")'],
    ['has(spec.labels.app) && !has(spec.labels.other)'],
    ['{1u: "a", true: "b"}[1] == "a" && {"k": spec.replicas}.k == 3'],
    ['(spec.on ? spec.hosts : [])[0] == "a.example.com"'],
    ['timestamp(spec.since) + duration("1h") > timestamp("2024-01-01T00:30:00Z")'],
    ['self["spec"].replicas == 3 && has(self.spec)'],
    ['spec.rates.exists(self, self.limit == 100)'],
    ['self == {"spec": spec} && "spec" in self'],
    ['spec.missing > 1 || true'],
    ['!(1 / 0 == 1 && false)'],
  ])('%s', (expression) => {
    expect(compile(expression)(spec)).toEqual({ holds: true });
  });

  it.each([['spec.replicas > 50'], ['spec.rates.exists(r, r.limit == 1)'], ['[].exists(x, true)']])(
    'does not hold: %s',
    (expression) => {
      expect(compile(expression)(spec)).toEqual({ holds: false });
    },
  );

  it.each([
    ['spec.missing > 50', 'field not found: missing'],
    ['spec.labels["other"] == ""', 'field not found: other'],
    ['spec.labels[1] == ""', 'field not found: 1'],
    ['spec.rates[5].limit > 50', 'index 5 out of bounds'],
    ['spec.replicas.min > 1', 'field not found: min'],
    ['has(spec.missing.field)', 'field not found: missing'],
    ['spec.rates.exists(r, r.other == 1)', 'field not found: other'],
    ['spec.one == 1 && spec.two == 2', 'field not found: one'],
  ])('reads something missing: %s', (expression, error) => {
    expect(compile(expression)(spec)).toEqual({ error, missing: true });
  });

  it.each([
    ['spec.replicas / 0 == 1', 'int divide by zero'],
    ['spec.name > 1', "found no matching overload for '_>_' applied to '(string, int)'"],
    ['spec.whole + 0.5 > 1.0', "found no matching overload for '_+_' applied to '(int, double)'"],
    ['spec.replicas', 'the condition returns a value of type int; make it return true or false'],
    ['spec.nothing', 'the condition returns a value of type null_type; make it return true or false'],
    ['spec.hosts[true] == ""', "found no matching overload for '_[_]'; index lists by int, and maps by type of key"],
    ['spec.name.matches("(")', 'error parsing regexp: missing closing ): `(`'],
    ['spec.missing == 1 && 1 / 0 == 1', 'int divide by zero'],
  ])('fails: %s', (expression, error) => {
    expect(compile(expression)(spec)).toEqual({ error, missing: false });
  });

  it.each([
    ['', 'found end of input'],
    ['spec.', 'at line 1, column 5: found . but expecting end of input; correct its syntax'],
    ['spec.a\n  spec.b', 'at line 2, column 3: found s but expecting end of input'],
    ['rules.a > 50', 'at line 1, column 1: unknown variable rules; use spec or self.spec'],
    ['spec.a.all(x, true) && x', 'at line 1, column 24: unknown variable x; use spec or self.spec'],
    ['self.limits.a > 50', 'at line 1, column 5: self does not have the field limits; use spec or self.spec'],
    ['has(self.limits)', 'self does not have the field limits; use spec or self.spec'],
    ['spec.a > 1 || self["limits"].a > 50', 'self does not have the field limits; use spec or self.spec'],
    ['spec.rules.all(r, r.a > 1 && self.limits.a > 50)', 'self does not have the field limits; use spec or self.spec'],
    ['self[0] == spec', 'self does not have the field 0; use spec or self.spec'],
    ['quantity(spec.memory) > 1', 'unknown function quantity; use the functions of CEL'],
    ['google.protobuf.Struct{} == spec', 'a google.protobuf.Struct cannot be constructed; use a map'],
  ])('refuses to compile: %j', (expression, message) => {
    expect(() => compile(expression)).toThrow(
      expect.objectContaining({ code: 'invalid-condition', message: expect.stringContaining(message) }),
    );
    expect(() => compile(expression)).toThrow(PolicyMachineryError);
  });

  it('gives the same results in any order of evaluation', () => {
    const [many, few] = [compile('spec.hosts.all(h, h != "")'), compile('spec.replicas == 3')];
    const results = [many(spec), few(spec), many(spec), few(spec)];
    expect(results).toEqual(Array(4).fill({ holds: true }));
  });
});

describe('the conditions of RFC 0009', () => {
  it.each([
    ['E1', 'spec.rules.authentication.a > 50', { rules: { authentication: { a: 30, b: 120 } } }, false],
    ['E2', 'spec.rules.authentication.a > 50', { rules: { authentication: { a: 100, b: 120 } } }, true],
    [
      'E3',
      'spec.limits.a.rates.exists(r, r.limit > 50)',
      {
        limits: {
          a: {
            rates: [
              { limit: 100, duration: 1, unit: 'minute' },
              { limit: 10_000, duration: 1, unit: 'day' },
            ],
          },
          b: {},
        },
      },
      true,
    ],
  ])('%s', (_figure, when, lower, holds) => {
    expect(compile(when)(lower)).toEqual({ holds });
    expect(compile(when.replace('spec.', 'self.spec.'))(lower)).toEqual({ holds });
  });
});
