import { Gateway, GatewayClass, Service } from '@policy-machinery/gateway-api';
import { kindsOf, type Row } from './row.ts';
import { ServiceEntry } from './targets.ts';

const attached: Omit<Row, 'kind'> = {
  policyClass: 'Inherited',
  targets: [GatewayClass, Gateway, Service, ServiceEntry],
  crossNamespace: 'allow',
  // A policy without targets is for the workloads that it selects, its namespace or the mesh.
  extensionRefs: true,
  status: 'conditions',
  notes: ['Policies without targetRefs, which select workloads or are for a whole namespace, are not attached.'],
};

const system = 'Istio';
const source = 'https://istio.io/latest/docs/reference/config/type/policy-target-reference/';

/** The policy kinds of Istio. */
export const istioKinds = [
  ...kindsOf({ system, source, group: 'security.istio.io', versions: ['v1', 'v1beta1'] }, [
    { kind: 'AuthorizationPolicy', ...attached },
    { kind: 'RequestAuthentication', ...attached },
  ]),
  ...kindsOf({ system, source, group: 'telemetry.istio.io', versions: ['v1', 'v1alpha1'] }, [
    { kind: 'Telemetry', ...attached },
  ]),
  ...kindsOf({ system, source, group: 'extensions.istio.io', versions: ['v1alpha1'] }, [
    { kind: 'WasmPlugin', ...attached },
    { kind: 'TrafficExtension', ...attached },
  ]),
  ...kindsOf({ system, source, group: 'networking.istio.io', versions: ['v1alpha3'] }, [
    { kind: 'EnvoyFilter', ...attached },
  ]),
];
