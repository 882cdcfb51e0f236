import { type KubernetesObject, type ObjectLike, PolicyMachineryError } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grant, namespaceWith } from '../bank.fixture.ts';
import { toDot } from '../drawing/dot.ts';
import { toMermaid } from '../drawing/mermaid.ts';
import { exhibition, museum, targetKinds, ticketPolicy, world } from '../museum.fixture.ts';
import { createTopology, type TopologyOptions } from '../topology.ts';

class V1Museum {
  readonly apiVersion = 'culture.example.com/v1';
  readonly kind = 'Museum';
  readonly metadata = { name: 'louvre' };
}

const louvre = museum('louvre', { wings: [{ name: 'denon' }] });
const fail = (): never => {
  throw new Error('no entry');
};
const circular: Record<string, unknown> = { name: 'a' };
circular.self = circular;
const withHoles: unknown[] = [];
withHoles[2] = { name: 'x' };

/** Values that JSON cannot represent, and values that no schema allows. */
const foreign: readonly unknown[] = [
  ...[undefined, 1n, Number.NaN, Symbol('a'), () => 1, new Date(0), new V1Museum(), new Map([['a', 1]]), circular],
  ...[[circular], withHoles, [1n], new String('a'), Object.create(null), { toString: 1 }, { name: Symbol('a') }],
  ...[new Proxy({}, { get: fail }), new Proxy({}, { ownKeys: fail }), new Proxy({}, { getPrototypeOf: fail })],
  ...[new Proxy([1], { get: fail }), Object.defineProperty({}, 'name', { get: fail, enumerable: true })],
  ...[null, 'text', '', 5, true, [], {}, [null], [[{}]], [{}]],
];

const issuesOf = (attempt: () => unknown): readonly string[] => {
  try {
    attempt();
  } catch (error) {
    if (!(error instanceof PolicyMachineryError)) throw error;
    expect(error.code).toBe('invalid-resources');
    return error.issues.map(({ message }) => message);
  }
  return [];
};
const upserting = (...upsert: readonly unknown[]) =>
  issuesOf(() => world().apply({ upsert: upsert as KubernetesObject[] }));

const plain = 'pass the object from the API server, or plainObject(resource) of @policy-machinery/resource';

/** As client libraries have them: classes all the way down, times of class `Date`, `toJSON`, fields that are undefined. */
class V1Wing {
  constructor(readonly name: string) {}
}
class V1Spec {
  readonly city = undefined;
  readonly wings = [new V1Wing('denon')];
}
class Meta {
  readonly name = 'louvre';
  readonly creationTimestamp = new Date(0);
}
class Model {
  toJSON() {
    return louvre;
  }
}
const { apiVersion, kind } = louvre;

describe('apply', () => {
  it.each([
    ['an instance of a class', Object.assign(new V1Museum(), { spec: new V1Spec() })],
    ['an object with metadata of a class', { apiVersion, kind, metadata: new Meta(), spec: louvre.spec }],
    ['an object with a spec of a class', { ...louvre, spec: new V1Spec() }],
    ['an object with a Date', { ...louvre, metadata: { name: 'louvre', creationTimestamp: new Date(0) } }],
    [
      'an object that is being deleted since a Date',
      { ...louvre, metadata: { name: 'louvre', deletionTimestamp: new Date(0) } },
    ],
    ['an instance with toJSON', new Model()],
    ['an object whose status is left out by JSON', { ...louvre, status: () => 1 }],
  ])('takes %s as JSON has it', (_, value) => {
    const topology = world();
    topology.apply({ upsert: [value as ObjectLike] });
    expect(toDot(topology)).toBe(toDot(world(louvre)));
    const { resource } = topology.get('museum.culture.example.com:default/louvre') ?? {};
    expect(resource).toEqual(JSON.parse(JSON.stringify(value)));
    topology.apply({ remove: [value as ObjectLike] });
    expect([...topology.targets]).toEqual([]);
  });

  it('keeps a plain object unchanged', () => {
    const topology = world(louvre);
    expect(topology.get('museum.culture.example.com:default/louvre')?.resource).toBe(louvre);
  });

  it.each([
    ['upsert[1]: not a Kubernetes object but an instance of Date; set apiVersion, kind and metadata', new Date(0)],
    ['upsert[1]: JSON cannot represent it: Do not know how to serialize a BigInt', 1n],
    ['upsert[1]: JSON cannot represent it: no entry', Object.assign(new V1Museum(), { toJSON: fail })],
    [
      'upsert[1]: not a Kubernetes object: metadata.name is missing; set it, without "/" and "#"',
      { ...louvre, metadata: new Map([['name', 'louvre']]) },
    ],
    [`upsert[1]: cannot be read: no entry; ${plain}`, new Proxy({ ...louvre }, { get: fail })],
  ])('refuses values that are not JSON: %s', (message, value) => {
    expect(upserting(museum('orsay'), value)).toEqual([message]);
  });

  it('reports where a resource is not JSON, and leaves the topology unchanged', () => {
    const topology = world(louvre);
    const bad = grant('default', {}, {});
    const spec = { from: new Proxy([{}], { get: fail }), to: [] };
    const change = { upsert: [museum('orsay'), { ...bad, spec }] };
    expect(issuesOf(() => topology.apply(change))).toEqual([
      `upsert[1]: /spec/from is an object that cannot be read; ${plain}`,
    ]);
    expect([...topology.targets].map(({ ref }) => ref.name)).toEqual(['louvre', 'louvre']);
  });

  it('reads a ReferenceGrant with holes as a malformed one', () => {
    const spec = { from: withHoles, to: [{ group: '', kind: 'A' }] };
    const topology = world({ ...grant('default', {}, {}), spec });
    expect(topology.issues.map(({ code }) => code)).toContain('invalid-reference-grant');
  });

  it.each([
    ['the change: pass { upsert, remove }', undefined],
    ['the change: pass { upsert, remove }', 5],
    ['upsert: it is an object; pass a list, also of one', { upsert: louvre }],
    ['upsert: it is a string; pass a list, also of one', { upsert: 'louvre' }],
    ['remove: it is a number; pass a list, also of one', { remove: 5 }],
  ])('refuses a change that is none: %s', (message, change) => {
    expect(issuesOf(() => world().apply(change as never))).toEqual([message]);
    expect(issuesOf(() => world().with(change as never))).toEqual([message]);
  });

  it('counts null as no list', () => {
    expect(world(louvre).apply({ upsert: null, remove: null } as never)).toMatchObject({ added: [], removed: [] });
  });

  it('refuses removals that are not a locator, reference or resource', () => {
    const section = { group: '', kind: 'Museum', name: 'a', namespace: Symbol('b') };
    const remove = [section, new Proxy({}, { get: fail }), Symbol('a'), new Date(0)];
    expect(issuesOf(() => world(louvre).apply({ remove: remove as never }))).toEqual(
      remove.map((_, index) => expect.stringMatching(new RegExp(`^remove\\[${index}\\]: `))),
    );
  });

  it('never fails on any value with any other error', () => {
    const bases = [
      louvre,
      exhibition('vinci', { shownIn: [{ name: 'louvre', wing: 'denon' }], rooms: [{ name: 'a', artworks: [{}] }] }),
      ticketPolicy('free', { name: 'louvre' }),
      grant('default', { kind: 'A', namespace: 'b' }, { kind: 'C', name: 'd' }),
      { ...namespaceWith('default', { a: 'b' }), status: { phase: 'Active' } },
    ];
    const places = bases.flatMap((base) => pathsIn(base).map((path) => ({ base, path })));
    const any = fc.oneof(fc.constantFrom(...foreign), fc.anything({ withBigInt: true, withSparseArray: true }));
    fc.assert(
      fc.property(fc.constantFrom(...places), any, ({ base, path }, value) => {
        const resource = path.length === 0 ? (value as KubernetesObject) : replaced(base, path, value);
        const topology = world(...bases);
        const before = toDot(topology);
        if (issuesOf(() => topology.apply({ upsert: [resource] })).length > 0) expect(toDot(topology)).toBe(before);
        issuesOf(() => topology.with({ upsert: [resource] }));
        toMermaid(topology);
        issuesOf(() => topology.apply({ remove: [resource] }));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('createTopology', () => {
  it.each([
    ['targetKinds is not a list; pass a list of kinds', undefined],
    ['targetKinds is not a list; pass a list of kinds', {}],
    ['policyKinds is not a list; pass a list of kinds', { targetKinds, policyKinds: 5 }],
    ['targetKinds[1] is not a kind; pass the result of defineTargetKind', { targetKinds: [targetKinds[0], undefined] }],
    [
      'policyKinds[0] is not a kind; pass the result of definePolicyKind',
      { targetKinds, policyKinds: [{ kind: 'A' }] },
    ],
  ])('refuses values that are not a kind: %s', (message, options) => {
    expect(() => createTopology(options as unknown as TopologyOptions)).toThrow(
      expect.objectContaining({ code: 'invalid-kinds', message: expect.stringContaining(message) }),
    );
  });
});

/** The paths to all that a value holds, and to itself. */
function pathsIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, field]) => pathsIn(field).map((path) => [key, ...path]))];
}

function replaced(base: KubernetesObject, path: readonly string[], value: unknown): KubernetesObject {
  const copy = structuredClone(base);
  const parent = path.slice(0, -1).reduce<unknown>((node, key) => Reflect.get(node as object, key), copy);
  Reflect.set(parent as object, path.at(-1) ?? '', value);
  return copy;
}
