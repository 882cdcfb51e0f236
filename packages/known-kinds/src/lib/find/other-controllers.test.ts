import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { knownKinds } from '../known-kinds.ts';
import { findPolicyKinds } from './find-policy-kinds.ts';

const group = 'gateway.networking.k8s.io';
const metadata = { name: 'edge', namespace: 'infra' };
const listeners = [{ name: 'http', port: 80, protocol: 'HTTP' }];

/** Returns whether a policy on a Gateway counts there. */
function counts(kind: string, ...classes: readonly KubernetesObject[]): boolean {
  const { group: ofKind, versions } = knownKinds.find((it) => it.kind === kind) ?? { group: '', versions: [] };
  const targetRef = { group, kind: 'Gateway', name: 'edge' };
  const resources: readonly KubernetesObject[] = [
    ...classes,
    { apiVersion: `${group}/v1`, kind: 'Gateway', metadata, spec: { gatewayClassName: 'c', listeners } },
    { apiVersion: `${ofKind}/${versions[0]}`, kind, metadata, spec: { targetRef } },
  ];
  const { kinds, targetKinds } = findPolicyKinds({ resources });
  const topology = createTopology({ targetKinds, policyKinds: kinds.map((it) => it.kind) });
  topology.apply({ upsert: resources });
  return kinds.some(
    (it) => effectivePolicies(topology, it.kind, it.viewOptions).of(`gateway.${group}:infra/edge#http`).length > 0,
  );
}

const gatewayClass = (spec: KubernetesObject['spec']): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'GatewayClass',
  metadata: { name: 'c' },
  spec,
});

describe('policies on a Gateway', () => {
  it.each([
    ['ClientTrafficPolicy', 'gateway.envoyproxy.io/gatewayclass-controller', true],
    ['ClientTrafficPolicy', 'gateway.envoyproxy.io/a-second-one', true],
    ['ClientTrafficPolicy', 'gateway.nginx.org/nginx-gateway-controller', false],
    ['ClientTrafficPolicy', 'traefik.io/gateway-controller', false],
    ['ClientTrafficPolicy', 'gateways.example.com/controller', true],
    ['TLSPolicy', 'gateway.nginx.org/nginx-gateway-controller', true],
  ])('%s at the controller %s count there: %s', (kind, controllerName, expected) => {
    expect(counts(kind, gatewayClass({ controllerName }))).toBe(expected);
  });

  it('count there if its class is missing, or names no controller', () => {
    expect(counts('ClientTrafficPolicy')).toBe(true);
    expect(counts('ClientTrafficPolicy', gatewayClass({}))).toBe(true);
  });
});
