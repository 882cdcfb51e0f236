import { Gateway, InferencePool, Namespace, Service } from '@policy-machinery/gateway-api';
import { kindsOf } from './row.ts';
import { GkeServiceImport, services } from './targets.ts';

/** The policy kinds of Google Kubernetes Engine. */
export const gkeKinds = kindsOf(
  {
    system: 'Google Kubernetes Engine',
    group: 'networking.gke.io',
    versions: ['v1'],
    source: 'https://cloud.google.com/kubernetes-engine/docs/how-to/configure-gateway-resources',
  },
  [
    { kind: 'GCPGatewayPolicy', policyClass: 'Direct', targets: [Gateway], status: 'conditions' },
    { kind: 'GCPBackendPolicy', policyClass: 'Direct', targets: [Service, GkeServiceImport, InferencePool] },
    {
      kind: 'HealthCheckPolicy',
      policyClass: 'Direct',
      targets: [Service, GkeServiceImport, InferencePool],
      status: 'conditions',
    },
    {
      kind: 'GCPSessionAffinityPolicy',
      policyClass: 'Direct',
      targets: [Service, GkeServiceImport],
      status: 'conditions',
    },
    { kind: 'GCPTrafficDistributionPolicy', policyClass: 'Direct', targets: [Service] },
    { kind: 'GCPTrafficExtension', policyClass: 'Direct', targets: [Gateway], maxTargets: 10 },
    { kind: 'GCPRoutingExtension', policyClass: 'Direct', targets: [Gateway], maxTargets: 10 },
    {
      kind: 'GCPAuthzPolicy',
      policyClass: 'Direct',
      targets: [Gateway],
      maxTargets: 10,
      notes: ['Policies that select Pods are reported, not attached.'],
    },
    { kind: 'GCPClientTLSPolicy', policyClass: 'Inherited', targets: [...services, Namespace], maxTargets: 10 },
  ],
);
