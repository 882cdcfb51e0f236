import type { JsonObject, JsonValue } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { structuralSchema } from '../../index.ts';
import { pruned, refusals } from '../api-server.fixture.ts';
import { structuralFaults } from './structural-rules.fixture.ts';

/** A zod schema that the API server can check completely, and values that it accepts. */
interface Case {
  readonly schema: z.ZodType;
  readonly value: fc.Arbitrary<JsonValue>;
}

const limits = fc.tuple(fc.nat(3), fc.nat(3)).map(([one, more]) => ({ min: one, max: one + more }));
const text = (min: number, max: number) =>
  fc.string({ minLength: min, maxLength: max, unit: fc.constantFrom('a', 'b', 'é') });

const leaf: fc.Arbitrary<Case> = fc.oneof(
  limits.map(({ min, max }) => ({ schema: z.string().min(min).max(max), value: text(min, max) })),
  limits.map(({ min, max }) => ({ schema: z.int().min(min).max(max), value: fc.integer({ min, max }) })),
  limits.map(({ min, max }) => ({
    schema: z
      .number()
      .gt(min - 1)
      .lte(max),
    value: fc.integer({ min: 2 * min, max: 2 * max }).map((half) => half / 2),
  })),
  fc.constant({ schema: z.boolean(), value: fc.boolean() }),
  fc
    .subarray(['a', 'b', 'c'], { minLength: 1 })
    .map((names) => ({ schema: z.enum(names), value: fc.constantFrom(...names) })),
  fc.constant({ schema: z.union([z.int(), z.string().max(2)]), value: fc.oneof(fc.integer(), text(0, 2)) }),
);

const names = ['one', 'two', 'a-b', 'metadata'] as const;

const { object: objectCase } = fc.letrec<{ any: Case; object: Case; fields: Record<string, Case> }>((tie) => ({
  fields: fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 3 }),
  object: tie('fields').chain((fields) =>
    fc.record({ needed: fc.subarray(Object.keys(fields)), fields: fc.constant(fields) }).map(objectOf),
  ),
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    tie('object'),
    tie('any').map(({ schema, value }) => ({
      schema: z.array(schema).max(2),
      value: fc.array(value, { maxLength: 2 }),
    })),
    tie('any').map(({ schema, value }) => ({
      schema: z.record(z.string(), schema),
      value: fc.dictionary(fc.constantFrom('x', 'y'), value) as fc.Arbitrary<JsonObject>,
    })),
    tie('any').map(({ schema, value }) => ({ schema: schema.nullable(), value: fc.option(value) })),
    fc.tuple(tie('fields'), tie('fields'), limits, limits).map(([one, other, first, second]) => {
      const common = ({ min, max }: { min: number; max: number }) => ({
        schema: z.string().min(min).max(max),
        value: text(min, max),
      });
      return unionOf([
        { kind: 'One', fields: { ...prefixed('one', one), common: common(first) } },
        { kind: 'Other', fields: { ...prefixed('other', other), common: common(second) } },
      ]);
    }),
  ),
}));

const prefixed = (prefix: string, fields: Readonly<Record<string, Case>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${prefix}-${name}`, field]));

function objectOf({ needed, fields }: { needed: readonly string[]; fields: Readonly<Record<string, Case>> }): Case {
  const entries = Object.entries(fields);
  const shape = entries.map(([name, { schema }]) => [name, needed.includes(name) ? schema : schema.optional()]);
  const values = Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
  return {
    schema: z.strictObject(Object.fromEntries(shape)),
    value: fc.record(values, { requiredKeys: [...needed], noNullPrototype: true }) as fc.Arbitrary<JsonObject>,
  };
}

type Branch = { readonly kind: string; readonly fields: Readonly<Record<string, Case>> };

function unionOf(branches: readonly [Branch, Branch]): Case {
  const [one, other] = branches.map(({ kind, fields }) => {
    const { schema, value } = objectOf({
      needed: ['kind'],
      fields: { ...fields, kind: { schema: z.literal(kind), value: fc.constant(kind) } },
    });
    return { schema: schema as z.ZodObject<{ kind: z.ZodLiteral }>, value };
  }) as [{ schema: z.ZodObject<{ kind: z.ZodLiteral }>; value: fc.Arbitrary<JsonValue> }, never];
  return {
    schema: z.discriminatedUnion('kind', [one.schema, (other as typeof one).schema]),
    value: fc.oneof(one.value, (other as typeof one).value),
  };
}

const junk = fc.constantFrom<JsonValue>(
  null,
  0,
  -7,
  2.5,
  '',
  'aaaaaaaa',
  true,
  [],
  [null],
  {},
  { one: 1 },
  { kind: 'One' },
);

/** A value with one of its parts replaced. */
function broken(value: JsonValue, place: number, by: JsonValue): JsonValue {
  let left = place;
  const visit = (part: JsonValue): JsonValue => {
    left -= 1;
    if (left < 0) {
      left = Number.POSITIVE_INFINITY;
      return by;
    }
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, field]) => [key, visit(field)]));
  };
  return visit(value);
}

/** Arbitrary schemas, each with values that it takes and some that it may not. */
const samples = objectCase.chain(({ schema, value }) =>
  fc.record({
    schema: fc.constant(schema),
    values: fc.array(
      fc.tuple(value, fc.nat(8), junk).map(([good, place, by]) => [good, broken(good, place, by)]),
      { minLength: 4, maxLength: 8 },
    ),
  }),
);

const jsonOf = (schema: z.ZodType) => schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JsonObject;

describe('structuralSchema', () => {
  it('is structural and equivalent: the API server accepts exactly the values that the schema accepts', () => {
    let taken = 0;
    let refused = 0;
    fc.assert(
      fc.property(samples, ({ schema, values }) => {
        const { schema: structural, issues } = structuralSchema(jsonOf(schema));
        expect(structuralFaults(structural)).toEqual([]);
        expect(issues).toEqual([]);
        for (const value of values.flat()) {
          const stored = pruned(structural, value);
          const isTaken = schema.safeParse(stored).success;
          expect({ stored, isTaken: refusals(structural, value).length === 0 }).toEqual({ stored, isTaken });
          if (isTaken) taken += 1;
          else refused += 1;
        }
      }),
      { numRuns: 300 },
    );
    expect(Math.min(taken, refused)).toBeGreaterThan(100);
  });

  it('is structural, or reports why not, for any schema', () => {
    const keyword = fc.constantFrom(
      'type',
      'const',
      'enum',
      'anyOf',
      'oneOf',
      'allOf',
      'not',
      'items',
      'prefixItems',
      'properties',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'required',
      'nullable',
      'pattern',
      'minimum',
      'exclusiveMinimum',
      'uniqueItems',
      'default',
      'if',
      '$ref',
      'x-kubernetes-int-or-string',
    );
    const { schema } = fc.letrec<{ schema: JsonValue; schemas: JsonValue; fields: JsonValue }>((tie) => ({
      schemas: fc.array(tie('schema'), { maxLength: 3 }),
      fields: fc.dictionary(fc.constantFrom('a', 'metadata', '__proto__'), tie('schema'), { noNullPrototype: true }),
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<JsonValue>(
          { type: 'string' },
          { type: 'integer' },
          { type: ['string', 'null'] },
          { const: 'a' },
          true,
          {},
        ),
        fc.constantFrom<JsonValue>(
          { $ref: '#' },
          { type: 'object', properties: {} },
          { not: {} },
          false,
          { maxLength: 1 },
          7,
        ),
        tie('schemas').map((anyOf) => ({ anyOf })),
        tie('schemas').map((allOf) => ({ allOf })),
        tie('schemas').map((oneOf) => ({ oneOf, minProperties: 1 })),
        tie('fields').map((properties) => ({ type: 'object', properties, required: ['a'] })),
        tie('schema').map((items) => ({ type: 'array', items, uniqueItems: true })),
        tie('schema').map((additionalProperties) => ({ additionalProperties })),
        tie('schema').map((not) => ({ type: 'string', not })),
        fc.dictionary(
          keyword,
          fc.oneof(tie('schema'), tie('schemas'), tie('fields'), fc.constantFrom('object', 'a', 1, true)),
          { noNullPrototype: true },
        ),
      ),
    }));
    let structural = 0;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b'), schema, { noNullPrototype: true }), (properties) => {
        try {
          const result = structuralSchema({ type: 'object', properties: properties as JsonObject });
          expect(structuralFaults(result.schema)).toEqual([]);
          structural += 1;
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid-schema' });
        }
      }),
      { numRuns: 1000 },
    );
    expect(structural).toBeGreaterThan(100);
  });
});
