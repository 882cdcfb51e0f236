import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, formatTarget, unseenIn } from '@policy-machinery/topology';
import { formatUnseen } from '@policy-machinery/topology/inner';
import { describe, expect, it } from 'vitest';
import { findPolicyKinds } from '../find/find-policy-kinds.ts';
import { creatorKinds } from './creators.ts';

const routing = 'gateway.networking.k8s.io';
const object = (apiVersion: string, kind: string, spec: object, name = 'chat', more: object = {}): KubernetesObject =>
  ({ apiVersion, kind, metadata: { name, namespace: 'shop', ...more }, spec }) as KubernetesObject;
const edge = object(`${routing}/v1`, 'Gateway', { listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] }, 'edge');
const parentRefs = [{ name: 'edge', namespace: 'shop' }];

/** Returns what is unseen below Gateway shop/edge. */
function unseenBelow(...objects: readonly KubernetesObject[]): readonly string[] {
  const resources = [edge, ...objects];
  const { targetKinds, kinds } = findPolicyKinds({ resources });
  const policyKinds = kinds.map(({ kind }) => kind);
  const topology = createTopology({ targetKinds, policyKinds, isComplete: () => false });
  topology.apply({ upsert: resources });
  return unseenIn(topology).map((it) => {
    const below = it.below === undefined ? 'any Gateway' : [...it.below].map(formatTarget).join();
    return `${formatUnseen(it).replace(/, which a controller creates .*/, '')} below ${below}`;
  });
}

describe('the objects that controllers create', () => {
  const solver = { http01: { gatewayHTTPRoute: { parentRefs } } };
  const below = 'below Gateway shop/edge';

  it.each<[string, KubernetesObject, readonly string[]]>([
    [
      'an AIGatewayRoute',
      object('aigateway.envoyproxy.io/v1alpha1', 'AIGatewayRoute', { parentRefs }),
      [`HTTPRoute shop/chat ${below}`],
    ],
    [
      'an MCPRoute',
      object('aigateway.envoyproxy.io/v1beta1', 'MCPRoute', { parentRefs }),
      [`HTTPRoute shop/ai-eg-mcp-main-chat ${below}`, `HTTPRoute shop/ai-eg-mcp-br-chat-* ${below}`],
    ],
    [
      'an Issuer with a solver for Gateways',
      object('cert-manager.io/v1', 'Issuer', { acme: { solvers: [{ dns01: {} }, solver] } }),
      [`HTTPRoute shop/cm-acme-http-solver-* ${below}`],
    ],
    [
      'a ClusterIssuer with a solver for Gateways',
      object('cert-manager.io/v1', 'ClusterIssuer', { acme: { solvers: [solver] } }),
      [`HTTPRoute cm-acme-http-solver-* ${below}`],
    ],
    [
      'a Challenge',
      object('acme.cert-manager.io/v1', 'Challenge', { solver }),
      [`HTTPRoute shop/cm-acme-http-solver-* ${below}`],
    ],
    [
      'an InferenceService, at a Gateway that its operator configures',
      object('serving.kserve.io/v1beta1', 'InferenceService', { predictor: {} }),
      ['', '-predictor', '-transformer', '-explainer'].map((part) => `HTTPRoute shop/chat${part} below any Gateway`),
    ],
    [
      'an LLMInferenceService with a managed route',
      object('serving.kserve.io/v1alpha1', 'LLMInferenceService', {
        router: { gateway: { refs: parentRefs }, route: {} },
      }),
      [`HTTPRoute shop/chat-kserve-route ${below}`],
    ],
    ['an LLMInferenceService without a route', object('serving.kserve.io/v1alpha1', 'LLMInferenceService', {}), []],
    ['an Issuer of another sort', object('cert-manager.io/v1', 'Issuer', { selfSigned: {} }), []],
    [
      'a Canary, by its target',
      object('flagger.app/v1beta1', 'Canary', { targetRef: { name: 'pay' }, service: { gatewayRefs: parentRefs } }),
      ['HTTPRoute', 'Service', 'Service', 'Service'].map(
        (kind, index) => `${kind} shop/pay${['', '', '-primary', '-canary'][index]} ${below}`,
      ),
    ],
    [
      'a Canary of another provider',
      object('flagger.app/v1beta1', 'Canary', { targetRef: { name: 'pay' }, service: {} }),
      [],
    ],
    [
      'a Service of Knative',
      object('serving.knative.dev/v1', 'Service', {}),
      ['HTTPRoute shop/*chat* below any Gateway', 'Service shop/chat below any Gateway'],
    ],
    [
      'a Route of Knative, served by something else',
      object('serving.knative.dev/v1', 'Route', {}, 'chat', {
        annotations: { 'networking.knative.dev/ingress-class': 'kourier.ingress.networking.knative.dev' },
      }),
      [],
    ],
    [
      'an OIDCPolicy',
      object('extensions.kuadrant.io/v1alpha1', 'OIDCPolicy', {
        targetRef: { group: routing, kind: 'Gateway', name: 'edge' },
      }),
      ['AuthPolicy shop/chat', 'AuthPolicy shop/chat-callback', 'HTTPRoute shop/chat-callback'].map(
        (it) => `${it} below any Gateway`,
      ),
    ],
    [
      'an InferencePool',
      object('inference.networking.k8s.io/v1', 'InferencePool', {}),
      ['Service shop/chat-ip-* below any Gateway'],
    ],
  ])('of %s are unseen until they are given', (_, creator, expected) => {
    expect(unseenBelow(creator)).toEqual(expected);
  });

  it('have a source', () => {
    for (const { kind, creates, source } of creatorKinds) {
      expect([kind.kind, creates.length > 0, source]).toEqual([kind.kind, true, expect.stringMatching(/^https:/)]);
    }
  });
});

describe('an unknown kind with parentRefs', () => {
  const example = (spec: object) => object('example.com/v1', 'VoiceRoute', spec);
  const definition = (properties: object) => ({
    ...object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
      group: 'example.com',
      names: { kind: 'VoiceRoute', plural: 'voiceroutes' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { properties: { spec: { properties } } } },
        },
      ],
    }),
  });

  it('is opaque below the Gateway that it names', () => {
    expect(unseenBelow(example({ parentRefs }))).toEqual([
      'the effect of VoiceRoute shop/chat on requests is not known below Gateway shop/edge',
    ]);
  });

  it.each([
    ['parentRef', { parentRef: parentRefs[0] }],
    ['gatewayRefs', { gatewayRefs: [{ ...parentRefs[0], kind: 'Gateway' }] }],
    ['gatewayRef', { gatewayRef: { ...parentRefs[0], group: 'gateway.networking.k8s.io' } }],
  ])('is opaque below the Gateway of its %s', (_, spec) => {
    expect(unseenBelow(example(spec))).toEqual([
      'the effect of VoiceRoute shop/chat on requests is not known below Gateway shop/edge',
    ]);
  });

  it.each([
    ['a gateway of any kind', { gatewayRef: { name: 'edge' } }],
    ['a Service', { parentRefs: [{ group: '', kind: 'Service', name: 'edge' }] }],
    ['nothing', {}],
    ['no list', { parentRefs: 'edge' }],
  ])('is not read if it names %s', (_, spec) => {
    expect(unseenBelow(example(spec))).toEqual([]);
  });

  it.each([true, false])('is a target kind by its definition, so that its objects are listed: %s', (declares) => {
    const items = { properties: { kind: {}, name: {} } };
    const resources = [definition(declares ? { parentRefs: { items } } : { parents: { items } })];
    const found = findPolicyKinds({ resources }).targetKinds.some(({ kind }) => kind === 'VoiceRoute');
    expect(found).toBe(declares);
  });
});
