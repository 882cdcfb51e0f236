import { readFileSync } from 'node:fs';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  objectsIn,
} from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import { describe, expect, it } from 'vitest';
import { cluster } from '../gateway-api.fixture.ts';
import { gatewayStatus } from './gateway-status.ts';
import { routeStatuses } from './route-statuses.ts';
import { statusFields } from './status-fields.fixture.ts';

type Fields = { readonly [name: string]: Fields | null };

/** The fields below `spec` of Gateway API's CustomResourceDefinitions of version 1.6, experimental ones included. */
const golden: Readonly<Record<string, Fields>> = JSON.parse(
  readFileSync(new URL('../../../golden/crd-fields.json', import.meta.url), 'utf8'),
);

const pathsIn = (fields: Fields, at = ''): readonly string[] =>
  Object.entries(fields).flatMap(([name, below]) => (below === null ? [at + name] : pathsIn(below, `${at}${name}.`)));

const entryOf = (kind: string, path: string) =>
  Object.keys(statusFields[kind] ?? {})
    .filter((it) => path === it || path.startsWith(`${it}.`) || path.startsWith(`${it}[]`))
    .sort((a, b) => b.length - a.length)[0];

describe('the table of fields that statuses depend on', () => {
  it.each(Object.keys(golden))('has each field of a %s, and no other', (kind) => {
    const paths = pathsIn(golden[kind] ?? {});
    expect(paths.filter((path) => entryOf(kind, path) === undefined)).toEqual([]);
    const used = new Set(paths.map((path) => entryOf(kind, path)));
    expect(Object.keys(statusFields[kind] ?? {}).filter((entry) => !used.has(entry))).toEqual([]);
  });

  const folder = process.env.GATEWAY_API_CRDS;
  it.skipIf(folder === undefined)(
    'has the fields of the CustomResourceDefinitions in the folder GATEWAY_API_CRDS; skipped if that is not set',
    async () => {
      const definitions = [...(await readManifests(folder as string))].filter(
        ({ kind }) => kind === 'CustomResourceDefinition',
      );
      expect(definitions.length).toBeGreaterThan(0);
      for (const { spec } of definitions as readonly { spec: JsonObject }[]) {
        const kind = (spec.names as JsonObject).kind as string;
        const stored = objectsIn(spec.versions).find(({ storage }) => storage === true) as JsonObject;
        const fields = golden[kind];
        if (fields !== undefined)
          expect([kind, fieldsIn(at(stored, 'schema', 'openAPIV3Schema', 'properties', 'spec'))]).toEqual([
            kind,
            fields,
          ]);
      }
    },
  );

  const unknown = Object.entries(statusFields).flatMap(([kind, fields]) =>
    Object.entries(fields).flatMap(([path, reading]) =>
      typeof reading === 'string' ? [] : [[kind, path, reading[1]] as const],
    ),
  );

  it.each(unknown)('has an Unknown condition where a %s sets %s', (kind, path, value) => {
    const before = conditionsOf(baseOf(kind));
    const after = conditionsOf(withValue(baseOf(kind), path, value as JsonValue));
    expect(after.length).toBeGreaterThan(before.length);
  });
});

const metadata = { name: 'it', namespace: 'default' };
const edge = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'edge', namespace: 'default' },
  spec: {
    gatewayClassName: 'c',
    allowedListeners: { namespaces: { from: 'All' } },
    listeners: [{ name: 'l', port: 80, protocol: 'HTTP' }],
  },
};

function baseOf(kind: string): KubernetesObject {
  const listeners = [{ name: 'https', port: 443, protocol: 'HTTPS', tls: {} }];
  const specs: Readonly<Record<string, JsonObject>> = {
    Gateway: { gatewayClassName: 'c', listeners },
    ListenerSet: { parentRef: { name: 'edge' }, listeners },
  };
  const route = { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: [{ name: 'cart', port: 80 }] }] };
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind,
    metadata,
    spec: specs[kind] ?? route,
  } as unknown as KubernetesObject;
}

/** Returns the conditions of an object, or of its listeners and parents, that are Unknown; `Programmed` always is. */
function conditionsOf(object: KubernetesObject): readonly string[] {
  const cart = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'cart', namespace: 'default' },
    spec: { ports: [{ port: 80 }] },
  };
  const topology = cluster(edge as unknown as KubernetesObject, cart as unknown as KubernetesObject, object);
  const locator = `${object.kind.toLowerCase()}.gateway.networking.k8s.io:default/it`;
  const status = object.kind.endsWith('Route') ? undefined : gatewayStatus(topology, locator);
  const ofListeners = (status?.listeners ?? []).flatMap(({ conditions }) => conditions);
  const all = [
    ...(status?.conditions ?? []),
    ...ofListeners,
    ...routeStatuses(topology, locator).flatMap(({ conditions }) => conditions),
  ];
  return all
    .filter((it) => it.status === 'Unknown' && it.type !== 'Programmed' && it.message.length > 20)
    .map(({ type }) => type);
}

/** Returns an object with a value at a path such as `rules[].filters[].extensionRef`; lists get one more field in their first item. */
function withValue(object: KubernetesObject, path: string, value: JsonValue): KubernetesObject {
  const set = (there: JsonValue | undefined, parts: readonly string[]): JsonValue => {
    const [part, ...rest] = parts;
    if (part === undefined) return value;
    if (part === '[]') {
      const [first = {}, ...others] = Array.isArray(there) ? there : [];
      return [set(first, rest), ...others];
    }
    const field = isJsonObject(there) ? there : {};
    const type = /^(extensionRef|externalAuth)$/.test(part)
      ? { type: `${part.charAt(0).toUpperCase()}${part.slice(1)}` }
      : {};
    const port = part === 'tls' && path.includes('perPort') && rest[0] === 'validation' ? { port: 443 } : {};
    return { ...field, ...type, ...port, [part]: set(field[part], rest) };
  };
  const parts = path.split('.').flatMap((part) => (part.endsWith('[]') ? [part.slice(0, -2), '[]'] : [part]));
  return { ...object, spec: set((object as unknown as JsonObject).spec, parts) } as unknown as KubernetesObject;
}

/** Returns the fields of a schema, as the golden file has them. */
function fieldsIn(schema: JsonValue | undefined): Fields {
  const fields: Record<string, Fields | null> = {};
  for (const [name, below] of Object.entries(at(schema, 'properties') as JsonObject)) {
    let [key, inner] = [name, below];
    while (isJsonObject(inner) && isJsonObject(inner.items)) [key, inner] = [`${key}[]`, inner.items];
    const properties = at(inner, 'properties');
    fields[key] = isJsonObject(properties) && Object.keys(properties).length > 0 ? fieldsIn(inner) : null;
  }
  return fields;
}

function at(value: JsonValue | undefined, ...keys: readonly string[]): JsonValue | undefined {
  return keys.reduce((it, key) => (isJsonObject(it) ? it[key] : undefined), value);
}
