import { Gateway, GatewayClass, HTTPRoute, Namespace, Service } from '@policy-machinery/gateway-api';
import { bareSpec, definePolicyKind, gep713, type PolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AdmissionPolicyOptions, admissionPolicies } from '../../index.ts';

const kindWith = (differing: object = {}): PolicyKind<unknown> =>
  definePolicyKind({
    ...gep713(),
    group: 'example.com',
    version: 'v1',
    kind: 'TimeoutPolicy',
    targets: [Gateway, Gateway.sections.listener, HTTPRoute],
    crossNamespace: 'allow',
    spec: z.object({ request: z.string() }).partial(),
    ...differing,
  });
const configMap = { name: 'who-overrides', namespace: 'platform' };
const everything: AdmissionPolicyOptions = {
  targetAccess: true,
  overrides: { namespaces: ['platform', 'infra'], configMap },
  immutableTargets: true,
  transitionWarnings: true,
};

interface PolicySpec {
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly paramKind?: object;
}
const specOf = ({ spec }: KubernetesObject) => spec as PolicySpec & Readonly<Record<string, unknown>>;
const accessOf = (differing: object) => {
  const [manifests] = admissionPolicies(kindWith(differing), { targetAccess: true });
  if (manifests === undefined) throw new Error('there are no manifests');
  return specOf(manifests.policy);
};

describe('admissionPolicies', () => {
  it('returns a policy and its binding for each check', () => {
    expect(admissionPolicies(kindWith(), {})).toEqual([]);
    const manifests = admissionPolicies(kindWith(), everything);
    const names = manifests.map(({ policy }) => policy.metadata.name.replace('timeoutpolicies.example.com-', ''));
    expect(names).toEqual(['target-access', 'overrides', 'immutable-targets', 'transitions']);
    for (const { policy, binding } of manifests) {
      expect(binding.spec).toMatchObject({ policyName: policy.metadata.name });
      expect(policy.spec).toMatchObject({
        matchConstraints: {
          resourceRules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['timeoutpolicies'] }],
        },
      });
    }
  });

  it('denies requests, and only warns of transitions', () => {
    const actions = admissionPolicies(kindWith(), everything).map(({ binding }) => specOf(binding).validationActions);
    expect(actions).toEqual([['Deny'], ['Deny'], ['Deny'], ['Warn', 'Audit']]);
  });

  it('calls the authorizer once in each expression, for each target that a policy may have', () => {
    const { validations } = accessOf({ maxTargets: 5 });
    expect(validations.map(({ expression }) => expression.match(/authorizer/g)?.length)).toEqual([1, 1, 1, 1, 1]);
  });

  it('handles names in URLs, cluster-scoped targets, and spellings of the core group', () => {
    const { variables, validations } = accessOf({
      targets: [Service, GatewayClass, Namespace],
      coreGroupSpellings: ['core'],
    });
    expect(variables.find(({ name }) => name === 'resources')?.expression).toBe(
      '{"Service.": "services", "Service.core": "services", "GatewayClass.gateway.networking.k8s.io": "gatewayclasses", "Namespace.": "namespaces", "Namespace.core": "namespaces"}',
    );
    expect(validations[0]?.expression).toContain(
      'in ["GatewayClass.gateway.networking.k8s.io", "Namespace.", "Namespace.core"] ? "" :',
    );
    expect(validations[0]?.expression).toContain('in ["core"] ? "" :');
  });

  it('checks another verb with that option', () => {
    const [manifests] = admissionPolicies(kindWith(), { targetAccess: { verb: 'attach' } });
    expect(JSON.stringify(manifests?.policy)).toContain('check(\\"attach\\")');
  });

  it('puts the namespaces of overrides into a ConfigMap, and refuses overrides without it', () => {
    const [manifests] = admissionPolicies(kindWith(), { overrides: { namespaces: ['platform', 'infra'], configMap } });
    expect(manifests?.params).toMatchObject({ metadata: configMap, data: { namespaces: 'platform\ninfra\n' } });
    expect(manifests?.binding.spec).toMatchObject({ paramRef: { ...configMap, parameterNotFoundAction: 'Deny' } });
  });

  it('warns of targets that an update drops, and of the first overrides where policies can have some', () => {
    const messagesOf = (differing: object) => {
      const [manifests] = admissionPolicies(kindWith(differing), { transitionWarnings: true });
      return manifests === undefined ? [] : specOf(manifests.policy).validations.map(({ message }) => message);
    };
    const dropped = 'this policy no longer has all of its former targets';
    expect(messagesOf({})).toEqual([
      dropped,
      'this policy has overrides now, which prevail over more specific policies',
    ]);
    expect(messagesOf({ stanzas: undefined })).toEqual([dropped]);
  });

  it('shares no part of its results', () => {
    const parts = new Set<unknown>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      expect(parts.has(value)).toBe(false);
      parts.add(value);
      for (const part of Object.values(value)) visit(part);
    };
    visit(admissionPolicies(kindWith(), everything));
  });

  const readTargets = () => ({ refs: [] });
  const { shape: _shape, ...ownReader } = bareSpec();
  it.each([
    ['targets in fields of its own', { readTargets }, { targetAccess: true }, /targetRefs/],
    ['immutable targets in fields of its own', { readTargets }, { immutableTargets: true }, /targetRefs/],
    ['dropped targets in fields of its own', { readTargets }, { transitionWarnings: true }, /targetRefs/],
    ['too many targets', { maxTargets: 29 }, { targetAccess: true }, /set maxTargets to at most 28/],
    [
      'too many targets beside selectors',
      { maxTargets: 27, targetSelectors: true },
      { targetAccess: true },
      /at most 26/,
    ],
    [
      'overrides of policies without a namespace',
      { scope: 'Cluster' },
      { overrides: everything.overrides },
      /cluster-scoped/,
    ],
    [
      'overrides of a kind that reads specs itself',
      { stanzas: ownReader },
      { overrides: everything.overrides },
      /not have a stanza for overrides/,
    ],
    [
      'overrides of a kind without them',
      { stanzas: undefined },
      { overrides: everything.overrides },
      /not have a stanza for overrides/,
    ],
  ] as const)('throws for %s', (_what, differing, options, message) => {
    expect(() => admissionPolicies(kindWith(differing), options as AdmissionPolicyOptions)).toThrow(
      expect.objectContaining({ code: 'invalid-admission-policy', message: expect.stringMatching(message) }),
    );
  });
});
