import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { formatIssue, PolicyMachineryError } from '@policy-machinery/resource';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { RateLimitPolicy, TimeoutPolicy } from './policy-kinds.ts';

const gateway = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: edge, namespace: infra }
spec: { gatewayClassName: edge, listeners: [{ name: http, port: 80, protocol: HTTP }] }
`;

const route = `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop, namespace: infra }
spec:
  parentRefs: [{ name: edge }]
  rules:
    - name: rule-2
    - matches: [{ path: { type: PathPrefix, value: / } }]
`;

/** A policy, in four lines and those of its spec. */
function policy(name: string, created: string, ...spec: readonly string[]): string {
  return [
    'apiVersion: policies.shop.example.com/v1',
    'kind: TimeoutPolicy',
    `metadata: { name: ${name}, namespace: infra${created} }`,
    'spec:',
    ...spec.map((line) => `  ${line}`),
  ].join('\n');
}

const created = ', creationTimestamp: "2026-01-01T00:00:00Z"';
const onGateway = 'targetRefs: [{ group: gateway.networking.k8s.io, kind: Gateway, name: edge }]';

/** What the quickstart says of one file, as it prints it, and the effective `request` of each rule. */
function run(...documents: readonly string[]): { issues: readonly string[]; requests: readonly unknown[] } {
  const manifests = parseManifests({ source: 'shop.yaml', text: documents.join('\n---\n') });
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy, RateLimitPolicy] });
  topology.apply({ upsert: manifests });
  const effective = effectivePolicies(topology, TimeoutPolicy);
  return {
    issues: [...topology.issues, ...effective.issues].map((issue) => formatIssue(manifests.locate(issue))),
    requests: [...effective].map(({ target, spec }) => [target.section?.name, spec.request]),
  };
}

describe('bad input', () => {
  it('names every text that cannot be read, with line and column, all at once', () => {
    const texts = [
      { source: 'a.yaml', text: 'apiVersion: v1\nkind: [Service\n' },
      { source: 'b.yaml', text: 'just: some\nyaml: here\n' },
      { source: 'c.yaml', text: gateway },
      { source: 'd.yaml', text: gateway },
      { source: 'e.yaml', text: `${gateway.replace('edge,', 'other,')}  # fine\nstatus: { __proto__: {} }\n` },
    ];
    let message = 'nothing was thrown';
    try {
      parseManifests(texts);
    } catch (error) {
      if (error instanceof PolicyMachineryError) message = error.message;
    }
    expect(message).toMatchInlineSnapshot(`
      "The manifests cannot be used
        a.yaml:3:1: error: Flow sequence in block collection must be sufficiently indented and end with a ] [yaml-syntax]
        b.yaml:1:1: error: not a Kubernetes object: apiVersion is missing; set it to group/version, or to the version alone in the core group: "v1" (/apiVersion) [no-kubernetes-object]
        b.yaml:1:1: error: not a Kubernetes object: kind is missing; set it to letters, digits and "-": "Service" (/kind) [no-kubernetes-object]
        b.yaml:1:1: error: not a Kubernetes object: metadata.name is missing; set it, without "/" and "#" (/metadata/name) [no-kubernetes-object]
        d.yaml:2:1: error: declared twice, first at c.yaml:2:1; remove one of the two (gateway.gateway.networking.k8s.io:infra/edge) [duplicate-resource]
        e.yaml:7:11: error: the key __proto__ is refused; rename it (/status/__proto__) [unsafe-key]"
    `);
  });

  it('leaves out faulty parts of policies, names their places, and computes the rest', () => {
    const { issues, requests } = run(
      gateway,
      route,
      policy('good', created, onGateway, 'defaults: { request: 5s }'),
      policy('wrong-spec', created, onGateway, 'overrides: { request: soon, retries: 3 }'),
      policy('wrong-strategy', created, onGateway, 'overrides: { strategy: magic, request: 1s }'),
      policy('no-target', created, onGateway.replace('name: edge', 'name: egde'), 'overrides: { request: 2s }'),
      policy('no-section', created, onGateway.replace(' }', ', sectionName: https }'), 'overrides: { request: 3s }'),
      policy('no-age', '', onGateway, 'defaults: { request: 4s }'),
    );
    expect(requests).toEqual([
      ['rule-2', '5s'],
      ['rule-2-2', '5s'],
    ]);
    expect(issues.join('\n')).toMatchInlineSnapshot(`
      "shop.yaml:9:1: warning: rule 2 lacks a name, and "rule-2", its name by place, is taken; no policy can target it as "rule-2-2" until it is given a name (httproute.gateway.networking.k8s.io:infra/shop) [section-name-collision]
      shop.yaml:51:16: error: targets Gateway infra/edge#https, a section that does not exist, or with a name that is not unique; target one of http (timeoutpolicy.policies.shop.example.com:infra/no-section /spec/targetRefs/0) [missing-section]
      shop.yaml:44:16: error: targets Gateway infra/egde, which does not exist; create it or correct the reference (timeoutpolicy.policies.shop.example.com:infra/no-target /spec/targetRefs/0) [missing-target]
      shop.yaml:56:1: warning: has no valid metadata.creationTimestamp, so it counts as the newest; set it, as the API server does (timeoutpolicy.policies.shop.example.com:infra/no-age /metadata/creationTimestamp) [missing-creation-timestamp]
      shop.yaml:31:16: error: expected a duration such as 30s or 1m30s (timeoutpolicy.policies.shop.example.com:infra/wrong-spec /spec/overrides/request) [invalid-spec]
      shop.yaml:31:3: error: Unrecognized key: "retries" (timeoutpolicy.policies.shop.example.com:infra/wrong-spec /spec/overrides) [invalid-spec]
      shop.yaml:38:16: error: the strategy "magic" is not supported for overrides; supported: "atomic", "patch" (timeoutpolicy.policies.shop.example.com:infra/wrong-strategy /spec/overrides/strategy) [invalid-spec]"
    `);
  });
});
