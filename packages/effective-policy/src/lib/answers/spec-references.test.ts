import { patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { anySpec, compute } from '../../conformance/policies.fixture.ts';
import { referencesIn, type SpecReferenceOptions } from './spec-references.ts';

const group = 'houses.example.com';
const House = defineTargetKind({ group, kind: 'House' });
const Room = defineTargetKind({
  group,
  kind: 'Room',
  references: () => [{ direction: 'up', to: { group, kind: 'House', namespace: 'infra', name: 'house' }, pointer: '' }],
});

const AccessPolicy = definePolicyKind({
  group: 'access.example.com',
  version: 'v1',
  kind: 'AccessPolicy',
  targets: [House, Room],
  effectiveTargets: [Room],
  spec: anySpec,
  stanzas: bareSpec({ strategies: { patch } }),
});

const house: KubernetesObject = {
  apiVersion: `${group}/v1`,
  kind: 'House',
  metadata: { name: 'house', namespace: 'infra' },
};
const room: KubernetesObject = {
  apiVersion: `${group}/v1`,
  kind: 'Room',
  metadata: { name: 'room', namespace: 'shop' },
};
const policyOn = (
  { kind, metadata: { name, namespace = '' } }: KubernetesObject,
  spec: JsonObject,
): KubernetesObject => ({
  apiVersion: 'access.example.com/v1',
  kind: 'AccessPolicy',
  metadata: { name: `on-${name}`, namespace },
  spec: { targetRefs: [{ group, kind, name }], ...spec },
});

/** Each reference as `pointer namespace/name`. */
function found(onHouse: JsonObject, onRoom: JsonObject, options?: SpecReferenceOptions): readonly string[] {
  const resources = [house, room, policyOn(house, onHouse), policyOn(room, onRoom)];
  const [effective] = compute(AccessPolicy, [House, Room], resources).effective;
  if (effective === undefined) throw new Error('no effective policy');
  return referencesIn(effective, options).map(
    ({ pointer, namespace, reference }) => `${pointer} ${namespace}/${reference.name}`,
  );
}

describe('referencesIn', () => {
  it('returns each reference with the namespace of the policy that set it (M-26)', () => {
    expect(found({ jwt: { secretRef: { name: 'keys' } } }, { oidc: { clientSecretRef: { name: 'client' } } })).toEqual([
      '/jwt/secretRef infra/keys',
      '/oidc/clientSecretRef shop/client',
    ]);
  });

  it('prefers the namespace that the reference names', () => {
    expect(found({ secretRef: { name: 'keys', namespace: 'pki' } }, {})).toEqual(['/secretRef pki/keys']);
  });

  it('takes the namespace of the policy that set the name, if others set the rest', () => {
    expect(found({ backendRef: { name: 'auth', port: 80 } }, { backendRef: { port: 90 } })).toEqual([
      '/backendRef infra/auth',
    ]);
  });

  it('finds references in lists, and by their kind', () => {
    const onHouse = { certificateRefs: [{ name: 'a' }, { name: 'b' }], store: { kind: 'ConfigMap', name: 'c' } };
    expect(found(onHouse, { headers: [{ name: 'x-not-a-reference', value: '1' }] })).toEqual([
      '/certificateRefs/0 infra/a',
      '/certificateRefs/1 infra/b',
      '/store infra/c',
    ]);
  });

  it('finds the fields that you call references', () => {
    const isReference = (_: JsonObject, pointer: string) => pointer.endsWith('/secret');
    expect(found({ jwt: { secret: { name: 'keys' }, otherRef: { name: 'x' } } }, {}, { isReference })).toEqual([
      '/jwt/secret infra/keys',
    ]);
  });
});
