import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { releasedDefinitions } from '../index.ts';

const object = (kind: string, apiVersion: string): KubernetesObject => ({ apiVersion, kind, metadata: { name: 'a' } });
const policy = object('SecurityPolicy', 'gateway.envoyproxy.io/v1alpha1');

const definitionOf = (kind: string, group: string): KubernetesObject => ({
  ...object('CustomResourceDefinition', 'apiextensions.k8s.io/v1'),
  spec: { group, names: { kind } },
});

const kindsOf = async (...resources: KubernetesObject[]) =>
  (await releasedDefinitions(resources)).map(({ definition }) => definition.metadata.name);

describe('releasedDefinitions', () => {
  it('has a definition for each known kind of the resources, once', async () => {
    const route = object('HTTPRoute', 'gateway.networking.k8s.io/v1');
    expect(await kindsOf(policy, route, policy)).toEqual([
      'securitypolicies.gateway.envoyproxy.io',
      'httproutes.gateway.networking.k8s.io',
    ]);
  });

  it('names the release', async () => {
    expect(await releasedDefinitions([policy])).toMatchObject([{ release: expect.stringMatching(/^Envoy Gateway v/) }]);
  });

  it('has none for a kind that a resource defines', async () => {
    expect(await kindsOf(policy, definitionOf('SecurityPolicy', 'gateway.envoyproxy.io'))).toEqual([]);
  });

  it.each([
    ['Service', 'v1'],
    ['RetryPolicy', 'policies.example.com/v1'],
    ['Unheard', 'gateway.envoyproxy.io/v1alpha1'],
    ['constructor', 'constructor/v1'],
    ['constructor', 'gateway.envoyproxy.io/v1alpha1'],
  ])('has none for other kinds: %s of %s', async (kind, apiVersion) => {
    expect(await kindsOf(object(kind, apiVersion))).toEqual([]);
  });

  it('reads resources that are malformed', async () => {
    const malformed = { ...definitionOf('', ''), spec: { names: [] } } as unknown as KubernetesObject;
    expect(await kindsOf(malformed)).toEqual([]);
  });
});
