import type { JsonObject } from '@policy-machinery/resource';
import { PolicyMachineryError } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type StructuralOptions, structuralSchema } from '../../index.ts';
import { structuralFaults } from './structural-rules.fixture.ts';

/** Returns the conversion of one field. */
function fieldOf(field: JsonObject, options?: StructuralOptions) {
  const { schema, issues } = structuralSchema({ type: 'object', properties: { field } }, options);
  expect(structuralFaults(schema)).toEqual([]);
  return { field: (schema.properties as { readonly field: JsonObject }).field, issues };
}

/** The issues of an error, in short. */
function refusal(convert: () => unknown): readonly string[] {
  try {
    convert();
  } catch (error) {
    if (error instanceof PolicyMachineryError) return error.issues.map(({ code, pointer }) => `${code} ${pointer}`);
  }
  return ['no error'];
}

const open = { 'x-kubernetes-preserve-unknown-fields': true };
const anything = { ...open, nullable: true };
const intOrString = { 'x-kubernetes-int-or-string': true };

describe('structuralSchema', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['const', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['enum without a type', { enum: [1, 2] }, { type: 'integer', enum: [1, 2] }],
    [
      'null in a list of types',
      { type: ['string', 'null'], maxLength: 3 },
      { type: 'string', nullable: true, maxLength: 3 },
    ],
    ['null as a branch', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, { type: 'integer', nullable: true }],
    [
      'null beside an enum',
      { anyOf: [{ enum: ['a'] }, { type: 'null' }] },
      { type: 'string', nullable: true, allOf: [{ enum: ['a'] }] },
    ],
    ['nothing but null', { type: 'null' }, { type: 'string', nullable: true, not: {} }],
    ['nullable of OpenAPI', { type: 'string', nullable: true }, { type: 'string', nullable: true }],
    [
      'an exclusive limit',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
    ],
    ['the tighter of two limits', { type: 'number', exclusiveMaximum: 5, maximum: 3 }, { type: 'number', maximum: 3 }],
    [
      'a flag of OpenAPI',
      { type: 'number', maximum: 3, exclusiveMaximum: true },
      { type: 'number', maximum: 3, exclusiveMaximum: true },
    ],
    ['integers or strings', { type: ['integer', 'string'] }, intOrString],
    [
      'Kubernetes’ own int-or-string',
      { ...intOrString, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      intOrString,
    ],
    ['integers or numbers', { type: ['integer', 'number'] }, { type: 'number' }],
    ['anything', {}, anything],
    ['nothing', { not: {} }, { not: {}, ...open }],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [
      'a map of anything',
      { type: 'object', additionalProperties: true },
      { type: 'object', additionalProperties: anything },
    ],
    ['any object', { type: 'object' }, { type: 'object', ...open }],
    ['an object without fields', { type: 'object', properties: {}, additionalProperties: false }, { type: 'object' }],
    [
      'an object with fields',
      { properties: { a: { type: 'boolean' } }, required: ['a'] },
      { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] },
    ],
    [
      'fields and any others',
      { type: 'object', properties: { a: { type: 'boolean' } }, additionalProperties: {} },
      { type: 'object', properties: { a: { type: 'boolean' } }, ...open },
    ],
    [
      'a map with known keys',
      { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: { type: 'integer' } },
      { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
    ],
    ['a list of anything', { type: 'array' }, { type: 'array', items: anything }],
    [
      'a set',
      { type: 'array', uniqueItems: true, items: { type: 'string' } },
      { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    ],
    [
      'words for people',
      { type: 'string', title: 'T', description: 'd', examples: ['e'], $comment: 'c' },
      { type: 'string', title: 'T', description: 'd' },
    ],
    [
      'extensions of Kubernetes',
      { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != ""', message: 'm' }] },
      { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != ""', message: 'm' }] },
    ],
    ['not, of values', { type: 'string', not: { const: 'a' } }, { type: 'string', not: { enum: ['a'] } }],
    [
      'parts that all hold',
      { allOf: [{ type: 'string', maxLength: 9 }, { minLength: 2 }, { maxLength: 5 }] },
      { type: 'string', maxLength: 9, minLength: 2, allOf: [{ maxLength: 5 }] },
    ],
  ])('converts %s to OpenAPI 3.0', (_case, json, expected) => {
    expect(fieldOf(json)).toEqual({ field: expected, issues: [] });
  });

  it('joins the fields of parts that all hold', () => {
    const one = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'string' } }, required: ['a'] };
    const other = { type: 'object', properties: { a: { type: 'integer', minimum: 1 } }, required: ['b'] };
    expect(fieldOf({ allOf: [one, other] }).field).toEqual({
      type: 'object',
      properties: { a: { type: 'integer', minimum: 1 }, b: { type: 'string' } },
      required: ['a', 'b'],
    });
  });

  describe('of a union', () => {
    it('has the fields of all branches, and their rules below oneOf if a field distinguishes the branches', () => {
      const exact = z.strictObject({ type: z.literal('Exact'), value: z.string().max(63) });
      const prefix = z.strictObject({ type: z.literal('Prefix'), value: z.string().max(9), depth: z.number().min(0) });
      const { field, issues } = fieldOf(json(z.discriminatedUnion('type', [exact, prefix])));
      expect(issues).toEqual([]);
      expect(field).toEqual({
        type: 'object',
        required: ['type', 'value'],
        properties: {
          type: { type: 'string', enum: ['Exact', 'Prefix'] },
          value: { type: 'string' },
          depth: { type: 'number', minimum: 0 },
        },
        oneOf: [
          { properties: { type: { enum: ['Exact'] }, value: { maxLength: 63 } }, not: { required: ['depth'] } },
          { properties: { type: { enum: ['Prefix'] }, value: { maxLength: 9 } }, required: ['depth'] },
        ],
      });
    });

    it('of strings is one enum, if all branches are enums', () => {
      expect(fieldOf(json(z.union([z.literal('a'), z.enum(['b', 'c'])]))).field).toEqual({
        type: 'string',
        enum: ['a', 'b', 'c'],
      });
    });

    it('of integers and numbers distinguishes them', () => {
      expect(
        fieldOf({
          anyOf: [
            { type: 'integer', minimum: 9 },
            { type: 'number', maximum: 1 },
          ],
        }).field,
      ).toEqual({
        type: 'number',
        anyOf: [{ minimum: 9, multipleOf: 1 }, { maximum: 1 }],
      });
    });

    it('of integers and strings checks each as far as OpenAPI 3.0 can express it', () => {
      const port = { type: 'integer', minimum: 1 };
      expect(fieldOf({ anyOf: [port, { type: 'string', maxLength: 15 }] })).toEqual({
        field: { ...intOrString, minimum: 1, maxLength: 15 },
        issues: [],
      });
      for (const name of [{ const: 'all' }, { type: 'string', not: { pattern: '^x' } }]) {
        const { field, issues } = fieldOf({ anyOf: [port, name] });
        expect(field).toEqual(intOrString);
        expect(issues).toMatchObject([{ severity: 'warning', pointer: '/properties/field' }]);
      }
    });

    it('keeps the alternatives of its branches', () => {
      const anyOf = [{ maxLength: 3 }, { pattern: '^x' }];
      const branches = [{ minLength: 1 }, { maxLength: 9 }].map((rest) => ({ type: 'string', anyOf, ...rest }));
      expect(fieldOf({ anyOf: branches }).field).toEqual({
        type: 'string',
        anyOf: [
          { minLength: 1, anyOf },
          { maxLength: 9, anyOf },
        ],
      });
    });

    it('is anything where a branch is', () => {
      expect(fieldOf({ anyOf: [{ type: 'string' }, {}] }).field).toEqual(anything);
    });

    it('is anything inside where a branch is, and loses nothing', () => {
      const texts = { type: 'array', items: { type: 'array', items: { type: 'string' } } };
      expect(fieldOf({ anyOf: [texts, { type: 'array', items: {} }] })).toEqual({
        field: { type: 'array', items: anything },
        issues: [],
      });
    });

    it.each([
      [
        'items',
        { type: 'array', items: { type: 'array', items: { type: 'string', maxLength: 3 } } },
        { type: 'array' },
      ],
      [
        'field constructor',
        { properties: { a: { properties: { constructor: { type: 'string', maxLength: 3 } } } } },
        { properties: { a: {} } },
      ],
      [
        'field metadata',
        { properties: { metadata: { type: 'string', maxLength: 3 } } },
        { properties: { metadata: { type: 'string' } } },
      ],
    ])('leaves constraints of %s to reading where the branches have nothing to put them on', (name, one, other) => {
      const limit = 'items' in one ? { minItems: 1 } : { minProperties: 1 };
      const { field, issues } = fieldOf({ anyOf: [one, { ...other, ...limit }] });
      expect(field).not.toHaveProperty('anyOf');
      expect(issues).toMatchObject([
        { message: `the API server does not check the constraints that only one alternative has for its ${name}` },
      ]);
      expect(fieldOf({ anyOf: [one, other] }).issues).toEqual([]);
    });

    it('of requirements stays besides the required fields', () => {
      const properties = { a: { type: 'string' }, b: { type: 'string' } };
      const anyOf = [{ required: ['a'] }, { required: ['b'] }];
      expect(fieldOf({ type: 'object', properties, anyOf }).field).toEqual({ type: 'object', properties, anyOf });
    });

    it('is not exclusive without a field that distinguishes its branches', () => {
      const branch = (name: string) => ({
        type: 'object',
        properties: { [name]: { type: 'string' } },
        required: [name],
      });
      const { field, issues } = fieldOf({ oneOf: [branch('a'), branch('b')] });
      expect(field).toMatchObject({ anyOf: [{ required: ['a'] }, { required: ['b'] }] });
      expect(issues).toMatchObject([{ code: 'not-checked', pointer: '/properties/field' }]);
    });
  });

  it('follows references, and keeps their sibling keywords', () => {
    const { schema } = structuralSchema({
      type: 'object',
      properties: {
        first: { $ref: '#/$defs/Limit', description: 'The first.' },
        second: { $ref: '#/$defs/Limit', maximum: 5 },
        third: { $ref: '#/$defs/Alias~1of' },
      },
      $defs: { Limit: { type: 'integer', description: 'A limit.', maximum: 9 }, 'Alias/of': { $ref: '#/$defs/Limit' } },
    });
    expect(schema.properties).toEqual({
      first: { type: 'integer', description: 'The first.', maximum: 9 },
      second: { type: 'integer', description: 'A limit.', maximum: 9, allOf: [{ maximum: 5 }] },
      third: { type: 'integer', description: 'A limit.', maximum: 9 },
    });
  });

  describe('reports constraints that the API server does not check', () => {
    it.each<[string, JsonObject, JsonObject]>([
      ['a default', { type: 'string', default: 'a' }, { type: 'string' }],
      ['a pattern that looks ahead', { type: 'string', pattern: '^(?=a).*$' }, { type: 'string' }],
      ['a pattern that refers back', { type: 'string', pattern: '^(a)\\1$' }, { type: 'string' }],
      ['a pattern with escapes of JavaScript', { type: 'string', pattern: '^\\u0061$' }, { type: 'string' }],
      ['a pattern that repeats too often', { type: 'string', pattern: '^a{1001}$' }, { type: 'string' }],
      ['what is no pattern', { type: 'string', pattern: '(' }, { type: 'string' }],
      ['a format that it does not know', { type: 'string', format: 'duration' }, { type: 'string' }],
      ['a dependency', { type: 'object', properties: {}, dependentRequired: { a: ['b'] } }, { type: 'object' }],
      [
        'the names of keys',
        { type: 'object', propertyNames: { pattern: '^a' }, additionalProperties: { type: 'string' } },
        { type: 'object', additionalProperties: { type: 'string' } },
      ],
      [
        'other fields',
        { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
        { type: 'object', properties: { a: { type: 'string' } }, ...open },
      ],
      [
        'which item of a tuple is which',
        { type: 'array', prefixItems: [{ type: 'string' }, { type: 'string' }], items: false },
        { type: 'array', items: { type: 'string' }, maxItems: 2 },
      ],
      [
        'whether objects are unique',
        { type: 'array', uniqueItems: true, items: { type: 'object', properties: {} } },
        { type: 'array', items: { type: 'object' } },
      ],
      [
        'not, of fields',
        { type: 'object', properties: { a: { type: 'string' } }, not: { properties: { a: { const: 'b' } } } },
        { type: 'object', properties: { a: { type: 'string' } } },
      ],
    ])('%s', (_case, json, expected) => {
      const { field, issues } = fieldOf(json);
      expect(field).toEqual(expected);
      expect(issues).toMatchObject([{ code: 'not-checked', severity: 'warning' }]);
      expect(issues[0]?.pointer).toMatch(/^\/properties\/field/);
    });

    it('but is silent about formats that have a pattern', () => {
      expect(fieldOf(json(z.base64())).issues).toEqual([]);
    });
  });

  describe('refuses, all at once and with a pointer', () => {
    const Tree = z.object({
      name: z.string(),
      get children() {
        return z.array(Tree);
      },
    });

    it('fields of several types, and schemas that contain themselves', () => {
      const schema = json(z.object({ either: z.union([z.string(), z.array(z.string())]), tree: Tree }));
      expect(refusal(() => structuralSchema(schema))).toEqual([
        'mixed-types /properties/either',
        'recursive-schema /properties/tree/properties/children/items',
      ]);
      const preserveUnknownFields = ['/properties/either', '/properties/tree/properties/children/items'];
      const { schema: structural, issues } = structuralSchema(schema, { preserveUnknownFields });
      expect(issues).toEqual([]);
      expect(structuralFaults(structural)).toEqual([]);
      expect(structural.properties).toMatchObject({
        either: open,
        tree: { properties: { children: { type: 'array', items: open } } },
      });
    });

    it('pointers that lead to nothing', () => {
      const preserveUnknownFields = ['/properties/field', '/properties/fields'];
      expect(refusal(() => fieldOf({}, { preserveUnknownFields }))).toEqual(['unknown-pointer /properties/fields']);
    });

    it('unless the schema itself preserves unknown fields', () => {
      expect(fieldOf({ type: ['string', 'array'], ...open }).field).toEqual(anything);
      expect(fieldOf({ $ref: '#', ...open }).field).toEqual(anything);
    });

    it.each<[string, JsonObject, string]>([
      [
        'a field with several types in the branches of a union',
        { anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { a: { type: 'boolean' } } }] },
        'mixed-types /properties/field',
      ],
      [
        'types that exclude each other',
        { allOf: [{ type: 'string' }, { type: 'boolean' }] },
        'mixed-types /properties/field',
      ],
      ['a reference to nothing', { $ref: '#/$defs/None' }, 'unresolved-reference /properties/field'],
      ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, 'unresolved-reference /properties/field'],
      ['a broken reference', { $ref: '#/%' }, 'unresolved-reference /properties/field'],
      ['what is no schema', { anyOf: [5] }, 'no-schema /properties/field/anyOf/0'],
      [
        'keys that mean harm',
        JSON.parse('{"properties":{"__proto__":{}}}'),
        'unsafe-key /properties/field/properties/__proto__',
      ],
    ])('%s', (_case, json, issue) => {
      expect(refusal(() => fieldOf(json))).toEqual([issue]);
    });

    it.each([
      ['no object', { type: 'string' }],
      ['anything', {}],
    ])('a spec that is %s', (_case, schema) => {
      expect(refusal(() => structuralSchema(schema))).toEqual(['no-object ']);
    });

    it('schemas that are too deep or become too large, without long computation', () => {
      const nest = (depth: number): JsonObject =>
        depth === 0 ? { type: 'string' } : { type: 'array', items: nest(depth - 1) };
      expect(refusal(() => fieldOf(nest(500)))[0]).toMatch(/^too-deep /);
      const twice = (name: string) => ({
        properties: { a: { $ref: `#/$defs/${name}` }, b: { $ref: `#/$defs/${name}` } },
      });
      const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`d${index}`, twice(`d${index + 1}`)]));
      expect(
        refusal(() => structuralSchema({ ...twice('d0'), $defs: { ...$defs, d40: { type: 'string' } } })),
      ).toContain('too-big ');
      const chain = Object.fromEntries(
        Array.from({ length: 900 }, (_, index) => [`d${index}`, { items: { $ref: `#/$defs/d${index + 1}` } }]),
      );
      expect(refusal(() => structuralSchema({ properties: { a: { $ref: '#/$defs/d0' } }, $defs: chain }))[0]).toMatch(
        /^too-deep /,
      );
    });
  });

  it('treats names of prototypes as names', () => {
    const schema = { type: 'object', properties: { constructor: { type: 'string' }, toString: { type: 'string' } } };
    expect(structuralSchema(schema).schema).toEqual(schema);
    expect(refusal(() => fieldOf({ $ref: '#/constructor' }))).toEqual(['unresolved-reference /properties/field']);
    const branches = {
      anyOf: [
        { ...schema, required: ['constructor'] },
        { type: 'object', properties: { a: { type: 'string' } } },
      ],
    };
    expect(fieldOf(branches).field).toMatchObject({ properties: { constructor: { type: 'string' } } });
  });
});

/** Returns the JSON Schema of a zod schema. */
function json(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...said } = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  return said as JsonObject;
}
