import { envoyGatewayVocabulary, gep713Vocabulary } from '@policy-machinery/conditions';
import { Gateway } from '@policy-machinery/gateway-api';
import { definePolicyKind } from '@policy-machinery/policy-kind';
import { formatGroupKind, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describeTargetable } from '@policy-machinery/topology/inner';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { crd, group, policy, reference, references } from '../crd/crd.fixture.ts';
import { otherKinds } from '../tables/outside.ts';
import { type FindInput, findPolicyKinds } from './find-policy-kinds.ts';

const fields = { targetRefs: references(), attempts: { type: 'integer' } };
const trafficPolicy: KubernetesObject = {
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'BackendTrafficPolicy',
  metadata: { name: 'retries', namespace: 'shop' },
  spec: { targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'checkout' }] },
};
/** The definition of Envoy Gateway's kind, of which a test changes parts. */
function trafficPolicyCrd(label?: string): KubernetesObject {
  const definition = crd({ kind: 'BackendTrafficPolicy', versions: ['v1alpha1'], fields, ...(label && { label }) });
  return { ...definition, spec: { ...(definition.spec as object), group: 'gateway.envoyproxy.io' } };
}
const RetryPolicy = definePolicyKind({
  group,
  version: 'v1',
  kind: 'RetryPolicy',
  targets: [Gateway],
  spec: z.object({ attempts: z.number() }).partial(),
});

const found = (input: Partial<FindInput>) =>
  findPolicyKinds({ resources: [], ...input }).kinds.map(({ kind, foundBy, merging }) => ({
    kind: formatGroupKind(kind),
    foundBy,
    merging,
  }));

describe('findPolicyKinds', () => {
  it('finds a kind of the table by a policy of the kind, without its definition', () => {
    expect(found({ resources: [trafficPolicy] })).toEqual([
      { kind: 'BackendTrafficPolicy.gateway.envoyproxy.io', foundBy: 'table', merging: 'known' },
    ]);
  });

  it('finds a kind of the table by its definition, without policies', () => {
    expect(found({ resources: [trafficPolicyCrd()] })).toMatchObject([{ foundBy: 'table' }]);
  });

  it('finds a kind by a definition with targets in its specs, labelled or not', () => {
    expect(found({ resources: [crd({ fields })] })).toEqual([
      { kind: 'RetryPolicy.policies.example.com', foundBy: 'schema', merging: 'unknown' },
    ]);
  });

  it('finds a kind by policies that name targets, if nothing defines the kind', () => {
    const [kind] = findPolicyKinds({ resources: [policy({ attempts: 3 })] }).kinds;
    expect(kind).toMatchObject({
      foundBy: 'objects',
      merging: 'unknown',
      kind: { kind: 'RetryPolicy', version: 'v1' },
    });
    expect(kind?.notes[0]).toContain('is not among the resources');
    expect(kind?.kind.targets.map(describeTargetable)).toEqual(['Gateway']);
  });

  it('counts sections as targets if a policy of the kind names one', () => {
    const targetRef = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge', sectionName: 'http' };
    const [kind] = findPolicyKinds({ resources: [policy({ targetRef }), policy({})] }).kinds;
    expect(kind?.kind.targets.map(describeTargetable)).toEqual(['Gateway', 'Gateway listener']);
    expect(kind?.kind.effectiveTargets.map(describeTargetable)).toEqual(['Gateway listener']);
  });

  it.each([
    ['a resource without references', { attempts: 1, targetRefs: [] }],
    ['references without a group', { targetRefs: [{ kind: 'Deployment', name: 'a' }] }],
    ['references without a name', { targetRef: { group: 'apps', kind: 'Deployment' }, targetRefs: null }],
  ])('finds no kind by %s', (_what, spec) => {
    expect(found({ resources: [policy(spec)] })).toEqual([]);
  });

  it('finds nothing in resources of other kinds', () => {
    const route = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata: { name: 'a' } };
    expect(found({ resources: [route, crd({ kind: 'Widget' })] })).toEqual([]);
  });

  it.each([
    ['a group', { apiVersion: 'Bad_Group/v1' }, { group: 'Bad_Group' }],
    ['a kind', { kind: 'Water Policy' }, { names: { kind: 'Water Policy' } }],
    ['a version', { apiVersion: `${group}/V 1` }, { versions: [{ name: 'V 1', schema: {} }] }],
  ])('skips objects with %s that API servers refuse, and finds the others', (_what, names, defined) => {
    const odd = { ...policy({}), ...names };
    const definition = crd({ kind: 'OddPolicy', fields });
    const oddDefinition = { ...definition, spec: { ...(definition.spec as object), ...defined } };
    expect(found({ resources: [odd, oddDefinition, trafficPolicy] })).toEqual(found({ resources: [trafficPolicy] }));
  });

  it('prefers your own declaration to a definition, and has the same value', () => {
    const { kinds } = findPolicyKinds({ resources: [crd({ fields }), policy({})], yours: [RetryPolicy] });
    expect(kinds).toMatchObject([{ foundBy: 'yours', merging: 'known', classFrom: 'yours' }]);
    expect(kinds[0]?.kind).toBe(RetryPolicy);
  });

  it("knows the conditions of the kinds of the table, and uses GEP-713's for others", () => {
    const vocabularyOf = (input: Partial<FindInput>) =>
      findPolicyKinds({ resources: [], ...input }).kinds[0]?.vocabulary;
    expect(vocabularyOf({ resources: [trafficPolicy] })).toBe(envoyGatewayVocabulary);
    expect(vocabularyOf({ resources: [crd({ fields })] })).toBe(gep713Vocabulary);
    expect(vocabularyOf({ resources: [policy({ attempts: 3 })] })).toBe(gep713Vocabulary);
    expect(vocabularyOf({ resources: [policy({})], yours: [RetryPolicy] })).toBe(gep713Vocabulary);
  });

  it('prefers the table to a definition, and checks specs by the definition', () => {
    const { kinds } = findPolicyKinds({ resources: [trafficPolicyCrd(), trafficPolicy] });
    expect(kinds).toMatchObject([{ foundBy: 'table', system: 'Envoy Gateway' }]);
    const read = kinds[0]?.kind.read({ ...trafficPolicy, spec: { ...(trafficPolicy.spec as object), tries: 1 } });
    expect(read?.issues.map(({ pointer }) => pointer)).toEqual(['/spec/tries']);
  });

  it.each([
    ['Direct', 'Direct'],
    ['direct', 'Direct'],
    ['true', 'Direct'],
    ['Inherited', 'Inherited'],
    ['inherited', 'Inherited'],
  ])('takes the class from the label %s', (label, policyClass) => {
    const [kind] = findPolicyKinds({ resources: [crd({ fields, label })] }).kinds;
    expect(kind).toMatchObject({ policyClass, classFrom: 'label', kind: { policyClass } });
    const note = 'By its policy label, Direct, a policy affects only its targets, and nothing below.';
    expect(kind?.notes.includes(note)).toBe(policyClass === 'Direct');
  });

  it('takes the class from the table, whatever the label says: some systems label kinds Direct that are not', () => {
    for (const label of ['Direct', 'false', undefined]) {
      expect(findPolicyKinds({ resources: [trafficPolicyCrd(label)] }).kinds).toMatchObject([
        { policyClass: 'Inherited', classFrom: 'table', kind: { policyClass: 'Inherited' } },
      ]);
    }
  });

  it('takes the class from the targets without a label', () => {
    const targetRef = reference([`self.kind == 'Gateway'`]);
    expect(findPolicyKinds({ resources: [crd({ fields: { targetRef } })] }).kinds).toMatchObject([
      { policyClass: 'Direct', classFrom: 'schema' },
    ]);
  });

  it('lists kinds that are labelled as policies, but name no targets', () => {
    const { kinds, unread } = findPolicyKinds({ resources: [crd({ kind: 'Parameters', label: 'Direct' })] });
    expect(kinds).toEqual([]);
    expect(unread).toMatchObject([{ group, kind: 'Parameters', label: 'Direct' }]);
    expect(unread[0]?.reason).toContain('no field that names targets');
  });

  it.each<[string, JsonObject, string]>([
    ['another field', { targetReference: { name: 'a' } }, 'Targets are named in spec.targetReference'],
    ['labels alone', { targetSelectors: [{ kind: 'Gateway' }] }, 'Targets are named in spec.targetSelectors'],
    [
      'a selector for a name',
      { targetRefs: [{ group: '', kind: 'Pod', selector: {} }] },
      'lack name and have selector',
    ],
    ['no group', { targetRef: { kind: 'Deployment', name: 'a' } }, 'lack group'],
  ])('lists kinds of policies that name targets by %s, with a warning for each', (_, spec, reason) => {
    const { kinds, unread, issues } = findPolicyKinds({ resources: [policy({ targetRefs: null, ...spec })] });
    expect(kinds).toEqual([]);
    expect(unread).toMatchObject([{ group, kind: 'RetryPolicy', reason: expect.stringContaining(reason) }]);
    expect(issues).toMatchObject([
      { code: 'unread-policy', severity: 'warning', pointer: `/spec/${Object.keys(spec)[0]}` },
    ]);
  });

  it('lists autoscalers, without warnings about them', () => {
    const targetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' };
    const { unread, issues } = findPolicyKinds({ resources: [policy({ targetRefs: null, targetRef })] });
    expect(unread).toHaveLength(1);
    expect(issues).toEqual([]);
  });

  it('lists kinds with policies that are attached in ways that are not read, with the reason', () => {
    const kuma = { apiVersion: 'kuma.io/v1alpha1', kind: 'MeshTimeout', metadata: { name: 'a', namespace: 'b' } };
    const { unread } = findPolicyKinds({ resources: [{ ...kuma, spec: { targetRef: { kind: 'Mesh' } } }] });
    expect(unread).toMatchObject([{ kind: 'MeshTimeout', system: 'Kuma', reason: expect.stringContaining('outside') }]);
  });

  it.each(otherKinds)('leaves out $kind of $group, which names a target and is not a policy', ({ group, kind }) => {
    const metadata = { name: 'x', namespace: 'shop' };
    const targetRef = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'cart' };
    const found = findPolicyKinds({ resources: [{ apiVersion: `${group}/v1`, kind, metadata, spec: { targetRef } }] });
    expect([found.kinds, found.unread, found.issues]).toEqual([[], [], []]);
  });

  it('keeps a kind if one of its policies has a typo', () => {
    const wrong = policy({ targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', nmae: 'edge' }] });
    expect(found({ resources: [wrong, policy({})] })).toMatchObject([{ foundBy: 'objects' }]);
  });

  it('does not merge policies of a kind with unread fields in its references', () => {
    const gep713 = { defaults: { type: 'object' }, overrides: { type: 'object' }, strategy: { enum: ['atomic'] } };
    const listeners = { type: 'array', items: { type: 'string' } };
    const [targetRef, withListeners] = [reference(), reference([], { listeners })];
    const [plain] = findPolicyKinds({ resources: [crd({ fields: { ...gep713, targetRef } })] }).kinds;
    const [kind] = findPolicyKinds({ resources: [crd({ fields: { ...gep713, targetRef: withListeners } })] }).kinds;
    expect(plain?.merging).toBe('known');
    expect(kind?.merging).toBe('unknown');
    expect(kind?.notes.join()).toContain('Not read: listeners of references');
  });

  it('finds cluster-scoped targets by their definition', () => {
    const targetRefs = [{ group: 'shop.example.com', kind: 'Mall', name: 'one' }];
    const definition = crd({ kind: 'Mall' });
    const defined = {
      ...definition,
      spec: { ...(definition.spec as object), group: 'shop.example.com', scope: 'Cluster' },
    };
    const mall = { apiVersion: 'shop.example.com/v1', kind: 'Mall', metadata: { name: 'one' } };
    const resources = [defined, mall, policy({ targetRefs })];
    const { kinds, targetKinds } = findPolicyKinds({ resources });
    const topology = createTopology({ targetKinds, policyKinds: kinds.map(({ kind }) => kind) });
    topology.apply({ upsert: resources });
    expect(topology.policies().flatMap(({ attachments }) => attachments)).toMatchObject([{ outcome: 'Attached' }]);
  });

  it('reads the version that policies have, if all of them have the same', () => {
    const definition = crd({ fields, versions: ['v2', 'v1'] });
    const versions = (...resources: KubernetesObject[]) =>
      findPolicyKinds({ resources: [definition, ...resources] }).kinds.map(({ kind }) => kind.version);
    expect(versions(policy({}))).toEqual(['v1']);
    expect(versions(policy({}), policy({}, 'RetryPolicy', 'v2'))).toEqual(['v2']);
    expect(versions()).toEqual(['v2']);
  });

  it('reads the version that policies of the table have, also where it is not the first of the kind', () => {
    const authorization = (version: string): KubernetesObject => ({
      apiVersion: `security.istio.io/${version}`,
      kind: 'AuthorizationPolicy',
      metadata: { name: version, namespace: 'a' },
    });
    const versionsOf = (...versions: readonly string[]) =>
      findPolicyKinds({ resources: versions.map(authorization) }).mesh?.kinds.map(({ kind }) => kind.version);
    expect(versionsOf('v1beta1')).toEqual(['v1beta1']);
    expect(versionsOf('v1beta1', 'v1')).toEqual(['v1']);
  });

  it.each([
    ['targetRef', 'GatewayClass', {}, 'granted', 'allow'],
    ['targetRef', 'GatewayClass', { namespace: 'b' }, 'granted', 'allow'],
    ['targetRefs', 'GatewayClass', {}, 'granted', 'allow'],
    ['targetRefs', 'Namespace', {}, 'allow', 'refuse'],
    ['targetRefs', 'Namespace', { namespace: 'b' }, 'granted', 'refuse'],
  ])(
    'lets policies without a definition reach cluster-scoped targets by %s: %s with %j',
    (field, kind, where, crossNamespace, clusterScopedTargets) => {
      const group = kind === 'Namespace' ? '' : 'gateway.networking.k8s.io';
      const target = { group, kind, name: 'edge', ...where };
      const spec = { targetRefs: null, [field]: field === 'targetRef' ? target : [target] };
      const { kinds } = findPolicyKinds({ resources: [policy(spec)] });
      expect(kinds).toMatchObject([{ kind: { crossNamespace, clusterScopedTargets } }]);
    },
  );

  it('gives the same in any order of the resources', () => {
    const resources = [crd({ fields }), policy({}), trafficPolicyCrd(), trafficPolicy];
    expect(found({ resources })).toEqual(found({ resources: [...resources].reverse() }));
  });

  it('gives target kinds for a topology with all of the kinds, also of kinds that only policies name', () => {
    const targetRefs = [{ group: 'shop.example.com', kind: 'Till', name: 'one' }];
    const resources = [crd({ fields }), policy({ targetRefs }), trafficPolicy];
    const { kinds, targetKinds } = findPolicyKinds({ resources });
    const topology = createTopology({ targetKinds, policyKinds: kinds.map(({ kind }) => kind) });
    topology.apply({
      upsert: [
        ...resources,
        { apiVersion: 'shop.example.com/v1', kind: 'Till', metadata: { name: 'one', namespace: 'infra' } },
      ],
    });
    const attached = topology.policies().flatMap(({ attachments }) => attachments.map(({ outcome }) => outcome));
    expect(attached.sort()).toEqual(['Attached', 'TargetNotFound']);
  });
});

describe('a dialect', () => {
  const resources = [crd({ fields }), policy({ attempts: 3 })];
  const retryPolicy = `${group}/RetryPolicy`;

  it.each([[retryPolicy], [`RetryPolicy.${group}`]])('says how policies of %s are merged', (name) => {
    const { kinds, issues } = findPolicyKinds({ resources, dialects: { [name]: 'patch' } });
    expect(kinds).toMatchObject([{ foundBy: 'schema', merging: 'known', dialect: 'patch' }]);
    expect(kinds[0]?.notes.join()).not.toContain('is not known');
    expect(issues).toEqual([]);
  });

  it('prevails over the table', () => {
    const dialects = { 'gateway.envoyproxy.io/BackendTrafficPolicy': 'atomic' };
    const [kind] = findPolicyKinds({ resources: [trafficPolicy], dialects }).kinds;
    expect(kind).toMatchObject({ foundBy: 'table', dialect: 'atomic', kind: { fold: 'bottom-up' } });
  });

  it('is enough for policies without a definition', () => {
    const [kind] = findPolicyKinds({ resources: [policy({})], dialects: { [retryPolicy]: 'gep713' } }).kinds;
    expect(kind).toMatchObject({ foundBy: 'objects', merging: 'known' });
  });

  it.each([
    [{ [retryPolicy]: 'best' }, `${retryPolicy} has the dialect best, which does not exist; take one of gep713,`],
    [{ 'a.example.com/Other': 'patch' }, 'a.example.com/Other is not a known policy kind'],
    [{ RetryPolicy: 'patch' }, 'RetryPolicy is not a kind; write group/Kind=patch'],
    [{ [`${group}/`]: 'patch' }, `${group}/ is not a kind; write group/Kind=patch`],
    [{ '/RetryPolicy': 'patch' }, '/RetryPolicy is not a kind; write group/Kind=patch'],
  ])('is reported if it cannot be chosen: %j', (dialects, message) => {
    const { issues } = findPolicyKinds({ resources, dialects });
    expect(issues).toEqual([{ code: 'invalid-dialect', severity: 'error', message: expect.stringContaining(message) }]);
  });
});

describe('the schema of effective specs', () => {
  const { targetRefs, ...proper } = fields;
  const strategy = { type: 'string', enum: ['atomic', 'patch'] };
  const gep = {
    targetRefs,
    defaults: { type: 'object', properties: { ...proper, strategy } },
    overrides: { type: 'object', properties: { ...proper, strategy } },
  };

  it.each<[string, JsonObject, Readonly<Record<string, string>>, object | undefined]>([
    [
      'of a kind that is not merged has a spec for each policy',
      fields,
      {},
      { additionalProperties: { properties: proper } },
    ],
    ['of a kind with defaults and overrides is that of the two, without strategies', gep, {}, { properties: proper }],
    [
      'of a kind with a bare spec has no targets',
      fields,
      { [`${group}/RetryPolicy`]: 'patch' },
      { properties: proper },
    ],
    [
      'of a kind of which all policies stay has groups',
      fields,
      { [`${group}/RetryPolicy`]: 'additive' },
      { properties: { policies: { additionalProperties: { properties: proper } } } },
    ],
  ])('%s', (_, specFields, dialects, schema) => {
    const [kind] = findPolicyKinds({ resources: [crd({ fields: specFields })], dialects }).kinds;
    expect(kind?.effectiveSchema).toMatchObject(schema as object);
    expect(JSON.stringify(kind?.effectiveSchema)).not.toMatch(/targetRefs|strategy/);
  });

  it('is not known without a definition', () => {
    expect(findPolicyKinds({ resources: [policy({ attempts: 3 })] }).kinds[0]?.effectiveSchema).toBeUndefined();
  });
});
