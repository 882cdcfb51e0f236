import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { crd, policy, references, withRules } from './crd.fixture.ts';
import { policyKindFromCrd } from './policy-kind-from-crd.ts';

const text = { type: 'string', minLength: 1, maxLength: 9, pattern: '^[a-z]+$', enum: ['a', 'b'], default: 'a' };
const limit = {
  type: 'object',
  required: ['requests'],
  minProperties: 1,
  maxProperties: 9,
  properties: { requests: { type: 'integer', minimum: 1, maximum: 9, exclusiveMaximum: true, multipleOf: 1 } },
  ...withRules(['self.requests < 9']),
};
const either = {
  anyOf: [{ required: ['mode'] }],
  oneOf: [{ required: ['mode'] }],
  allOf: [{}],
  not: { required: ['x'] },
};

/** A definition that has each keyword which is read. */
const whole = crd({
  fields: {
    targetRefs: references(['self.all(it, it.kind == "Gateway")']),
    strategy: { type: 'string', enum: ['atomic', 'patch'] },
    defaults: {
      type: 'object',
      properties: {
        mode: text,
        limit,
        limits: {
          type: 'array',
          minItems: 0,
          maxItems: 9,
          items: limit,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['requests'],
        },
        labels: { type: 'object', additionalProperties: text },
        port: { 'x-kubernetes-int-or-string': true, nullable: true, format: 'date' },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
      ...either,
    },
  },
  status: { conditions: { type: 'array', items: { type: 'object' } } },
});
const defaults = {
  mode: 'a',
  limit: { requests: 1 },
  limits: [{ requests: 1 }],
  labels: { x: 'b' },
  port: 80,
  any: { a: 1 },
};
const good = policy({ strategy: 'atomic', defaults });

/** Each place in a value, as keys. */
function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, field]) => placesIn(field, [...path, key]))];
}

/** A copy with another value in one place. */
function changed<Value>(value: Value, path: readonly string[], to: unknown): Value {
  const copy = structuredClone({ value });
  const last = path.at(-1);
  const holder = (['value', ...path].slice(0, -1) as string[]).reduce<JsonObject>(
    (at, key) => at[key] as JsonObject,
    copy as never,
  );
  Object.assign(holder, { [last ?? 'value']: to });
  return copy.value;
}

const odd: readonly unknown[] = [null, 5, 'x', true, [], {}, [null], { a: null }, { '\ud800%': '\ud800' }];

const read = (definition: KubernetesObject, policies: readonly KubernetesObject[]) => {
  const { kind } = policyKindFromCrd(definition);
  return policies.map((each) => kind?.read(each).issues.map(({ pointer }) => pointer) ?? []);
};

describe('a CustomResourceDefinition that no API server would accept', () => {
  it('is right before something is changed in it', () => {
    expect(read(whole, [good, policy({ strategy: 'atomic', defaults: { mode: 'c' } })])).toEqual([
      [],
      ['/spec/defaults/mode'],
    ]);
  });

  it.each(odd.map((it) => [JSON.stringify(it), it]))(
    'is read, and policies of its kind, with %s in any place',
    (_text, value) => {
      for (const place of placesIn(whole.spec)) {
        const definition = changed(whole, ['spec', ...place], value);
        expect(
          () => read(definition, [good, policy({ defaults: null }), policy({ defaults: { limit: [], labels: 5 } })]),
          place.join('.'),
        ).not.toThrow();
      }
    },
  );

  it.each([
    ['required', 5],
    ['required', [5]],
    ['minimum', '9'],
    ['maximum', null],
    ['maxLength', null],
    ['maxItems', '0'],
    ['maxProperties', null],
    ['enum', 'c'],
    ['multipleOf', 0],
    ['multipleOf', 'x'],
  ])('refuses no policy by %s: %j, which says nothing', (keyword, value) => {
    for (const place of placesIn(whole.spec).filter(
      (it) => it.at(-1) === keyword && it.includes('defaults') && !it.includes('not'),
    )) {
      expect(read(changed(whole, ['spec', ...place], value), [good]), place.join('.')).toEqual([[]]);
    }
  });
});

describe('a policy with odd values', () => {
  it.each(odd.map((it) => [JSON.stringify(it), it]))('is read with %s in any place', (_text, value) => {
    for (const place of placesIn(good.spec)) {
      expect(() => read(whole, [changed(good, ['spec', ...place], value)]), place.join('.')).not.toThrow();
    }
  });
});
