import { Gateway, GatewayClass, Mesh, Namespace, Pod, Service, ServiceEntry } from '@policy-machinery/gateway-api';
import { istio } from '@policy-machinery/policy-kind';
import { kindsOf, type Row } from './row.ts';

const notes = ['Policies are shown where they are attached, in a mesh whose root namespace is istio-system.'];

const attached = (rootSelectors: 'all' | 'nothing'): Omit<Row, 'kind'> => ({
  policyClass: 'Inherited',
  ...istio({ rootSelectors }),
  targets: [Mesh, Namespace, Pod, GatewayClass, Gateway, Service, ServiceEntry],
  status: 'conditions',
  notes,
});

/** Its selector is in another field than that of the other kinds. */
const byName: Omit<Row, 'kind'> = {
  policyClass: 'Inherited',
  targets: [GatewayClass, Gateway, Service, ServiceEntry],
  crossNamespace: 'allow',
  extensionRefs: true,
  status: 'conditions',
  notes: [...notes, 'Those without targetRefs are not attached.'],
};

const system = 'Istio';
const source = 'https://istio.io/latest/docs/reference/config/type/policy-target-reference/';

/** The policy kinds of Istio. */
export const istioKinds = [
  ...kindsOf({ system, source, group: 'security.istio.io', versions: ['v1', 'v1beta1'] }, [
    { kind: 'AuthorizationPolicy', ...attached('all') },
    { kind: 'RequestAuthentication', ...attached('all') },
    { kind: 'PeerAuthentication', ...attached('nothing') },
  ]),
  ...kindsOf({ system, source, group: 'telemetry.istio.io', versions: ['v1', 'v1alpha1'] }, [
    { kind: 'Telemetry', ...attached('nothing') },
  ]),
  ...kindsOf({ system, source, group: 'extensions.istio.io', versions: ['v1alpha1'] }, [
    { kind: 'WasmPlugin', ...attached('all') },
    { kind: 'TrafficExtension', ...attached('all') },
  ]),
  ...kindsOf({ system, source, group: 'networking.istio.io', versions: ['v1alpha3'] }, [
    { kind: 'EnvoyFilter', ...byName },
  ]),
];
