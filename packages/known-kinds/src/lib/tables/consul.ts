import { kindsOf } from './row.ts';
import { gateways } from './targets.ts';

export const consulKinds = kindsOf(
  {
    system: 'Consul',
    controllers: ['consul.hashicorp.com'],
    group: 'consul.hashicorp.com',
    versions: ['v1alpha1'],
    source: 'https://github.com/hashicorp/consul-k8s/tree/main/control-plane/config/crd/bases',
  },
  [
    {
      kind: 'GatewayPolicy',
      policyClass: 'Direct',
      targets: gateways,
      targetFields: { targetRef: ['namespace', 'sectionName'] },
      status: 'conditions',
    },
  ],
);
