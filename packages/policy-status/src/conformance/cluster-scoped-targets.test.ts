import { Gateway, GatewayClass, Namespace } from '@policy-machinery/gateway-api';
import { definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cluster, gateway, timeouts } from '../lib/cluster.fixture.ts';
import { reportPolicies } from '../lib/report/policy-report.ts';

const kindWith = (clusterScopedTargets: 'refuse' | 'allow') =>
  definePolicyKind({
    group: 'example.com',
    version: 'v1',
    kind: 'TimeoutPolicy',
    targets: [GatewayClass, Namespace, Gateway],
    effectiveTargets: [Gateway],
    clusterScopedTargets,
    spec: z.object({ request: z.number() }),
  });

const clusterScoped = (apiVersion: string, kind: string, name: string): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name },
  spec: kind === 'GatewayClass' ? { controllerName: 'example.com/gateways' } : {},
});
const ofClass = (name: string, namespace: string): KubernetesObject => {
  const plain = gateway(name, ['https'], { namespace });
  return { ...plain, spec: { ...(plain.spec as object), gatewayClassName: 'internal' } };
};
const resources = [
  clusterScoped('gateway.networking.k8s.io/v1', 'GatewayClass', 'internal'),
  clusterScoped('v1', 'Namespace', 'shop'),
  clusterScoped('v1', 'Namespace', 'infra'),
  ofClass('edge', 'shop'),
  ofClass('inner', 'infra'),
];

/** Returns the outcome of a policy in the namespace `shop`, and the Gateways that it applies to. */
function answerOf(kind: ReturnType<typeof kindWith>, target: string): readonly string[] {
  const { effective } = cluster(kind, ...resources, timeouts('p', [target], { request: 1 }));
  const gateways = [...effective].map(({ target: { ref } }) => `${ref.namespace}/${ref.name}`);
  return [...reportPolicies(effective).map(({ outcome }) => outcome), ...gateways];
}

describe('a policy in a namespace', () => {
  it.each([
    ['GatewayClass internal', ['enforced', 'infra/inner', 'shop/edge']],
    ['Namespace shop', ['enforced', 'shop/edge']],
    ['Namespace infra', ['reference-not-permitted']],
    ['Gateway infra/inner', ['reference-not-permitted']],
  ])(
    'may target cluster-scoped objects by name, and nothing else outside of its namespace, if its kind says so: %s',
    (target, expected) => {
      expect(answerOf(kindWith('allow'), target)).toEqual(expected);
    },
  );

  it.each([
    ['GatewayClass internal', ['reference-not-permitted']],
    ['Namespace shop', ['enforced', 'shop/edge']],
  ])('may target only its own Namespace otherwise: %s', (target, expected) => {
    expect(answerOf(kindWith('refuse'), target)).toEqual(expected);
  });
});
