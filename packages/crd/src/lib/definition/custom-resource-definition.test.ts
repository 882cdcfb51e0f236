import { Gateway, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { atomic, patch } from '@policy-machinery/merge';
import {
  additiveSpec,
  bareSpec,
  definePolicyKind,
  gep713,
  kuadrant,
  type PolicyKindDefinition,
} from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type CustomResourceDefinitionOptions, customResourceDefinition } from '../../index.ts';
import { structuralFaults } from '../structural/structural-rules.fixture.ts';

const base = { group: 'policies.example.com', version: 'v1', kind: 'TimeoutPolicy', targets: [Gateway] };
const spec = z.strictObject({ request: z.string().optional() });
type Parts = Partial<PolicyKindDefinition<typeof spec>>;

function definitionOf(parts: Parts = {}, options?: CustomResourceDefinitionOptions) {
  return customResourceDefinition(definePolicyKind({ ...base, spec, ...parts }), options).definition;
}

/** The schema of its one version. */
function schemaOf({ spec: { versions } }: { readonly spec: JsonObject }) {
  const [version] = versions as unknown as readonly [{ schema: { openAPIV3Schema: JsonObject } }];
  const { openAPIV3Schema } = version.schema;
  expect(structuralFaults(openAPIV3Schema)).toEqual([]);
  return openAPIV3Schema as { readonly properties: { readonly spec: JsonObject; readonly status: JsonObject } };
}

describe('customResourceDefinition (P-01, P-05, D-08)', () => {
  it('has the spec of one policy for an additive kind, and the groups besides it', () => {
    const stanzas = additiveSpec({ by: 'action', groups: ['DENY', 'ALLOW'] });
    const { definition } = customResourceDefinition(definePolicyKind({ ...base, spec, stanzas }));
    const { properties } = schemaOf(definition).properties.spec as { properties: JsonObject };
    expect(Object.keys(properties).sort()).toEqual(['action', 'request', 'targetRef', 'targetRefs']);
    expect(properties.action).toMatchObject({ type: 'string', enum: ['DENY', 'ALLOW'] });
  });

  it('can be applied by kubectl', async () => {
    const RateLimitPolicy = definePolicyKind({
      ...kuadrant({ rules: ['/limits'] }),
      ...base,
      kind: 'RateLimitPolicy',
      targets: [Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule],
      effectiveTargets: [HTTPRoute.sections.rule],
      spec: z.strictObject({
        limits: z.record(
          z.string(),
          z.strictObject({
            requests: z.int().min(1).describe('How many requests there may be.'),
            per: z.enum(['second', 'minute', 'hour']),
            by: z
              .discriminatedUnion('source', [
                z.strictObject({ source: z.literal('Header'), name: z.string().min(1) }),
                z.strictObject({ source: z.literal('ClientIP') }),
              ])
              .optional(),
          }),
        ),
      }),
    });
    const { definition, issues } = customResourceDefinition(RateLimitPolicy, {
      description: 'Limits how many requests there are.',
      shortNames: ['rlp'],
      categories: ['policies'],
      columns: [{ name: 'Strategy', type: 'string', jsonPath: '.spec.strategy' }],
    });
    expect(issues).toEqual([]);
    schemaOf(definition);
    await expect(stringify(definition)).toMatchFileSnapshot('../../../golden/rate-limit-policy.yaml');
  });

  it('has the same parts as the definition of BackendTLSPolicy in Gateway API', () => {
    const definition = definitionOf({
      group: 'networking.example.com',
      kind: 'BackendTLSPolicy',
      targets: [Service, Service.sections.port],
    });
    expect(definition.metadata).toEqual({
      name: 'backendtlspolicies.networking.example.com',
      labels: { 'gateway.networking.k8s.io/policy': 'Direct' },
    });
    expect(definition.spec).toMatchObject({
      scope: 'Namespaced',
      names: { plural: 'backendtlspolicies', singular: 'backendtlspolicy', listKind: 'BackendTLSPolicyList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
        },
      ],
    });
    const { properties } = schemaOf(definition);
    expect(properties.spec).toMatchObject({
      properties: { targetRefs: { minItems: 1, maxItems: 16, 'x-kubernetes-list-type': 'atomic' } },
    });
    expect(properties.status).toMatchObject({
      required: ['ancestors'],
      properties: {
        ancestors: {
          maxItems: 16,
          'x-kubernetes-list-type': 'atomic',
          items: {
            required: ['ancestorRef', 'controllerName', 'conditions'],
            properties: {
              ancestorRef: { required: ['name'], properties: { group: { default: 'gateway.networking.k8s.io' } } },
              conditions: { minItems: 1, maxItems: 8, 'x-kubernetes-list-map-keys': ['type'] },
            },
          },
        },
      },
    });
  });

  it('has the class of the kind in the policy label (X-17b)', () => {
    const labelOf = (parts: Parts) => definitionOf(parts).metadata.labels;
    expect(labelOf({})).toEqual({ 'gateway.networking.k8s.io/policy': 'Direct' });
    expect(labelOf({ targets: [Gateway, HTTPRoute] })).toEqual({ 'gateway.networking.k8s.io/policy': 'Inherited' });
  });

  it('has conditions of the whole policy with that option (X-13)', () => {
    expect(schemaOf(definitionOf({}, { status: 'conditions' })).properties.status).toMatchObject({
      properties: { conditions: { 'x-kubernetes-list-type': 'map' } },
    });
  });

  it('takes names, labels and annotations', () => {
    const names = { plural: 'touts', singular: 'tout', shortNames: ['to'], categories: ['all'] };
    const definition = definitionOf({ scope: 'Cluster' }, { ...names, labels: { a: 'b' }, annotations: { c: 'd' } });
    expect(definition.metadata).toMatchObject({
      name: 'touts.policies.example.com',
      labels: { a: 'b' },
      annotations: { c: 'd' },
    });
    expect(definition.spec).toMatchObject({ scope: 'Cluster', names });
  });

  it.each([
    ['TimeoutPolicy', 'timeoutpolicies'],
    ['Gateway', 'gateways'],
    ['Mesh', 'meshes'],
    ['GatewayClass', 'gatewayclasses'],
  ])('has plurals as Kubernetes has them: %s', (kind, plural) => {
    expect(definitionOf({ kind }).spec).toMatchObject({ names: { plural } });
  });

  it('has the plural of the kind, if the kind declares one', () => {
    expect(definitionOf({ plural: 'touts' }).spec).toMatchObject({ names: { plural: 'touts' } });
  });

  it.each<[string, Parts, CustomResourceDefinitionOptions, string]>([
    ['a group without a dot', { group: 'policies' }, {}, '/spec/group'],
    ['a group of Kubernetes', { group: 'policies.k8s.io' }, {}, '/spec/group'],
    ['a plural in capitals', {}, { plural: 'Timeouts' }, '/spec/names/plural'],
    ['a short name with a space', {}, { shortNames: ['t', 'a b'] }, '/spec/names/shortNames/1'],
    ['a version that begins with a digit', { version: '1' }, {}, '/spec/versions/0/name'],
  ])('refuses %s', (_case, parts, options, pointer) => {
    const issues = [{ code: 'invalid-name', pointer }];
    expect(() => definitionOf(parts, options)).toThrow(
      expect.objectContaining({ code: 'invalid-crd', issues: [expect.objectContaining(issues[0] ?? {})] }),
    );
  });

  it('has all versions of the kind, each with its own schema, and stores the one that the kind says', () => {
    const otherVersions = [
      { version: 'v1beta1', spec: z.strictObject({ timeout: z.string() }), convert: () => ({}) },
      { version: 'v1alpha1' },
    ];
    const kind = definePolicyKind({ ...base, spec, otherVersions, storedVersion: 'v1beta1' });
    const { definition, issues } = customResourceDefinition(kind);
    type Schema = { openAPIV3Schema: { properties: { spec: { properties: JsonObject } } } };
    const versions = definition.spec.versions as unknown as readonly {
      name: string;
      storage: boolean;
      schema: Schema;
    }[];
    const fields = ({ schema }: { schema: Schema }) =>
      Object.keys(schema.openAPIV3Schema.properties.spec.properties).filter(
        (it) => it === 'request' || it === 'timeout',
      );
    expect(versions.map((it) => [it.name, it.storage, fields(it)])).toEqual([
      ['v1', false, ['request']],
      ['v1beta1', true, ['timeout']],
      ['v1alpha1', false, ['request']],
    ]);
    expect(issues.map(({ code, message }) => [code, message])).toEqual([
      [
        'not-converted',
        'the API server serves every policy in v1, v1beta1 without converting its spec; add spec.conversion with a webhook',
      ],
    ]);
  });

  it('takes groups of Kubernetes that have been approved', () => {
    const annotations = { 'api-approved.kubernetes.io': 'https://example.com/pull/1' };
    expect(definitionOf({ group: 'policies.k8s.io' }, { annotations }).metadata.annotations).toEqual(annotations);
  });

  describe('the schema of the spec', () => {
    const request = { type: 'string', maxLength: 9 };
    const ofKind = (schema: PolicyKindDefinition<typeof spec>['spec'], options?: CustomResourceDefinitionOptions) => {
      const fields = schemaOf(definitionOf({ spec: schema }, options)).properties.spec.properties as JsonObject;
      return fields.request;
    };

    it.each([
      ['zod', z.object({ request: z.string().max(9) })],
      ['arktype', type({ request: 'string <= 9' })],
      ['valibot', toStandardJsonSchema(v.object({ request: v.pipe(v.string(), v.maxLength(9)) }))],
    ])('is the one that the Standard Schema of %s returns', (_vendor, schema) => {
      expect(ofKind(schema as never)).toEqual(request);
    });

    it('is passed as an option if the Standard Schema does not return one', () => {
      const silent = v.object({ request: v.string() }) as never;
      expect(() => ofKind(silent)).toThrow(
        /this schema of valibot does not have a Standard JSON Schema; pass it as the option schema/,
      );
      expect(() => ofKind(z.object({ request: z.date() }) as never)).toThrow(/zod says: Date cannot be represented/);
      const schema = { type: 'object', properties: { request } };
      expect(ofKind(silent, { schema })).toEqual(request);
    });

    it('cannot be known for a stanza reader without a shape', () => {
      const { shape, ...reader } = bareSpec();
      expect(() => definitionOf({ stanzas: reader })).toThrow(expect.objectContaining({ code: 'invalid-crd' }));
      const fields = { subject: { type: ['string', 'null'] } };
      const stanzas = {
        ...reader,
        shape: { ...shape, stanzas: shape?.stanzas ?? [], exclusive: [], oneOf: [], fields },
      };
      const { properties } = schemaOf(definitionOf({ stanzas })).properties.spec as { properties: JsonObject };
      expect(properties.subject).toEqual({ type: 'string', nullable: true });
    });

    it('omits fields for targets where the kind reads these itself', () => {
      const { properties } = schemaOf(definitionOf({ readTargets: () => ({}) })).properties.spec;
      expect(Object.keys(properties as JsonObject)).toEqual(['strategy', 'request']);
    });

    it('reports constraints that cannot be checked besides other fields', () => {
      const kind = definePolicyKind({ ...base, ...gep713(), spec: z.record(z.string(), z.string()) });
      const { definition, issues } = customResourceDefinition(kind);
      expect(issues.map(({ message }) => message)).toEqual([
        'fields without a name in the schema are kept, but not checked',
        'fields that are not named are not kept apart from stanzas',
      ]);
      expect(schemaOf(definition).properties.spec).toMatchObject({ 'x-kubernetes-preserve-unknown-fields': true });
    });
  });

  it('costs the API server little: everything that its rules read is limited', () => {
    const parts: Parts = { ...gep713(), crossNamespace: 'granted', targetSelectors: true };
    const { targetRef, targetRefs, targetSelectors } = schemaOf(
      definitionOf({ ...parts, targets: [Gateway, Gateway.sections.listener] }),
    ).properties.spec.properties as Readonly<
      Record<string, { items: { properties: JsonObject }; properties: JsonObject; maxItems: number }>
    >;
    for (const list of [targetRefs, targetSelectors]) expect(list?.maxItems).toBe(16);
    const strings = Object.values({
      ...targetRef?.properties,
      ...targetRefs?.items.properties,
      group: targetSelectors?.items.properties.group,
    });
    expect(strings.map((field) => (field as { maxLength?: number }).maxLength)).toEqual([253, 63, 253, 63, 253]);
  });

  it('neither shares parts with other definitions nor within itself', () => {
    const parts: Parts = { stanzas: bareSpec({ strategies: { atomic, patch } }) };
    const text = stringify(definitionOf(parts));
    expect(text).not.toMatch(/[&*]a\d/);
    expect(stringify(definitionOf(parts))).toBe(text);
  });
});
