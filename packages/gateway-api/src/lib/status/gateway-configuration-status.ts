import { specOf } from '@policy-machinery/resource';
import { isSectionKind, type StatusCondition, type TargetNode, type Topology } from '@policy-machinery/topology';
import { gatewayKind, isSameKind, namespaceKind, serviceKind } from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { describe } from '../listeners/allowed-namespaces.ts';
import { malformedCertificate, secretKind } from '../listeners/certificates.ts';
import { allowsInsecureClients, clientCertificateOf, parametersOf } from '../listeners/gateway-configuration.ts';
import { conditionOf, isFalse, isTrue, isUnknown, sentence } from './condition.ts';
import type { ListenerStatus } from './listener-status.ts';
import { firstFault, isFault, type ReferenceRules, referenceFindings } from './reference-fault.ts';

const parameterRules: ReferenceRules = {
  kind: undefined,
  invalid: 'InvalidParameters',
  unsupported: 'InvalidParameters',
  content: 'parameters',
  choices: [secretKind, serviceKind, namespaceKind],
};

const clientCertificateRules: ReferenceRules = {
  kind: secretKind,
  invalid: 'InvalidClientCertificateRef',
  unsupported: 'InvalidClientCertificateRef',
  content: 'certificates',
  malformed: malformedCertificate,
};

/** Returns why the configuration of a Gateway itself keeps it from being accepted, or which part of it is unknown. */
export function configurationFault(topology: Topology, gateway: TargetNode): ReturnType<typeof firstFault> {
  if (isSectionKind(gateway.kind) || !isSameKind(gateway.ref, gatewayKind)) return undefined;
  const parameters = referenceFindings(topology, gateway, parametersOf(gateway.resource), parameterRules);
  return firstFault([...parameters, ...addressFindings(gateway)]);
}

/** The types of addresses that Gateway API defines. */
const addressTypes: readonly unknown[] = ['IPAddress', 'Hostname', 'NamedAddress'];

function addressFindings({ resource }: TargetNode): Parameters<typeof firstFault>[0] {
  return itemsOf(specOf(resource).addresses).map(({ type = 'IPAddress' }, index) => {
    const place = `/spec/addresses/${index}`;
    const isPossible = addressTypes.includes(type) || (typeof type === 'string' && type.includes('/'));
    return isPossible
      ? { unknown: `whether the address at ${place} is supported and can be used depends on the implementation` }
      : { reason: 'UnsupportedAddress', message: `${place}: type is ${describe(type)}, which is not supported` };
  });
}

/** Returns the conditions of a Gateway that only some configurations have. */
export function configurationConditions(
  topology: Topology,
  gateway: TargetNode,
  listeners: readonly ListenerStatus[],
): readonly StatusCondition[] {
  const { resource } = gateway;
  const certificate = clientCertificateOf(resource);
  return [
    ...(certificate.length === 0 ? [] : [resolvedRefs(topology, gateway, listeners)]),
    ...(allowsInsecureClients(resource) ? [insecure] : []),
  ];
}

/** Returns whether the certificate for backends resolves, and all references of listeners (GEP-3155). */
function resolvedRefs(topology: Topology, gateway: TargetNode, listeners: readonly ListenerStatus[]): StatusCondition {
  const certificate = clientCertificateOf(gateway.resource);
  const finding = firstFault(referenceFindings(topology, gateway, certificate, clientCertificateRules));
  if (isFault(finding)) return isFalse('ResolvedRefs', finding.reason, finding.message);
  const refs = listeners.map(({ name, conditions }) => ({ name, condition: conditionOf(conditions, 'ResolvedRefs') }));
  const unresolved = refs.find(({ condition }) => condition?.status === 'False');
  if (unresolved !== undefined) {
    return isFalse(
      'ResolvedRefs',
      'ListenersNotResolved',
      `listener ${unresolved.name}: ${unresolved.condition?.message}`,
    );
  }
  if (finding !== undefined) return isUnknown('ResolvedRefs', sentence(finding.unknown));
  const open = refs.find(({ condition }) => condition?.status === 'Unknown');
  if (open?.condition !== undefined) return isUnknown('ResolvedRefs', open.condition.message);
  return isTrue('ResolvedRefs', 'ResolvedRefs', 'All references are resolved.');
}

const insecure = isTrue(
  'InsecureFrontendValidationMode',
  'ConfigurationChanged',
  'Clients with missing or invalid certificates are accepted (AllowInsecureFallback).',
);
