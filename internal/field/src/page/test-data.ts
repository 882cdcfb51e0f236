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
  kgateway: [`${definitions} of February 2025`, reported],
  Kuadrant: [definitions, reported, 'merges as in the operator, of random policies'],
  'Kuadrant extensions': [definitions],
  Linkerd: [reported],
  'NGINX Gateway Fabric': [definitions, reported],
};

/** Returns the test data of a system as a sentence. */
export function testDataOf(system: string): string {
  const data = testData[system] ?? [];
  return data.length === 0 ? 'Compared with no test data.' : `Compared with: ${data.join('; ')}.`;
}
