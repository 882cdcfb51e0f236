import { describe, expect, it } from 'vitest';
import { checkConcerns } from './check-concerns.ts';

/** The definition of SecurityPolicy, with some fields. */
function definition(fields: object) {
  const spec = { type: 'object', properties: fields };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const versions = [{ name: 'v1alpha1', served: true, storage: true, schema }];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'securitypolicies.gateway.envoyproxy.io' },
    spec: { versions },
  };
}

describe('the fields that serve concerns', () => {
  it('are a fault if the definition of their kind does not have them', () => {
    const any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const names = ['oidc', 'basicAuth', 'apiKeyAuth', 'extAuth', 'authorization', 'cors', 'csrf'];
    const crd = definition(Object.fromEntries(names.map((name) => [name, any])));
    const found = new Map([['SecurityPolicy.gateway.envoyproxy.io', { project: 'x', crd }]]);
    const { faults } = checkConcerns(found as unknown as Parameters<typeof checkConcerns>[0]);
    expect(faults).toContain('SecurityPolicy.gateway.envoyproxy.io: the definition has no field /jwt');
    expect(faults.every((fault) => fault.includes('/jwt'))).toBe(true);
  });
});
