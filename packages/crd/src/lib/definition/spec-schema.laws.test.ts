import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { atomic, patch } from '@policy-machinery/merge';
import {
  type ConditionLanguage,
  defaultsAndOverrides,
  definePolicyKind,
  envoyGateway,
  gep713,
  gep713Experimental,
  kgateway,
  kuadrant,
  nginxGatewayFabric,
  type PolicyKind,
  type Profile,
} from '@policy-machinery/policy-kind';
import type { JsonObject, JsonValue } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { customResourceDefinition } from '../../index.ts';
import { pruned, refusals } from '../api-server.fixture.ts';
import { structuralFaults } from '../structural/structural-rules.fixture.ts';

/** Any text is a condition. */
const language: ConditionLanguage = { compile: () => () => ({ holds: true }) };
const strategies = { atomic, patch };

const dialects: Readonly<Record<string, Pick<Profile, 'stanzas'>>> = {
  gep713: gep713(),
  gep713Experimental: gep713Experimental(),
  kuadrant: kuadrant({ rules: ['/limits'], guards: 'guards', conditions: language }),
  kgateway: kgateway(),
  envoyGateway: envoyGateway(),
  nginxGatewayFabric: nginxGatewayFabric(),
  'either spelling': { stanzas: defaultsAndOverrides({ strategies, spelling: 'either' }) },
  'all together': { stanzas: defaultsAndOverrides({ strategies, together: 'all' }) },
  'with a stanza': { stanzas: defaultsAndOverrides({ strategies, requireStanza: true, spelling: 'singular' }) },
  'with a stanza, all together': {
    stanzas: defaultsAndOverrides({ strategies, requireStanza: true, together: 'all' }),
  },
};

const guards = z.array(z.string()).optional();
const limits = z.record(z.string(), z.strictObject({ requests: z.int().min(1), guards }));

const specs: Readonly<Record<string, { readonly spec: z.ZodType; readonly good: JsonObject }>> = {
  'optional fields': {
    spec: z
      .strictObject({ limits, request: z.string().min(1), namespace: z.boolean(), $any: z.unknown(), guards })
      .partial(),
    good: { request: 'a', $any: 1 },
  },
  'required fields': {
    spec: z.strictObject({ limits: limits.optional(), request: z.string().min(1), guards }),
    good: { request: 'a' },
  },
  'one of several kinds': {
    spec: z.discriminatedUnion('request', [
      z.strictObject({ request: z.literal('a'), limits, guards }),
      z.strictObject({ request: z.literal('b'), namespace: z.boolean(), guards }),
    ]),
    good: { request: 'b', namespace: true },
  },
};

function kindOf(profile: Pick<Profile, 'stanzas'>, spec: z.ZodType): PolicyKind<unknown> {
  const targets = [Gateway, Gateway.sections.listener, HTTPRoute];
  return definePolicyKind({ ...profile, group: 'policies.example.com', version: 'v1', kind: 'APolicy', targets, spec });
}

const sometimes = <Value>(value: fc.Arbitrary<Value>, percent: number) =>
  fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(undefined) }, { weight: percent, arbitrary: value });
const rule = fc.record({ requests: fc.constantFrom(0, 1, 5), guards: sometimes(fc.constant(['a']), 20) });
const proper = fc.record({
  request: sometimes(fc.constantFrom('a', 'b', ''), 80),
  limits: sometimes(fc.dictionary(fc.constantFrom('x', 'y'), rule), 50),
  namespace: sometimes(fc.boolean(), 30),
  $any: sometimes(fc.constantFrom<JsonValue>([1], 'a', { a: null }), 10),
  guards: sometimes(fc.constant(['a']), 20),
  when: sometimes(fc.constantFrom('a', 'b'), 20),
});
const strategy = sometimes(fc.constantFrom('atomic', 'merge', 'patch', 'JSONMerge', 'other'), 30);
const stanza = sometimes(
  fc.tuple(proper, strategy).map(([fields, name]) => ({ ...fields, strategy: name })),
  25,
);
const written: fc.Arbitrary<JsonObject> = fc
  .record({
    bare: sometimes(proper, 60),
    defaults: stanza,
    overrides: stanza,
    default: stanza,
    override: stanza,
    strategy,
    mergeType: strategy,
    unset: sometimes(fc.constantFrom<JsonValue>([], ['a'], [''], 'a'), 20),
  })
  // Leaves out undefined fields.
  .map(({ bare, ...fields }) => JSON.parse(JSON.stringify({ ...bare, ...fields })));

const targetRefs = [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge' }];

/** The rules of a spec, and the names by which they may ask for its fields. */
function rulesOf(schema: JsonObject) {
  const { spec } = schema.properties as { readonly spec: JsonObject };
  const fields = Object.entries(spec.properties as Readonly<Record<string, JsonObject>>);
  // For CEL in CustomResourceDefinitions, fields that may be anything do not exist, nor do names with other characters.
  const isKnown = ({ type, items }: JsonObject) => ((items ?? { type }) as JsonObject).type !== undefined;
  const known = fields.flatMap(([name, field]) =>
    name !== '$any' && isKnown(field) ? [name === 'namespace' ? '__namespace__' : name] : [],
  );
  const rules = spec['x-kubernetes-validations'] as readonly { readonly rule: string }[];
  return { rules: rules.map(({ rule }) => rule), known };
}

describe.each(Object.entries(dialects))(
  'the CustomResourceDefinition of a kind in the dialect %s',
  (_name, profile) => {
    it.each(Object.entries(specs))(
      'accepts exactly the policies that its kind reads, with %s',
      (_spec, { spec, good }) => {
        const kind = kindOf(profile, spec);
        const { definition, issues } = customResourceDefinition(kind);
        const [version] = definition.spec.versions as unknown as readonly [{ schema: { openAPIV3Schema: JsonObject } }];
        const { openAPIV3Schema } = version.schema;
        expect(structuralFaults(openAPIV3Schema)).toEqual([]);
        expect(issues).toEqual([]);
        const { rules, known } = rulesOf(openAPIV3Schema);
        for (const rule of rules) {
          for (const [, name] of rule.matchAll(/self\.(\w+)/g)) expect(known).toContain(name);
        }
        const seen = new Set<boolean>();
        fc.assert(
          fc.property(written, (fields) => {
            const policy = { apiVersion: 'policies.example.com/v1', kind: 'APolicy', spec: { targetRefs, ...fields } };
            const stored = pruned(openAPIV3Schema, policy) as typeof policy;
            const reading = kind.read({ ...stored, metadata: { name: 'a', namespace: 'b' } });
            const isRead = reading.policy !== undefined;
            expect({ stored, isTaken: refusals(openAPIV3Schema, policy).length === 0 }).toEqual({
              stored,
              isTaken: isRead,
            });
            seen.add(isRead);
          }),
          { numRuns: 150, examples: [[good], [{ default: good }], [{ defaults: good }], [{ request: '' }]] },
        );
        expect(seen.size).toBe(2);
      },
    );
  },
);
