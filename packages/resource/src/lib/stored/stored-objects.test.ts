import { describe, expect, it } from 'vitest';
import type { JsonObject, KubernetesObject } from '../../index.ts';
import { storedObjects } from './stored-objects.ts';

const text = { type: 'string' };
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function definition(fields: JsonObject, { version = 'v1', root = {} } = {}): KubernetesObject {
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: fields } }, ...root };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'retries.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Retry' },
      versions: [{ name: version, schema: { openAPIV3Schema } }],
    },
  };
}

const retry = (spec: unknown): KubernetesObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Retry',
  metadata: { name: 'a', namespace: 'b' },
  spec,
});

/** Returns the spec that is stored, and the pointers of the warnings. */
function stored(fields: JsonObject, spec: unknown) {
  const { object, warnings } = storedObjects([definition(fields)])(retry(spec));
  return [object.spec, warnings.map(({ pointer }) => pointer)];
}

// As in kube-apiserver 1.36: first fields without a schema are pruned, then nulls, then defaults are filled in.
describe('storedObjects', () => {
  const inner = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });

  it.each<[string, JsonObject, JsonObject, unknown]>([
    ['null', { a: text, b: text }, { a: null, b: 'x' }, { b: 'x' }],
    ['null of an object', { a: inner({ b: text }) }, { a: null }, {}],
    ['null inside', { a: inner({ b: text }) }, { a: { b: null } }, { a: {} }],
    ['null inside of an item', { a: { type: 'array', items: inner({ b: text }) } }, { a: [{ b: null }] }, { a: [{}] }],
    [
      'null in a map',
      { a: { type: 'object', additionalProperties: text } },
      { a: { x: null, y: 'y' } },
      { a: { y: 'y' } },
    ],
  ])('drops %s without a warning', (_what, fields, spec, after) => {
    expect(stored(fields, spec)).toEqual([after, []]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['null that is nullable', { a: { ...text, nullable: true } }, { a: null }],
    ['null that is an item', { a: { type: 'array', items: text } }, { a: [null] }],
    ['null below preserved fields', { a: open }, { a: { b: null } }],
    ['fields that are preserved', { a: open }, { a: { b: [{ c: 1 }] } }],
    [
      'the name of an embedded object',
      { a: inner({}, { 'x-kubernetes-embedded-resource': true }) },
      { a: { kind: 'A' } },
    ],
    ['a value of another type', { a: inner({ b: text }) }, { a: 'x' }],
    ['a value that is not in its list', { a: { ...text, enum: ['x'] } }, { a: 'nope' }],
    ['an empty list', { a: { type: 'array', items: text } }, { a: [] }],
  ])('keeps %s', (_what, fields, spec) => {
    expect(stored(fields, spec)).toEqual([spec, []]);
  });

  it.each<[string, JsonObject, JsonObject, unknown, readonly string[]]>([
    ['a field', { a: text }, { a: 'x', b: 1 }, { a: 'x' }, ['/spec/b']],
    ['a field inside', { a: inner({ b: text }) }, { a: { c: 1 } }, { a: {} }, ['/spec/a/c']],
    [
      'a field of an item',
      { a: { type: 'array', items: inner({ b: text }) } },
      { a: [{ b: 'x' }, { 'c/d': 1 }] },
      { a: [{ b: 'x' }, {}] },
      ['/spec/a/1/c~1d'],
    ],
    [
      'a field of an object that is named among preserved fields',
      { a: { ...open, properties: { b: inner({ c: text }) } } },
      { a: { b: { d: 1 }, e: 2 } },
      { a: { b: {}, e: 2 } },
      ['/spec/a/b/d'],
    ],
  ])('drops %s that no schema names, with a warning', (_what, fields, spec, after, warnings) => {
    expect(stored(fields, spec)).toEqual([after, warnings]);
  });

  it.each<[string, JsonObject, JsonObject, unknown]>([
    ['a missing field', { a: { ...text, default: 'x' } }, {}, { a: 'x' }],
    ['null', { a: { ...text, default: 'x' } }, { a: null }, { a: 'x' }],
    ['a field inside', { a: inner({ b: { ...text, default: 'x' } }) }, { a: {} }, { a: { b: 'x' } }],
    ['a field of a default', { a: inner({ b: { ...text, default: 'x' } }, { default: {} }) }, {}, { a: { b: 'x' } }],
    [
      'a field of an item',
      { a: { type: 'array', items: inner({ b: { ...text, default: 'x' } }) } },
      { a: [{}, { b: 'y' }] },
      { a: [{ b: 'x' }, { b: 'y' }] },
    ],
    [
      'null in a list',
      { a: { type: 'array', items: { ...text, default: 'x' } } },
      { a: [null, 'y'] },
      { a: ['x', 'y'] },
    ],
  ])('fills in the default of %s', (_what, fields, spec, after) => {
    expect(stored(fields, spec)).toEqual([after, []]);
  });

  it('fills in no default within an object that is missing', () => {
    expect(stored({ a: inner({ b: { ...text, default: 'x' } }) }, {})).toEqual([{}, []]);
  });

  it('names the dropped field, its object, and the remedy', () => {
    const { warnings } = storedObjects([definition({ a: text })])(retry({ aa: 'x' }));
    expect(warnings).toEqual([
      {
        code: 'unknown-field',
        severity: 'warning',
        message: 'the field aa is unknown, and the API server drops it; remove it, or correct its name',
        resource: 'retry.example.com:b/a',
        pointer: '/spec/aa',
      },
    ]);
  });

  describe('by the definition of a release', () => {
    const released = (fields: JsonObject) => [{ definition: definition(fields), release: 'Retries v1.2.0' }];
    const withDefault = { a: { ...text, default: 'x' } };

    it('keeps the fields that it does not name, with a warning that names the release', () => {
      const object = retry({ a: 'x', b: { c: 1 } });
      const { object: after, warnings } = storedObjects([], released({ a: text }))(object);
      expect(after).toBe(object);
      expect(warnings).toMatchObject([
        {
          code: 'field-not-in-release',
          severity: 'warning',
          pointer: '/spec/b',
          message: expect.stringContaining('Retries v1.2.0'),
        },
      ]);
    });

    it('drops null and fills in defaults', () => {
      expect(storedObjects([], released({ ...withDefault, b: text }))(retry({ b: null })).object.spec).toEqual({
        a: 'x',
      });
    });

    it('gives way to a definition among the resources, also for versions that this one does not have', () => {
      for (const version of ['v1', 'v2']) {
        const inUse = definition({ a: text, b: text }, { version });
        expect(storedObjects([inUse], released(withDefault))(retry({ b: 'x' })).warnings).toEqual([]);
      }
    });

    it('leaves objects of a cluster alone', () => {
      const object = { ...retry({ b: 1 }), metadata: { name: 'a', resourceVersion: '1' } };
      expect(storedObjects([], released(withDefault))(object)).toEqual({ object, warnings: [] });
    });
  });

  it('returns the identical object if nothing changes', () => {
    const object = retry({ a: 'x' });
    expect(storedObjects([definition({ a: text })])(object).object).toBe(object);
  });

  it('leaves metadata and statuses alone, which the API server or controllers write', () => {
    const object = { ...retry({ a: null }), status: { a: null, b: 1 } };
    expect(storedObjects([definition({ a: text })])(object).object).toEqual({ ...object, spec: {} });
  });

  it('drops unknown fields beside the spec', () => {
    const object = { ...retry({}), data: 1 };
    const { object: after, warnings } = storedObjects([definition({})])(object);
    expect([after, warnings[0]?.pointer]).toEqual([retry({}), '/data']);
  });

  it.each([
    ['another version', [definition({ a: text }, { version: 'v2' })]],
    ['no definition', []],
    ['a definition that says nothing', [{ ...definition({}), spec: { versions: [1, { schema: [] }] } }]],
    ['a schema without types', [definition({}, { root: { type: undefined, properties: {} } })]],
  ] as [string, KubernetesObject[]][])('leaves objects alone that have %s', (_what, definitions) => {
    const object = retry({ a: null, b: 1 });
    expect(storedObjects(definitions)(object)).toEqual({ object, warnings: [] });
  });

  it('does not take inherited properties for fields', () => {
    expect(stored({ a: text }, { constructor: 1 })).toEqual([{}, ['/spec/constructor']]);
  });
});
