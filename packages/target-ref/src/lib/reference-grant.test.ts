import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CrossReference, referenceGrants } from '../index.ts';
import { readReferenceGrant } from './reference-grant.ts';

const route = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'shop' };
const service = { group: '', kind: 'Service' };

/** A grant in namespace `warehouse`. */
function grant(spec: unknown, name = 'g', namespace = 'warehouse'): KubernetesObject {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1beta1',
    kind: 'ReferenceGrant',
    metadata: { name, namespace },
    spec,
  };
}

const reference: CrossReference = { from: route, to: { ...service, namespace: 'warehouse', name: 'stock' } };
const from = (field: string, value: string) => ({ ...reference, from: { ...route, [field]: value } });
const to = (field: string, value: string) => ({ ...reference, to: { ...reference.to, [field]: value } });

describe('referenceGrants', () => {
  const all = grant({ from: [route], to: [service] });
  const byName = grant({ from: [route], to: [{ ...service, name: 'stock' }] });

  it.each<[string, CrossReference]>([
    ['the reference that it names', reference],
    ['any target of the kind', to('name', 'prices')],
  ])('permits %s (T-24)', (_, question) => {
    expect(referenceGrants([all]).permits(question)).toBe(true);
  });

  it.each<[string, CrossReference]>([
    ['from another group', from('group', 'example.com')],
    ['from another kind', from('kind', 'GRPCRoute')],
    ['from a kind in other letters', from('kind', 'httproute')],
    ['from another namespace', from('namespace', 'prod')],
    ['to another group', to('group', 'example.com')],
    ['to another kind', to('kind', 'Secret')],
    ['to another namespace than its own', to('namespace', 'vault')],
    ['the other way round', { from: { ...service, namespace: 'warehouse' }, to: { ...route, name: 'cart' } }],
  ])('denies a reference %s (T-24)', (_, question) => {
    expect(referenceGrants([all]).permits(question)).toBe(false);
  });

  it('permits one target by its name, and no other', () => {
    const { permits } = referenceGrants([byName]);
    expect(permits(reference)).toBe(true);
    expect(permits(to('name', 'prices'))).toBe(false);
    expect(permits(to('name', 'undefined'))).toBe(false);
  });

  it.each<[string, readonly KubernetesObject[]]>([
    ['one of several grants', [grant({ from: [route], to: [{ ...service, name: 'other' }] }, 'a'), byName, byName]],
    ['one entry of from', [grant({ from: [{ ...route, namespace: 'prod' }, route], to: [service] })]],
    ['one entry of to', [grant({ from: [route], to: [{ group: '', kind: 'Secret' }, service] })]],
    ['one name of to', [grant({ from: [route], to: ['prices', 'stock'].map((name) => ({ ...service, name })) })]],
    ['all of the kind beside a name', [byName, all]],
  ])('permits the same as %s (T-24)', (_, grants) => {
    expect(referenceGrants(grants).permits(reference)).toBe(true);
    expect(referenceGrants(grants.toReversed()).permits(reference)).toBe(true);
  });

  it('does not combine two grants into one permission', () => {
    const half = [
      grant({ from: [route], to: [{ group: '', kind: 'Secret' }] }, 'a'),
      grant({ from: [{ ...route, namespace: 'prod' }], to: [service] }, 'b'),
    ];
    expect(referenceGrants(half).permits(reference)).toBe(false);
  });

  it('needs no grant within a namespace', () => {
    expect(referenceGrants([]).permits(to('namespace', 'shop'))).toBe(true);
  });

  it('permits nothing after the grant is removed (T-24)', () => {
    const before = referenceGrants([all]);
    expect(before.permits(reference)).toBe(true);
    expect(referenceGrants([]).permits(reference)).toBe(false);
    expect(before.permits(reference)).toBe(true);
  });

  it('accepts grants of any version, and no other resources', () => {
    expect(referenceGrants([{ ...all, apiVersion: 'gateway.networking.k8s.io/v1' }]).permits(reference)).toBe(true);
    const others = [
      { ...all, kind: 'Service' },
      { ...all, apiVersion: 'example.com/v1beta1' },
      { ...all, apiVersion: 'v1' },
    ];
    expect(referenceGrants(others)).toMatchObject({ issues: [] });
    expect(referenceGrants(others).permits(reference)).toBe(false);
  });

  it('reports a malformed grant, which permits nothing and does not affect others', () => {
    const broken = grant({ from: [route], to: [service, { ...service, name: 5 }] }, 'broken');
    expect(referenceGrants([broken]).permits(reference)).toBe(false);
    const grants = referenceGrants([broken, all]);
    expect(grants.permits(reference)).toBe(true);
    expect(grants.issues).toEqual([
      {
        code: 'invalid-reference-grant',
        severity: 'error',
        message: 'name is 5; expected the name of the target, at most 253 characters',
        pointer: '/spec/to/1/name',
        resource: 'referencegrant.gateway.networking.k8s.io:warehouse/broken',
      },
    ]);
  });

  it('is not misled by separators in references', () => {
    const question = { ...reference, from: { ...route, kind: 'HTTPRoute","shop' } };
    expect(referenceGrants([all]).permits(question)).toBe(false);
  });

  it('agrees with the definition: some grant, some from, some to', () => {
    const kinds = fc.record({ group: fc.constantFrom('', 'a.io'), kind: fc.constantFrom('K', 'L') });
    const namespace = fc.constantFrom('n', 'm');
    const names = fc.constantFrom('x', 'y');
    const froms = fc.tuple(kinds, namespace).map(([kind, namespace]) => ({ ...kind, namespace }));
    const tos = fc
      .tuple(kinds, fc.option(names))
      .map(([kind, name]) => ({ ...kind, ...(name === null ? {} : { name }) }));
    const list = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 3 });
    const grants = fc.array(fc.record({ namespace, from: list(froms), to: list(tos) }), { maxLength: 4 });
    const same = (a: typeof service, b: typeof service) => a.group === b.group && a.kind === b.kind;
    fc.assert(
      fc.property(grants, froms, froms, names, (all, from, target, name) => {
        const expected =
          from.namespace === target.namespace ||
          all.some(
            (grant) =>
              grant.namespace === target.namespace &&
              grant.from.some((one) => same(one, from) && one.namespace === from.namespace) &&
              grant.to.some((one) => same(one, target) && (one.name === undefined || one.name === name)),
          );
        const { permits } = referenceGrants(all.map((one, index) => grant(one, `g${index}`, one.namespace)));
        expect(permits({ from, to: { ...target, name } })).toBe(expected);
      }),
    );
  });
});

describe('readReferenceGrant', () => {
  const issuesOf = (spec: unknown) =>
    readReferenceGrant(grant(spec)).issues.map(({ pointer, message }) => `${pointer}: ${message}`);

  it('reads a grant, without unknown fields', () => {
    const spec = JSON.parse(
      `{"from":[${JSON.stringify({ ...route, name: 'x', constructor: 1 })}],"to":[{"group":"","kind":"Service","name":null,"__proto__":{"name":"x"}}]}`,
    );
    expect(readReferenceGrant(grant(spec))).toEqual({
      grant: { namespace: 'warehouse', from: [route], to: [service] },
      issues: [],
    });
  });

  it.each([undefined, null, [], {}, 'x', Array.from({ length: 17 }, () => route)])('refuses %j as a list', (list) => {
    expect(issuesOf({ from: list, to: list })).toEqual([
      '/spec/from: from must be a list of 1 to 16 entries',
      '/spec/to: to must be a list of 1 to 16 entries',
    ]);
  });

  it('reports everything that is wrong at once', () => {
    const { namespace, ...anywhere } = route;
    expect(
      issuesOf({
        from: [anywhere, null, { ...route, namespace: '*' }],
        to: [{ kind: 'a/b' }, { ...service, name: '' }],
      }),
    ).toEqual([
      '/spec/from/0/namespace: namespace is missing; set it to a DNS label',
      '/spec/from/1: an entry must be an object with group, kind, namespace',
      '/spec/from/2/namespace: namespace is "*"; expected a DNS label, at most 63 characters',
      '/spec/to/0/group: group is missing; set it to a DNS subdomain without a version, or "" for the core group',
      '/spec/to/0/kind: kind is "a/b"; expected letters, digits and "-", beginning with a letter, at most 63 characters',
      '/spec/to/1/name: name is ""; expected the name of the target, at most 253 characters',
    ]);
  });

  it('never throws, never changes its input, and permits nothing if it finds a fault', () => {
    const rubbish = fc.jsonValue({ maxDepth: 4 });
    const entries = fc.array(fc.oneof(rubbish, fc.record({ group: rubbish, kind: rubbish, namespace: rubbish })));
    const specs = fc.oneof(rubbish, fc.record({ from: fc.oneof(entries, rubbish), to: fc.oneof(entries, rubbish) }));
    fc.assert(
      fc.property(specs, (spec) => {
        const before = structuredClone(spec);
        const { grant: granted, issues } = readReferenceGrant(grant(spec));
        expect(spec).toEqual(before);
        expect(granted === undefined).toBe(issues.length > 0);
      }),
    );
  });
});
