import { knownKinds } from '@policy-machinery/known-kinds';
import type { JsonObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { checkTable } from './check-table.ts';
import { compareRow } from './compare.ts';

const text = { type: 'string' };
const reference = (more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { group: text, kind: text, name: text, sectionName: text },
  required: ['group', 'kind', 'name'],
  'x-kubernetes-validations': [{ rule: "self.kind == 'Gateway' && self.group == 'gateway.networking.k8s.io'" }],
  ...more,
});

/** The definition of Kuadrant's TLSPolicy, as far as it matters here, with changes. */
function definition(targets: JsonObject, { scope = 'Namespaced', status = 'conditions', spec = {} } = {}) {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'tlspolicies.kuadrant.io', labels: { 'gateway.networking.k8s.io/policy': 'direct' } },
    spec: {
      group: 'kuadrant.io',
      scope,
      names: { kind: 'TLSPolicy', plural: 'tlspolicies' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  required: ['issuerRef', ...Object.keys(targets)],
                  properties: { issuerRef: { type: 'object' }, ...targets, ...spec },
                },
                status: { type: 'object', properties: { [status]: { type: 'array' } } },
              },
            },
          },
        },
      ],
    },
  };
  return { project: 'kuadrant', crd };
}

const row = knownKinds.find(({ group, kind }) => group === 'kuadrant.io' && kind === 'TLSPolicy');
const differencesWith = (...args: Parameters<typeof definition>) => {
  if (row === undefined) throw new Error('the table has no TLSPolicy');
  return Object.fromEntries(
    compareRow(row, definition(...args)).differences.map(({ fact, definition: is, table }) => [
      fact,
      `${is} | ${table}`,
    ]),
  );
};

describe('the comparison of a row with a definition', () => {
  it('finds nothing where they agree', () => {
    expect(differencesWith({ targetRef: reference() })).toEqual({});
  });

  it.each<[string, Parameters<typeof definition>, Record<string, string>]>([
    ['the scope', [{ targetRef: reference() }, { scope: 'Cluster' }], { scope: 'Cluster | Namespaced' }],
    [
      'the place of conditions',
      [{ targetRef: reference() }, { status: 'ancestors' }],
      { 'place of conditions': 'ancestors | conditions' },
    ],
    [
      'the kinds of targets',
      [
        {
          targetRef: reference({
            'x-kubernetes-validations': [
              { rule: "self.kind in ['Gateway', 'HTTPRoute'] && self.group == 'gateway.networking.k8s.io'" },
            ],
          }),
        },
      ],
      {
        'kinds of targets':
          'Gateway.gateway.networking.k8s.io, HTTPRoute.gateway.networking.k8s.io | Gateway.gateway.networking.k8s.io',
        'kinds of targets with sections':
          'Gateway.gateway.networking.k8s.io, HTTPRoute.gateway.networking.k8s.io | Gateway.gateway.networking.k8s.io',
      },
    ],
    [
      'a field of references that is not read',
      [
        {
          targetRef: reference({ properties: { group: text, kind: text, name: text, sectionName: text, zone: text } }),
        },
      ],
      { 'fields of a reference': 'sectionName, zone | sectionName' },
    ],
    [
      'a field of references that may be left out',
      [
        {
          targetRef: reference({
            properties: {
              group: { ...text, default: 'gateway.networking.k8s.io' },
              kind: text,
              name: text,
              sectionName: text,
            },
          }),
        },
      ],
      { 'fields of a reference that may be left out': 'group | none' },
    ],
    [
      'lists and defaults that bear on merging',
      [
        { targetRef: reference() },
        {
          spec: {
            usages: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['name'],
              items: { type: 'object', properties: { name: text } },
            },
            duration: { type: 'string', default: '1h' },
          },
        },
      ],
      { 'lists whose items have keys': '/usages | none', 'fields with default values': '1 | 0' },
    ],
  ])('finds %s', (_, args, differences) => {
    expect(differencesWith(...args)).toEqual(differences);
  });

  it('finds targets in another field', () => {
    const list = { type: 'array', maxItems: 3, items: reference() };
    expect(differencesWith({ targetRefs: list })).toEqual({
      targets: 'some in targetRefs | none of them in targetRef',
    });
  });
});

describe('the check of the table', () => {
  it('fails with unintended differences, and with exceptions that are not needed', () => {
    const { lines, faults } = checkTable(
      new Map([['TLSPolicy.kuadrant.io', definition({ targetRef: reference() }, { scope: 'Cluster' })]]),
    );
    expect(faults[0]).toBe('TLSPolicy.kuadrant.io: scope: the definition has Cluster; the table Namespaced');
    expect(faults.slice(1).every((fault) => fault.startsWith('an exception is no longer needed'))).toBe(true);
    expect(lines.find((line) => line.startsWith('Kuadrant '))).toMatch(/^Kuadrant +5 +1 +\d+ +\d+ +0 +1 /);
  });
});
