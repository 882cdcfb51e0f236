import { type JsonObject, objectIn } from '@policy-machinery/resource';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { kubectl } from './cluster.ts';

const cluster = inject('cluster');
const namespace = 'stored';

const text = { type: 'string' };
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });

const spec = object({
  text,
  nullable: { ...text, nullable: true },
  number: { type: 'integer' },
  flag: { type: 'boolean' },
  either: { 'x-kubernetes-int-or-string': true },
  list: { type: 'array', items: text },
  nulls: { type: 'array', items: { ...text, nullable: true } },
  items: { type: 'array', items: object({ name: text, size: { type: 'integer', default: 1 } }) },
  map: { type: 'object', additionalProperties: text },
  maps: { type: 'object', additionalProperties: object({ a: text, b: { ...text, default: 'x' } }) },
  inner: object({ a: text, b: { ...text, default: 'x' }, c: object({ d: text }, { nullable: true }) }),
  filled: object({ a: { ...text, default: 'x' } }, { default: {} }),
  open,
  mixed: { ...open, properties: { a: text, b: object({ c: text }) } },
  anything: { 'x-kubernetes-preserve-unknown-fields': true },
  embedded: { ...open, 'x-kubernetes-embedded-resource': true },
});

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'drawers.stored.example.com' },
  spec: {
    group: 'stored.example.com',
    names: { kind: 'Drawer', plural: 'drawers', singular: 'drawer', listKind: 'DrawerList' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: object({ spec }) } }],
  },
};

/** What people write below `spec`, as YAML. */
const specs = [
  'open: {}',
  'text: null',
  'text: ~',
  'nullable: null',
  'inner: null',
  'inner: { a: null, b: null, c: null }',
  'inner: { c: { d: null } }',
  'inner: { c: {} }',
  'filled: null',
  'filled: { b: 1 }',
  'items: [{ name: null }, { size: null, color: red }, { name: b, size: 2 }]',
  'list: []',
  'nulls: [a, null]',
  'map: { a: null, b: b }',
  'map: {}',
  'maps: { a: null, b: { a: null }, c: { d: 1 } }',
  'open: { a: null, b: { c: null, d: [null, {}] } }',
  'open: null',
  'mixed: { a: null, b: { c: null, d: 1 }, e: { f: null } }',
  'anything: null',
  'anything: { a: null }',
  'anything: [null, 1]',
  'embedded: { apiVersion: v1, kind: Secret, metadata: { name: a, labels: { b: c } }, data: { d: null } }',
  'unknown: { a: 1 }',
  'either: 010',
  'number: 010',
  'number: 0x1F',
  'number: 1_000',
  'flag: yes',
  'flag: Off',
  'open: { a: yes, b: "yes", c: y, d: No, e: on, f: OFF, g: True, h: tRUE }',
  'open: { a: 010, b: 0o10, c: 0b11, d: 0x1F, e: 1_000, f: 09, g: -010, h: +1, i: 0_1 }',
  'open: { a: 1:30, b: 12:30:45, c: 190:20:30.15 }',
  'open: { a: 1e3, b: 1.50, c: .5, d: 1_000.5, e: 1., f: 12345678901, g: -0 }',
  'open: { a: 2001-01-01, b: 2001-01-01T10:00:00Z }',
  'open: { a: ~, b: Null, c: NULL, d: nULL, e: "" , f: }',
  'open: { yes: 1, off: 2, "on": 3, 010: 4, 1.5: 5, 0x1F: 6 }',
  'open: { a: !!str 010, b: !!str yes, c: !!int "7", d: !!binary aGVsbG8= }',
  'open: { base: &base { a: 1, b: 2 }, other: { <<: *base, b: 3 } }',
  "open: { a: \"\\x41\\u00e9\", b: 'it''s', c: a#b, d: a:b }",
  'open:\n    a: |-\n      one\n      two\n    b: >\n      three\n      four',
];

const manifest = (name: string, below: string): string => `apiVersion: stored.example.com/v1
kind: Drawer
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  ${below}
`;

/** The specs that the API server keeps. */
const kept: unknown[] = [];

beforeAll(async () => {
  await kubectl(cluster, ['create', 'namespace', namespace]);
  await kubectl(cluster, ['create', '-f', '-'], JSON.stringify(definition));
  await kubectl(cluster, ['wait', '--for=condition=Established', `crd/${definition.metadata.name}`]);
  const created = specs.map((below, index) => manifest(`drawer-${index}`, below)).join('---\n');
  await kubectl(cluster, ['create', '--validate=false', '-f', '-'], created);
  for (const index of specs.keys()) {
    const answer = await kubectl(cluster, ['get', '-n', namespace, `drawer/drawer-${index}`, '-o', 'json']);
    kept.push(objectIn(JSON.parse(answer)).spec);
  }
});
afterAll(() =>
  kubectl(cluster, ['delete', '--ignore-not-found', `crd/${definition.metadata.name}`, `namespace/${namespace}`]),
);

describe('a file is read as the API server stores it', () => {
  it.each(specs.map((below, index) => ({ below, index })))('$below', ({ below, index }) => {
    const definitions = { source: 'definition', text: JSON.stringify(definition) };
    const { resources } = parseManifests([definitions, { source: 'file', text: manifest('a', below) }]);
    expect(objectIn(resources[1]).spec).toEqual(kept[index]);
  });
});
