import { format as formats } from '@cfworker/json-schema';
import type { JsonObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { crd, policy, references, withRules } from './crd.fixture.ts';
import { policyKindFromCrd } from './policy-kind-from-crd.ts';

/** Returns the faults of a policy of a kind with these fields: pointers and messages. */
function faults(fields: JsonObject, written: JsonObject, spec: JsonObject = {}): readonly string[] {
  const { kind } = policyKindFromCrd(crd({ fields: { targetRefs: references(), ...fields }, spec }));
  const issues = kind?.read(policy(written)).issues ?? [];
  return issues.map(({ pointer, message }) => `${pointer}: ${message}`);
}

const text = { type: 'string' };
const limit = {
  type: 'object',
  required: ['requests'],
  properties: { requests: { type: 'integer', minimum: 1 }, unit: text },
};

describe('a policy of a kind from a CustomResourceDefinition', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    ['an unknown field', { mode: text }, { mdoe: 'a' }, '/spec/mdoe: the field mdoe is unknown; use targetRefs, mode'],
    [
      'an unknown field inside',
      { limit },
      { limit: { requests: 1, per: 's' } },
      '/spec/limit/per: the field per is unknown; use requests, unit',
    ],
    ['a missing field', { limit }, { limit: { unit: 's' } }, '/spec/limit: the field requests is missing; set it'],
    ['another type', { limit }, { limit: { requests: '5' } }, '/spec/limit/requests: must be integer, not string'],
    [
      'null in a list',
      { list: { type: 'array', items: limit } },
      { list: [null] },
      '/spec/list/0: must be object, not null',
    ],
    [
      'a value that is not listed',
      { mode: { ...text, enum: ['a', 'b'] } },
      { mode: 'c' },
      '/spec/mode: must be one of "a", "b", not "c"',
    ],
    [
      'a number out of bounds',
      { limit },
      { limit: { requests: 0 } },
      '/spec/limit/requests: must be at least 1, not 0',
    ],
    [
      'a number at the lower bound, which is excluded',
      { ratio: { type: 'number', minimum: 0, exclusiveMinimum: true } },
      { ratio: 0 },
      '/spec/ratio: must be more than 0, not 0',
    ],
    [
      'a number at the upper bound, which is excluded',
      { minimum: { type: 'number', maximum: 1, exclusiveMaximum: true } },
      { minimum: 1 },
      '/spec/minimum: must be less than 1, not 1',
    ],
    [
      'a text that does not match',
      { mode: { ...text, pattern: '^[a-z]+$' } },
      { mode: 'A' },
      '/spec/mode: must match the pattern ^[a-z]+$',
    ],
    [
      'a text that matches a pattern only as JavaScript reads it',
      { mode: { ...text, pattern: '^\\s$' } },
      { mode: '\u00a0' },
      '/spec/mode: must match the pattern ^\\s$',
    ],
    [
      'a text that does not match, and has a format and further constraints',
      { mode: { ...text, pattern: '^0', format: 'ipv4', allOf: [{ maxLength: 20 }] } },
      { mode: '10.0.0.1' },
      '/spec/mode: must match the pattern ^0',
    ],
    [
      'a text that matches the pattern of no alternative',
      { mode: { ...text, anyOf: [{ pattern: '^a' }, { pattern: '^b' }] } },
      { mode: 'c' },
      '/spec/mode: does not match any of the alternatives in its schema; correct it',
    ],
    [
      'a text for which backtracking takes years',
      { mode: { ...text, pattern: '^(a+)+$' } },
      { mode: `${'a'.repeat(52)}!` },
      '/spec/mode: must match the pattern ^(a+)+$',
    ],
    [
      'a key that has a slash',
      { map: { type: 'object', additionalProperties: limit } },
      { map: { 'a/b': { requests: 'x' } } },
      '/spec/map/a~1b/requests: must be integer, not string',
    ],
    [
      'a key in another script',
      { map: { type: 'object', additionalProperties: text } },
      { map: { 'ä %': 1 } },
      '/spec/map/ä %: must be string, not number',
    ],
    [
      'a list with a key twice',
      {
        items: { type: 'array', items: limit, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['unit'] },
      },
      {
        items: [
          { requests: 1, unit: 's' },
          { requests: 2, unit: 's' },
        ],
      },
      '/spec/items/1: repeats item 0; keep one of them',
    ],
    [
      'a rule that fails',
      { limit: { ...limit, ...withRules(['self.requests < 10']) } },
      { limit: { requests: 20 } },
      '/spec/limit: broken: self.requests < 10',
    ],
    [
      'none of some alternatives',
      { limit: { ...limit, anyOf: [{ required: ['unit'] }, { properties: { requests: { maximum: 5 } } }] } },
      { limit: { requests: 9 } },
      '/spec/limit: does not match any of the alternatives in its schema; correct it',
    ],
  ])('is left out, and reported, with %s', (_what, fields, written, issue) => {
    expect(faults(fields, written)).toEqual([issue]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['null, which the API server drops', { limit }, { limit: null }],
    ['null where the schema allows it', { limit: { ...limit, nullable: true } }, { limit: null }],
    ['null in an enumeration that allows it', { mode: { ...text, enum: ['a'], nullable: true } }, { mode: null }],
    ['an integer or a text', { port: { 'x-kubernetes-int-or-string': true } }, { port: 'http' }],
    [
      'unknown fields where they are kept',
      { any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      { any: { a: [1] } },
    ],
    [
      'a missing field that has a default',
      { limit: { ...limit, properties: { requests: { type: 'integer', default: 1 }, unit: text } } },
      { limit: {} },
    ],
    [
      'a rule about a default',
      {
        limit: {
          ...limit,
          properties: { requests: { type: 'integer', default: 7 } },
          ...withRules(['self.requests == 7']),
        },
      },
      { limit: {} },
    ],
    [
      'a rule that needs Kubernetes',
      { mode: { ...text, ...withRules([`isURL(self)`, 'self == oldSelf']) } },
      { mode: 'a' },
    ],
    ['a pattern that only JavaScript understands', { mode: { ...text, pattern: '^a(?=b)' } }, { mode: 'b' }],
    ['a text that matches a pattern as RE2 reads it', { mode: { ...text, pattern: '^(?i)a.$' } }, { mode: 'A\r' }],
    [
      'more characters than patterns are checked in',
      { mode: { ...text, pattern: '^a*$' } },
      { mode: 'b'.repeat(3_000_000) },
    ],
    [
      'fields that JavaScript objects have',
      { map: { type: 'object', additionalProperties: text } },
      { map: { constructor: 'a', toString: 'b' } },
    ],
  ])('is taken with %s', (_what, fields, written) => {
    expect(faults(fields, written)).toEqual([]);
  });

  it('must fulfil rules on the whole spec, with its targets', () => {
    const rule = `self.targetRefs.all(t, t.kind == 'Gateway') || !has(self.mode)`;
    const onRoutes = `!has(self.mode) || self.targetRefs.all(t, t.kind == 'HTTPRoute')`;
    expect(faults({ mode: text }, { mode: 'a' }, withRules([rule]))).toEqual([]);
    expect(faults({ mode: text }, { mode: 'a' }, withRules([onRoutes]))).toEqual([`/spec: broken: ${onRoutes}`]);
  });

  it('is read as the API server stores it, with defaults and without null', () => {
    const fields = { targetRefs: references(), mode: { ...text, default: 'a' }, limit };
    const { kind } = policyKindFromCrd(crd({ fields }));
    const [layer] = kind?.read(policy({ limit: { requests: 1, unit: null } })).policy?.layers ?? [];
    expect(layer?.spec).toEqual({ 'infra/a': { mode: 'a', limit: { requests: 1 } } });
  });
});

describe('policyKindFromCrd', () => {
  it('lists the constraints that are not checked', () => {
    const mode = { ...text, pattern: '^a(?=b)', ...withRules(['self == oldSelf', 'size(self) > 0']) };
    const { notes } = policyKindFromCrd(
      crd({ fields: { targetRefs: references([`self.all(t, t.kind == 'Gateway')`]), mode } }),
    );
    expect(notes).toEqual([
      'How policies of RetryPolicy.policies.example.com are merged is not known, so they are shown side by side.',
      'Not checked: the rule self == oldSelf.',
      'Not checked: the pattern ^a(?=b).',
    ]);
  });

  it('lists a pattern as not checked if RE2 would take too long for it', () => {
    const mode = { ...text, pattern: 'x{0,1000}'.repeat(400) };
    const { notes } = policyKindFromCrd(crd({ fields: { targetRefs: references(), mode } }));
    expect(notes.at(-1)).toMatch(/^Not checked: the pattern (x\{0,1000\})+\.$/);
  });

  it('leaves nothing in the validator that other schemas share', () => {
    faults({ mode: { ...text, pattern: '^a$' } }, { mode: 'b' });
    expect(Object.keys(formats).filter((name) => name.startsWith('pattern'))).toEqual([]);
  });

  it.each([
    ['default', 'gep713-experimental'],
    ['overrides', 'gep713'],
  ])('names the dialect that a schema with %s resembles, and does not follow it', (field, dialect) => {
    const { merging, notes } = policyKindFromCrd(crd({ fields: { targetRefs: references(), [field]: limit } }));
    expect(merging).toBe('unknown');
    expect(notes.join()).toContain(`resemble the dialect ${dialect}.`);
  });

  it.each([
    [{ ancestors: { type: 'array' }, conditions: { type: 'array' } }, 'ancestors'],
    [{ conditions: { type: 'array' } }, 'conditions'],
    [{ statuses: { type: 'object' } }, 'other'],
  ])('finds where conditions are: %j', (status, form) => {
    expect(policyKindFromCrd(crd({ status })).status).toBe(form);
  });

  it('reads the version in use, and otherwise the stored one', () => {
    const definition = crd({ versions: ['v2', 'v1'], fields: { targetRefs: references() } });
    expect(policyKindFromCrd(definition).kind?.version).toBe('v2');
    expect(policyKindFromCrd(definition, { version: 'v1' }).kind?.version).toBe('v1');
    expect(policyKindFromCrd(definition, { version: 'v0' }).kind?.version).toBe('v2');
  });

  it.each([
    ['no definition', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } }],
    ['an empty definition', { ...crd(), spec: {} }],
    [
      'a definition without a schema',
      { ...crd(), spec: { group: 'a.b', names: { kind: 'A' }, versions: [{ name: 'v1' }] } },
    ],
    ['a definition whose parts are of other types', { ...crd(), spec: { group: 1, names: [], versions: 'v1' } }],
  ])('makes no policy kind of %s', (_what, resource) => {
    expect(policyKindFromCrd(resource).kind).toBeUndefined();
  });
});
