/** The definitions of a system. `npm run check:field` compares them with the rows of its kinds. */
const definitions = 'definitions';
const reported = 'small inputs after reports';

/** The test data that verifies the rows of each system. */
export const testData: Readonly<Record<string, readonly string[]>> = {
  agentgateway: [
    definitions,
    reported,
    "statuses in 129 tests of the controller's plugins",
    'tests of the proxy, by hand',
  ],
  'Airlock Microgateway': [definitions],
  'Apache APISIX': [definitions],
  'AWS Gateway API Controller': [definitions, reported],
  'AWS Load Balancer Controller': [],
  'Azure Application Gateway for Containers': [],
  Consul: [definitions],
  'Envoy Gateway': [definitions, reported, 'statuses in 182 tests of its translator'],
  'Gateway API': [definitions, reported, 'statuses of BackendTLSPolicies in tests of Envoy Gateway and Istio'],
  'Gloo Gateway': [definitions],
  'Google Kubernetes Engine': [definitions, reported],
  Istio: [definitions, reported],
  kgateway: [`${definitions} of February 2025`, reported, 'statuses in tests of its translator, by hand'],
  Kuadrant: [definitions, reported, 'merges as in the operator, of random policies'],
  'Kuadrant extensions': [definitions],
  Linkerd: [reported],
  'NGINX Gateway Fabric': [definitions, reported],
};

/** The kinds with rows that no definition of the data is compared with. `npm run check:field` keeps the list complete. */
export const withoutDefinition: Readonly<Record<string, readonly string[]>> = {
  'AWS Load Balancer Controller': ['ListenerRuleConfiguration', 'TargetGroupConfiguration'],
  'Azure Application Gateway for Containers': [
    'BackendLoadBalancingPolicy',
    'BackendTLSPolicy',
    'FrontendTLSPolicy',
    'HealthCheckPolicy',
    'RoutePolicy',
    'WebApplicationFirewallPolicy',
  ],
  'Gateway API': ['AuthorizationPolicy', 'TelemetryPolicy'],
  Istio: ['PeerAuthentication'],
  kgateway: ['BackendConfigPolicy', 'TrafficPolicy'],
  Linkerd: ['AuthorizationPolicy', 'HTTPLocalRateLimitPolicy'],
};

/** Returns the test data of a system as sentences. */
export function testDataOf(system: string): string {
  const data = testData[system] ?? [];
  const others = withoutDefinition[system] ?? [];
  if (data.length === 0) return 'Compared with no test data.';
  const without =
    others.length === 0 ? '' : ` Without a definition: ${others.map((kind) => `\`${kind}\``).join(', ')}.`;
  return `Compared with: ${data.join('; ')}.${without}`;
}
