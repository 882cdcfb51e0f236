import { patch } from '@policy-machinery/merge';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { definePolicyKind } from '../kind/policy-kind.ts';
import { Bed, deepFreeze, Garden, policy, waterPolicy } from '../kinds.fixture.ts';
import { defaultsAndOverrides } from '../stanzas/defaults-and-overrides.ts';

/** Returns a Standard Schema with the results that a test needs. */
function schemaThat(
  validate: StandardSchemaV1['~standard']['validate'],
): StandardSchemaV1<{ readonly litres?: number }> {
  return { '~standard': { version: 1, vendor: 'test', validate: validate as never } };
}

function readBy(schema: StandardSchemaV1, spec: unknown) {
  const kind = definePolicyKind({
    group: 'garden.example.com',
    version: 'v1',
    kind: 'WaterPolicy',
    targets: [Garden, Bed],
    spec: schema,
    stanzas: defaultsAndOverrides(),
  });
  return kind.read(policy(spec));
}

describe('PolicyKind.read', () => {
  it('returns the policy with its layers', () => {
    const resource = policy({ targetRefs: [], overrides: { strategy: 'patch', litres: 2 } });
    const kind = waterPolicy({ stanzas: defaultsAndOverrides({ strategies: { patch } }) });
    const { policy: read, issues } = kind.read(resource);
    expect(issues).toEqual([]);
    expect(read).toMatchObject({
      locator: 'waterpolicy.garden.example.com:south/dry',
      name: 'south/dry',
      createdAt: 1_704_067_200,
    });
    expect(read?.resource).toBe(resource);
    expect(read?.layers).toEqual([
      {
        policy: read,
        stanza: 'overrides',
        dialectName: 'patch',
        strategy: patch,
        spec: { litres: 2 },
        pointer: '/spec/overrides',
      },
    ]);
  });

  it('names cluster-scoped policies without a namespace', () => {
    const { policy: read } = waterPolicy({ scope: 'Cluster' }).read(policy({}, { namespace: 'ignored' }));
    expect(read).toMatchObject({ name: 'dry', locator: 'waterpolicy.garden.example.com:dry' });
  });

  it.each([undefined, null, 'yesterday'])('warns of creation time %j, which counts as the newest', (at) => {
    const { creationTimestamp: _, ...metadata } = policy().metadata;
    const resource = { ...policy({}), metadata: at === undefined ? metadata : { ...metadata, creationTimestamp: at } };
    const { policy: read, issues } = waterPolicy().read(resource);
    expect(read?.createdAt).toBeUndefined();
    expect(issues).toMatchObject([
      { code: 'missing-creation-timestamp', severity: 'warning', pointer: '/metadata/creationTimestamp' },
    ]);
  });

  it.each([undefined, null, [], 'x', 5, true])('refuses a spec that is %j', (spec) => {
    const { policy: read, issues } = waterPolicy().read(policy(spec));
    expect(read).toBeUndefined();
    expect(issues).toMatchObject([{ code: 'invalid-spec', severity: 'error', pointer: '/spec' }]);
  });
});

describe('PolicyKind.read: validation', () => {
  it('reports all faults that zod finds, with pointers', () => {
    const { policy: read, issues } = waterPolicy({
      stanzas: defaultsAndOverrides({ together: 'defaults-and-overrides' }),
    }).read(
      policy({
        defaults: { litres: 'many', hours: [6, 'noon'] },
        overrides: { sources: { 'rain/barrel': { order: null } } },
      }),
    );
    expect(read).toBeUndefined();
    expect(issues.map(({ pointer }) => pointer)).toEqual([
      '/spec/defaults/litres',
      '/spec/defaults/hours/1',
      '/spec/overrides/sources/rain~1barrel/order',
    ]);
    for (const issue of issues) {
      expect(issue).toMatchObject({
        code: 'invalid-spec',
        severity: 'error',
        message: expect.stringContaining('expected number'),
        resource: 'waterpolicy.garden.example.com:south/dry',
      });
    }
  });

  it('points at the spec for faults of the whole spec', () => {
    const both = z
      .object({ from: z.number(), to: z.number() })
      .refine(({ from, to }) => from < to, 'from must be below to');
    expect(readBy(both, { from: 2, to: 1 }).issues).toMatchObject([
      { pointer: '/spec', message: 'from must be below to' },
    ]);
  });

  it('accepts any Standard Schema, and paths of keys or of segments', () => {
    const schema = schemaThat(() => ({
      issues: [
        { message: 'one', path: ['a', 0] },
        { message: 'two', path: [{ key: 'b' }, { key: 1 }] },
        { message: 'three' },
      ],
    }));
    expect(readBy(schema, { overrides: {} }).issues.map(({ pointer, message }) => [pointer, message])).toEqual([
      ['/spec/overrides/a/0', 'one'],
      ['/spec/overrides/b/1', 'two'],
      ['/spec/overrides', 'three'],
    ]);
  });

  it('validates the spec as written: values that a schema fills in or changes do not count as set by the policy', () => {
    const schema = z.object({ litres: z.number().default(3), place: z.string().transform((place) => place.length) });
    expect(readBy(schema, { place: 'bed' }).policy?.layers[0]?.spec).toEqual({ place: 'bed' });
  });

  it.each<[string, StandardSchemaV1]>([
    [
      'throws',
      schemaThat((value) => {
        if (JSON.stringify(value) !== '{}') throw new Error('no such bed');
        return { value };
      }),
    ],
    ['throws, in zod', z.object({ hours: z.any() }).refine(({ hours }) => hours === undefined || hours.length > 0)],
    ['is asynchronous for this policy', z.object({ hours: z.null().refine(async () => true) })],
  ])('reports on the policy a check that %s', (_, schema) => {
    expect(readBy(schema, { hours: null })).toMatchObject({
      policy: undefined,
      issues: [{ code: 'schema-failed', severity: 'error', pointer: '/spec' }],
    });
  });
});

describe('PolicyKind.read: untrusted specs', () => {
  const anything = schemaThat((value) => ({ value }));

  it('refuses __proto__ keys anywhere, each with its pointer', () => {
    const spec = JSON.parse(
      '{"__proto__": {}, "overrides": {"a": [{"__proto__": 1}], "constructor": {"prototype": 1}}}',
    );
    const { policy: read, issues } = readBy(anything, spec);
    expect(read).toBeUndefined();
    expect(issues).toMatchObject([
      { code: 'unsafe-key', pointer: '/spec/__proto__' },
      { code: 'unsafe-key', pointer: '/spec/overrides/a/0/__proto__' },
    ]);
  });

  it.each(['constructor', 'prototype', 'toString', 'hasOwnProperty'])('takes the key %s as data', (key) => {
    const spec = JSON.parse(`{"overrides": {"${key}": {"polluted": true}}}`);
    expect(readBy(anything, spec).policy?.layers[0]?.spec).toEqual(spec.overrides);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('refuses specs that nest too deeply', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    expect(readBy(anything, deep).issues).toMatchObject([
      { code: 'too-deep', pointer: expect.stringMatching('^/spec/a') },
    ]);
  });

  it('refuses specs that contain themselves', () => {
    const loop: Record<string, unknown> = {};
    loop.again = loop;
    expect(readBy(anything, loop).issues).toMatchObject([{ code: 'too-deep' }]);
  });

  it.each([
    ['takes one that is as large as may be', 99_997, []],
    ['refuses one that is larger', 99_998, [{ code: 'too-large', pointer: '/spec' }]],
  ])('%s: lists and objects count, too', (_, length, expected) => {
    expect(readBy(anything, { overrides: { hosts: Array.from({ length }, () => 'a') } }).issues).toMatchObject(
      expected,
    );
  });

  it('counts a value in each of its places', () => {
    let bomb: unknown = 'boom';
    for (let level = 0; level < 50; level += 1) bomb = { a: bomb, b: bomb };
    expect(readBy(anything, { overrides: bomb }).issues).toMatchObject([{ code: 'too-large' }]);
  });

  it('accepts frozen policies, and neither changes nor freezes others', () => {
    const spec = { targetRefs: [], overrides: { strategy: 'atomic', litres: 1, hours: [1] } };
    const before = structuredClone(spec);
    const kind = waterPolicy({ stanzas: defaultsAndOverrides() });
    const { policy: read } = kind.read(policy(spec));
    expect(spec).toEqual(before);
    for (const part of [spec, spec.overrides, spec.overrides.hours, read?.layers[0]?.spec]) {
      expect(Object.isFrozen(part)).toBe(false);
    }
    expect(kind.read(deepFreeze(policy(spec))).policy?.layers[0]?.spec).toEqual({ litres: 1, hours: [1] });
  });

  const stanza = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('strategy', 'litres', 'hours'), fc.jsonValue()),
  );
  const fields = [
    'targetRef',
    'targetRefs',
    'strategy',
    'default',
    'defaults',
    'override',
    'overrides',
    'litres',
    '__proto__',
  ];
  const garbage = fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...fields), stanza));

  it.each(['single', 'defaults-and-overrides', 'all'] as const)('never throws, whatever the spec (%s)', (together) => {
    const kind = waterPolicy({ stanzas: defaultsAndOverrides({ together, strategies: { patch } }) });
    fc.assert(
      fc.property(garbage, (spec) => {
        const { policy: read, issues } = kind.read(policy(spec));
        expect(read === undefined).toBe(issues.some(({ severity }) => severity === 'error'));
        for (const { pointer } of issues) expect(pointer).toMatch(/^\/spec/);
      }),
      { numRuns: 500 },
    );
  });
});
