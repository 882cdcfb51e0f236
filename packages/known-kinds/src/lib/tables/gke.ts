import { Gateway, InferencePool, Namespace, Pod, Service } from '@policy-machinery/gateway-api';
import { namedOrSelected } from '../readers/target-readers.ts';
import { kindsOf } from './row.ts';
import { GkeServiceImport, services } from './targets.ts';

const backends = [Service, GkeServiceImport, InferencePool];
const one = { policyClass: 'Direct', targetFields: { targetRef: ['namespace'] } } as const;
const several = { targetFields: { targetRefs: [] }, repeatedTargets: 'allow' } as const;

/** The policy kinds of Google Kubernetes Engine. */
export const gkeKinds = kindsOf(
  {
    system: 'Google Kubernetes Engine',
    controllers: ['networking.gke.io'],
    group: 'networking.gke.io',
    versions: ['v1'],
    source: 'https://cloud.google.com/kubernetes-engine/docs/how-to/configure-gateway-resources',
  },
  [
    { kind: 'GCPGatewayPolicy', ...one, targets: [Gateway], status: 'conditions' },
    { kind: 'GCPBackendPolicy', ...one, targets: backends },
    { kind: 'HealthCheckPolicy', ...one, targets: backends, status: 'conditions' },
    { kind: 'GCPSessionAffinityPolicy', ...one, targets: [Service, GkeServiceImport], status: 'conditions' },
    { kind: 'GCPTrafficDistributionPolicy', ...several, policyClass: 'Direct', targets: [Service] },
    { kind: 'GCPTrafficExtension', ...several, policyClass: 'Direct', targets: [Gateway], maxTargets: 10 },
    { kind: 'GCPRoutingExtension', ...several, policyClass: 'Direct', targets: [Gateway], maxTargets: 10 },
    {
      kind: 'GCPAuthzPolicy',
      policyClass: 'Direct',
      targets: [Gateway, Pod],
      readTargets: namedOrSelected({ maxTargets: 10, repeatedTargets: 'allow' }),
      targetFields: { targetRefs: [] },
    },
    {
      kind: 'GCPServerTLSPolicy',
      policyClass: 'Direct',
      targets: [Pod],
      readTargets: namedOrSelected({ maxTargets: 1 }),
      targetFields: { targetRefs: [] },
    },
    {
      kind: 'GCPClientTLSPolicy',
      ...several,
      policyClass: 'Inherited',
      targets: [...services, Namespace],
      targetFields: { targetRefs: ['sectionName'] },
      maxTargets: 10,
    },
  ],
);
