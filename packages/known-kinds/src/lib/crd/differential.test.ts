import { customResourceDefinition } from '@policy-machinery/crd';
import { Gateway, GatewayClass, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { atomic, type MergeStrategy, patch } from '@policy-machinery/merge';
import {
  bareSpec,
  defaultsAndOverrides,
  definePolicyKind,
  envoyGateway,
  gep713,
  gep713Experimental,
  kgateway,
  nginxGatewayFabric,
  type PolicyKind,
  type PolicyKindDefinition,
  type PolicyReading,
} from '@policy-machinery/policy-kind';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import type { Targetable } from '@policy-machinery/topology';
import { describeTargetable } from '@policy-machinery/topology/inner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { policyKindFromCrd } from './policy-kind-from-crd.ts';

const group = 'policies.example.com';
const spec = z
  .strictObject({
    request: z.string().min(2).max(5),
    attempts: z.int().min(1).max(9),
    mode: z.enum(['fast', 'safe']),
    limits: z.record(z.string(), z.strictObject({ requests: z.number(), unit: z.string().optional() })),
    hosts: z.array(z.string().regex(/^[a-z]+$/)).max(2),
  })
  .partial();

function declare(parts: Partial<PolicyKindDefinition<typeof spec>> = {}) {
  return definePolicyKind({ group, version: 'v1', kind: 'APolicy', targets: [Gateway, HTTPRoute], spec, ...parts });
}

const fromCrd = (kind: PolicyKind<unknown>) => policyKindFromCrd(customResourceDefinition(kind).definition);

const strategies: Readonly<Record<string, MergeStrategy>> = { atomic, patch };
type Dialect = Partial<PolicyKindDefinition<typeof spec>>;

/** Dialects whose policies select strategies of GEP-713 by name, so that the schema shows how they are merged. */
const selfDescribing: Readonly<Record<string, Dialect>> = {
  'one strategy': { stanzas: bareSpec() },
  'a bare spec': { stanzas: bareSpec({ strategies }) },
  'GEP-713': gep713(),
  'both stanzas at once': { stanzas: defaultsAndOverrides({ strategies, together: 'defaults-and-overrides' }) },
  'all stanzas at once': { stanzas: defaultsAndOverrides({ strategies, together: 'all' }) },
  'singular stanzas': { stanzas: defaultsAndOverrides({ strategies, spelling: 'singular', requireStanza: true }) },
  'stanzas in either spelling': { stanzas: defaultsAndOverrides({ strategies, spelling: 'either' }) },
};

const others: Readonly<Record<string, Dialect>> = {
  'no strategies': { stanzas: bareSpec({ strategyField: false }) },
  'GEP-713 of 2023': gep713Experimental(),
  kgateway: kgateway(),
  'Envoy Gateway': envoyGateway(),
  'NGINX Gateway Fabric': nginxGatewayFabric(),
};

const sometimes = <Value>(value: fc.Arbitrary<Value>, percent: number) =>
  fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(undefined) }, { weight: percent, arbitrary: value });
const limit = fc.constantFrom<JsonObject>(
  { requests: 5 },
  { requests: 1.5, unit: 's' },
  { unit: 's' },
  { requests: 'a' },
);
const proper = fc.record({
  request: sometimes(fc.constantFrom('10s', 'a', 'too long'), 60),
  attempts: sometimes(fc.constantFrom(1, 5, 10, 2.5, '3'), 40),
  mode: sometimes(fc.constantFrom('fast', 'safe', 'slow'), 40),
  limits: sometimes(fc.dictionary(fc.constantFrom('x', 'constructor'), limit, { maxKeys: 2 }), 30),
  hosts: sometimes(fc.array(fc.constantFrom('a', 'b', 'A'), { maxLength: 3 }), 20),
  other: sometimes(fc.constant(1), 5),
});
const strategy = sometimes(fc.constantFrom('atomic', 'patch', 'merge'), 20);
const stanza = sometimes(
  fc.tuple(proper, strategy).map(([fields, name]) => ({ ...fields, strategy: name })),
  20,
);
const written: fc.Arbitrary<JsonObject> = fc
  .record({
    bare: sometimes(proper, 60),
    defaults: stanza,
    overrides: stanza,
    default: stanza,
    override: stanza,
    strategy,
  })
  // Leaves out undefined fields.
  .map(({ bare, ...fields }) => JSON.parse(JSON.stringify({ ...bare, ...fields })));

const targetRefs = [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge' }];

function policy(fields: JsonObject): KubernetesObject {
  return {
    apiVersion: `${group}/v1`,
    kind: 'APolicy',
    metadata: { name: 'a', namespace: 'b' },
    spec: { targetRefs, ...fields },
  };
}

/** Returns what is read from a policy: each layer with its stanza and strategy. */
function said({ policy }: PolicyReading<unknown>) {
  return policy?.layers.map(({ spec, pointer, stanza, strategy }) => ({ spec, pointer, stanza, strategy }));
}

describe.each(Object.entries({ ...selfDescribing, ...others }))(
  'a kind with %s, from the CustomResourceDefinition of a kind',
  (_name, dialect) => {
    it('takes the policies that the first kind takes, and refuses the others', () => {
      const kind = declare(dialect);
      const reading = fromCrd(kind);
      const seen = new Set<boolean>();
      fc.assert(
        fc.property(written, (fields) => {
          const isTaken = kind.read(policy(fields)).policy !== undefined;
          const isRead = reading.kind?.read(policy(fields)).policy !== undefined;
          expect({ fields, isTaken: isRead }).toEqual({ fields, isTaken });
          seen.add(isTaken);
        }),
        { numRuns: 200, examples: [[{ request: '10s' }], [{ default: { request: '10s' } }], [{ request: 'a' }]] },
      );
      expect(seen.size).toBe(2);
    });
  },
);

describe.each(Object.entries(selfDescribing))('a kind with %s and strategies of GEP-713', (_name, dialect) => {
  it('has the same stanzas and strategies as the kind of its CustomResourceDefinition', () => {
    const kind = declare(dialect);
    const reading = fromCrd(kind);
    expect(reading.merging).toBe('known');
    fc.assert(
      fc.property(written, (fields) => {
        const read = reading.kind?.read(policy(fields));
        expect(read && said(read)).toEqual(said(kind.read(policy(fields))));
      }),
      { numRuns: 200, examples: [[{ request: '10s' }], [{ overrides: { request: '10s', strategy: 'patch' } }]] },
    );
  });
});

describe.each(Object.entries(others))('a kind with %s', (_name, dialect) => {
  it('does not declare in its CustomResourceDefinition how policies are merged', () => {
    expect(fromCrd(declare(dialect)).merging).toBe('unknown');
  });
});

const targets: Readonly<Record<string, Partial<PolicyKindDefinition<typeof spec>>>> = {
  'whole objects': { targets: [Gateway, HTTPRoute] },
  'objects and sections': { targets: [Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule] },
  'only sections': { targets: [HTTPRoute.sections.rule, Gateway.sections.listener] },
  'sections of one kind': { targets: [Gateway, HTTPRoute, HTTPRoute.sections.rule] },
  'the core group': { targets: [Service, Service.sections.port], coreGroupSpellings: ['core'] },
  'a cluster-scoped kind': { targets: [GatewayClass], crossNamespace: 'allow', scope: 'Cluster' },
  'cluster-scoped objects from a namespace': { targets: [GatewayClass, Gateway], clusterScopedTargets: 'allow' },
  'another namespace': { targets: [Gateway], crossNamespace: 'granted' },
  selectors: { targets: [Gateway], targetSelectors: true, maxTargets: 3 },
};

describe.each(Object.entries(targets))('a kind that targets %s, from its CustomResourceDefinition', (_name, parts) => {
  it('targets the same', () => {
    const kind = declare(parts);
    const namesOf = (all: readonly Targetable[] | undefined) => all?.map(describeTargetable).sort();
    const read = fromCrd(kind).kind;
    expect(namesOf(read?.targets)).toEqual(namesOf(kind.targets));
    const {
      targetFields,
      maxTargets,
      coreGroupSpellings,
      crossNamespace,
      clusterScopedTargets,
      scope,
      plural,
      version,
    } = kind;
    expect(read).toMatchObject({
      targetFields,
      maxTargets,
      coreGroupSpellings,
      crossNamespace,
      ...(scope === 'Cluster' ? {} : { clusterScopedTargets: clusterScopedTargets ?? 'refuse' }),
      scope,
      plural,
      version,
    });
  });
});
