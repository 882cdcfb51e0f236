import { formatGroupKind, groupKindKey } from '@policy-machinery/resource';
import { createTopology, isSectionKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { findPolicyKinds } from './find/find-policy-kinds.ts';
import { knownKinds } from './known-kinds.ts';

describe('knownKinds', () => {
  it('is without repeated kinds', () => {
    expect(new Set(knownKinds.map(groupKindKey)).size).toBe(knownKinds.length);
  });

  it('covers the policy kinds of these systems', () => {
    const bySystem = new Map<string, string[]>();
    for (const { system, kind } of knownKinds) bySystem.set(system, [...(bySystem.get(system) ?? []), kind]);
    expect(Object.fromEntries(bySystem)).toMatchInlineSnapshot(`
      {
        "AWS Gateway API Controller": [
          "TargetGroupPolicy",
          "VpcAssociationPolicy",
          "IAMAuthPolicy",
          "AccessLogPolicy",
        ],
        "AWS Load Balancer Controller": [
          "TargetGroupConfiguration",
          "ListenerRuleConfiguration",
        ],
        "Airlock Microgateway": [
          "AccessControlPolicy",
          "ContentSecurityPolicy",
          "CustomResponsePolicy",
          "EnvoyExtensionPolicy",
          "ICAPPolicy",
          "LogMaskingPolicy",
          "RateLimitPolicy",
        ],
        "Apache APISIX": [
          "BackendTrafficPolicy",
          "HTTPRoutePolicy",
          "L4RoutePolicy",
        ],
        "Azure Application Gateway for Containers": [
          "BackendTLSPolicy",
          "BackendLoadBalancingPolicy",
          "HealthCheckPolicy",
          "FrontendTLSPolicy",
          "RoutePolicy",
          "WebApplicationFirewallPolicy",
        ],
        "Consul": [
          "GatewayPolicy",
        ],
        "Envoy Gateway": [
          "BackendTrafficPolicy",
          "SecurityPolicy",
          "EnvoyExtensionPolicy",
          "ClientTrafficPolicy",
          "EnvoyPatchPolicy",
        ],
        "Gateway API": [
          "BackendTLSPolicy",
          "XBackendTrafficPolicy",
          "TelemetryPolicy",
          "AuthorizationPolicy",
        ],
        "Gloo Gateway": [
          "RouteOption",
          "VirtualHostOption",
          "ListenerOption",
          "HttpListenerOption",
        ],
        "Google Kubernetes Engine": [
          "GCPGatewayPolicy",
          "GCPBackendPolicy",
          "HealthCheckPolicy",
          "GCPSessionAffinityPolicy",
          "GCPTrafficDistributionPolicy",
          "GCPTrafficExtension",
          "GCPRoutingExtension",
          "GCPAuthzPolicy",
          "GCPServerTLSPolicy",
          "GCPClientTLSPolicy",
        ],
        "Istio": [
          "AuthorizationPolicy",
          "RequestAuthentication",
          "PeerAuthentication",
          "Telemetry",
          "WasmPlugin",
          "TrafficExtension",
          "EnvoyFilter",
        ],
        "Kuadrant": [
          "AuthPolicy",
          "RateLimitPolicy",
          "TokenRateLimitPolicy",
          "DNSPolicy",
          "TLSPolicy",
        ],
        "Kuadrant extensions": [
          "OIDCPolicy",
          "PlanPolicy",
          "TelemetryPolicy",
          "ThreatPolicy",
        ],
        "Linkerd": [
          "AuthorizationPolicy",
          "HTTPLocalRateLimitPolicy",
        ],
        "NGINX Gateway Fabric": [
          "ClientSettingsPolicy",
          "ProxySettingsPolicy",
          "ObservabilityPolicy",
          "UpstreamSettingsPolicy",
          "RateLimitPolicy",
          "WAFPolicy",
          "PayloadProcessor",
          "SnippetsPolicy",
          "ExternalLoadBalancer",
        ],
        "agentgateway": [
          "AgentgatewayPolicy",
        ],
        "kgateway": [
          "TrafficPolicy",
          "HTTPListenerPolicy",
          "ListenerPolicy",
          "BackendConfigPolicy",
        ],
      }
    `);
  });

  it('is one cluster: a topology takes all kinds of Gateway API together, and another the kinds of a mesh', () => {
    const resources = knownKinds.map(({ group, versions, kind }) => ({
      apiVersion: `${group}/${versions[0]}`,
      kind,
      metadata: { name: 'a', namespace: 'b' },
    }));
    const { mesh, ...main } = findPolicyKinds({ resources });
    const all = [...main.kinds, ...(mesh?.kinds ?? [])];
    expect(all.map(({ foundBy }) => foundBy)).toEqual(knownKinds.map(() => 'table'));
    expect(new Set(mesh?.kinds.map(({ system }) => system))).toEqual(new Set(['Istio']));
    for (const { targetKinds, kinds } of [main, mesh ?? main]) {
      const policyKinds = kinds.map(({ kind }) => kind);
      expect(() => createTopology({ targetKinds, policyKinds })).not.toThrow();
    }
  });
});

describe.each(knownKinds.map((known) => [formatGroupKind(known), known] as const))('%s', (_name, known) => {
  it('is declared as in its row', () => {
    const { group, kind, plural, scope, policyClass, targets, effectiveTargets, versions } = known;
    const version = versions[0];
    expect(known.define()).toMatchObject({
      group,
      kind,
      plural,
      scope,
      policyClass,
      targets,
      effectiveTargets,
      version,
    });
    expect(known.define({ version: 'v9' }).version).toBe('v9');
    expect(new URL(known.source).protocol).toBe('https:');
  });

  it('selects targets by their labels, and counts without targets, if its options say so', () => {
    const [target] = known.targets.map((it) => (isSectionKind(it) ? it.of : it));
    const matchLabels = { app: 'x' };
    const policy = (spec: object) => ({
      apiVersion: `${known.group}/${known.versions[0]}`,
      kind: known.kind,
      metadata: { name: 'a', namespace: 'b' },
      spec,
    });
    const kind = known.define();
    const selector = { group: target?.group, kind: target?.kind, matchLabels };
    const selected = kind.targetSelectors?.(policy({ targetSelectors: [selector] }));
    const withSelectors = { selectors: [expect.objectContaining({ kind: target?.kind })], issues: [] };
    if (known.options.includes('targetSelectors')) expect(selected).toMatchObject(withSelectors);
    expect(kind.extensionRefs).toBe(known.options.includes('extensionRefs'));
    const untargeted = kind.targetRefs(policy({}));
    if (kind.extensionRefs) expect(untargeted).toEqual({ refs: [], issues: [] });
  });

  it('reads a policy on each of its targets, in its stanza', () => {
    // A policy of agentgateway without any of its parts is refused.
    const own = known.kind === 'AgentgatewayPolicy' ? { backend: { mode: 'on' } } : { mode: 'on' };
    for (const target of known.targets) {
      const whole = isSectionKind(target) ? target.of : target;
      const ref = {
        group: whole.group,
        kind: whole.kind,
        name: 'x',
        ...(isSectionKind(target) ? { sectionName: 's' } : {}),
      };
      const policy = {
        apiVersion: `${known.group}/${known.versions[0]}`,
        kind: known.kind,
        metadata: { name: 'a', namespace: 'b', creationTimestamp: '2025-01-01T00:00:00Z' },
        spec: { targetRef: ref, ...own },
      };
      const { policy: read, issues } = known.define().read(policy);
      expect(issues).toEqual([]);
      const [layer] = read?.layers ?? [];
      // Policies that do not compete are in the spec by their names.
      const groups = ['policies', 'ALLOW'].map((group) => ({ [group]: { 'b/a': own } }));
      expect([own, { 'b/a': own }, ...groups]).toContainEqual(layer?.spec);
      if (known.merging === 'unknown') expect(layer?.spec).toEqual({ 'b/a': own });
    }
  });
});
