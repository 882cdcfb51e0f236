import type { GroupKind, JsonObject } from '@policy-machinery/resource';
import type { NamedSection, StatusCondition, TargetNode, Topology } from '@policy-machinery/topology';
import { readHostname } from '../fields/hostname.ts';
import { describe } from '../listeners/allowed-namespaces.ts';
import { certificatesOf, malformedCaCertificate, malformedCertificate, secretKind } from '../listeners/certificates.ts';
import type { DataPlane } from '../listeners/data-plane.ts';
import { configMapKind, validationAt } from '../listeners/gateway-configuration.ts';
import type { ListenerConflict } from '../listeners/listener-conflict.ts';
import type { ListenerFamily } from '../listeners/listener-family.ts';
import { isProtocolOfImplementation, protocolOf } from '../listeners/listener-protocol.ts';
import { type ConditionFault, isFalse, isTrue, isUnknown, sentence } from './condition.ts';
import {
  firstFault,
  isFault,
  type ReferenceFinding,
  type ReferenceRules,
  referenceFindings,
} from './reference-fault.ts';
import { supportedKinds } from './supported-kinds.ts';

/** The status of one listener, as in `status.listeners` of a Gateway or ListenerSet. */
export interface ListenerStatus {
  readonly name: string;
  /** The kinds of routes that the listener takes, of those in the topology. */
  readonly supportedKinds: readonly GroupKind[];
  /** The number of attached routes, whether or not the listener is accepted. */
  readonly attachedRoutes: number;
  /** `Accepted`, `Conflicted`, `ResolvedRefs` and `Programmed`. */
  readonly conditions: readonly StatusCondition[];
}

/** Returns the status of the listener at a place of the list that its owner has. */
export function listenerStatus(
  topology: Topology,
  listener: TargetNode,
  index: number,
  { owners, conflicts, possibleConflicts, uncertain, dataPlane }: ListenerFamily,
  openConflicts: ReadonlySet<unknown>,
): ListenerStatus {
  const { name, value } = listener.section as NamedSection;
  const { kinds, invalid } = supportedKinds(topology, value);
  const possible = possibleConflicts.get(listener.section);
  const conflict = conflicts.get(listener.section) ?? possible;
  const fault = conflict && asFarAsCounting(conflictFaults[conflict], possible !== undefined);
  const ofClients = caCertificateFindings(topology, owners[0] ?? listener.object, value, dataPlane);
  const accepted = acceptedCondition(value, fault, ofClients, uncertain.get(listener.section) === 'missing tls');
  const own = referenceFindings(topology, listener, certificatesOf({ index, value }), certificateRules);
  const certificates = firstFault([...own, ...ofClients]);
  return {
    name,
    supportedKinds: kinds.map(({ group, kind }) => ({ group, kind })),
    attachedRoutes: listener.linksTo.length,
    conditions: [
      accepted,
      conflictedCondition(conflict?.endsWith(' conflict') ? fault : undefined, openConflicts.has(listener.section)),
      resolvedRefsCondition(certificates, invalid),
      programmedCondition(accepted, firstFault(own)),
    ],
  };
}

const conflictFaults: Readonly<Record<ListenerConflict, ConditionFault>> = {
  'hostname conflict': {
    reason: 'HostnameConflict',
    message: 'another listener of the Gateway or of one of its ListenerSets has the same port and hostname',
  },
  'protocol conflict': {
    reason: 'ProtocolConflict',
    message: 'another listener of the Gateway or of one of its ListenerSets has the same port with another protocol',
  },
  'no tls': { reason: 'UnsupportedValue', message: 'its protocol is HTTPS, and it does not have tls' },
  'not accepted': { reason: 'Invalid', message: 'its status reports that it, or its owner, is not accepted' },
};

/** Returns a conflict with a listener that may not count, as Gateway API has it: its rule does not ask for certificates. */
function asFarAsCounting({ reason, message }: ConditionFault, isOpen: boolean): ConditionFault {
  const unless = ', unless the data plane drops that one, which lacks its certificate or tls';
  return { reason, message: isOpen ? `${message}${unless}` : message };
}

const certificateRules: ReferenceRules = {
  kind: secretKind,
  invalid: 'InvalidCertificateRef',
  unsupported: 'InvalidCertificateRef',
  content: 'certificates',
  malformed: malformedCertificate,
};

/** Returns the rules of CA certificates: a Secret is one more kind, none, or not known. */
function caCertificateRules({ caCertificatesInSecrets = 'both' }: DataPlane): ReferenceRules {
  return {
    kind: configMapKind,
    invalid: 'InvalidCACertificateRef',
    unsupported: 'InvalidCACertificateKind',
    content: 'CA certificates',
    also: caCertificatesInSecrets === 'accepted' ? [secretKind] : [],
    choices: caCertificatesInSecrets === 'both' ? [secretKind] : [],
    malformed: malformedCaCertificate,
  };
}

/** Returns facts about the CA certificates that validate certificates of clients at a listener; none if nothing validates these (GEP-91). */
function caCertificateFindings(
  topology: Topology,
  gateway: TargetNode,
  listener: JsonObject,
  dataPlane: DataPlane,
): readonly ReferenceFinding[] {
  const validation = validationAt(gateway.resource, listener);
  return referenceFindings(topology, gateway, validation?.caCertificates ?? [], caCertificateRules(dataPlane));
}

function acceptedCondition(
  listener: JsonObject,
  conflict: ConditionFault | undefined,
  caCertificates: readonly ReferenceFinding[],
  mayBeRefused: boolean,
): StatusCondition {
  const fault = unsupported(listener) ?? conflict ?? noValidCaCertificate(caCertificates);
  if (fault !== undefined) return isFalse('Accepted', fault.reason, fault.message);
  if (isProtocolOfImplementation(listener)) {
    return isUnknown('Accepted', `Whether ${describe(listener.protocol)} is supported depends on the implementation.`);
  }
  if (mayBeRefused) {
    return isUnknown('Accepted', 'Whether HTTPS without tls is supported depends on the implementation.');
  }
  const open = caCertificates.includes('resolved')
    ? undefined
    : firstFault(caCertificates.filter((it) => !isFault(it)));
  if (open !== undefined && 'unknown' in open)
    return isUnknown('Accepted', `The listener needs a CA certificate; ${open.unknown}.`);
  return isTrue('Accepted', 'Accepted', 'The listener is valid.');
}

function noValidCaCertificate(findings: readonly ReferenceFinding[]): ConditionFault | undefined {
  const [first] = findings;
  return isFault(first) && findings.every(isFault)
    ? { reason: 'NoValidCACertificate', message: first.message }
    : undefined;
}

/** Returns why a listener is invalid by itself. */
function unsupported(listener: JsonObject): ConditionFault | undefined {
  const { protocol, port, hostname } = listener;
  const known = protocolOf(listener);
  if (known === undefined && protocol === 'TLS') {
    return { reason: 'UnsupportedValue', message: 'the mode of its TLS is not supported' };
  }
  if (known === undefined && !isProtocolOfImplementation(listener)) {
    return { reason: 'UnsupportedProtocol', message: `protocol is ${describe(protocol)}, which is not supported` };
  }
  if (typeof port !== 'number') return { reason: 'UnsupportedValue', message: `port is ${describe(port)}` };
  if (known?.hasHostname !== true || readHostname(hostname ?? '') !== undefined) return undefined;
  return { reason: 'UnsupportedValue', message: `hostname is ${describe(hostname)}, which is not a hostname` };
}

function conflictedCondition(conflict: ConditionFault | undefined, mayConflict: boolean): StatusCondition {
  if (conflict !== undefined) return isTrue('Conflicted', conflict.reason, conflict.message);
  return mayConflict
    ? isUnknown('Conflicted', 'Whether another listener of its port counts for its Gateway is not known.')
    : isFalse('Conflicted', 'NoConflicts', 'No other listener is in conflict with it.');
}

type OpenFinding = ReturnType<typeof firstFault>;

function resolvedRefsCondition(certificates: OpenFinding, invalidKinds: readonly string[]): StatusCondition {
  if (isFault(certificates)) return isFalse('ResolvedRefs', certificates.reason, certificates.message);
  const [kind] = invalidKinds;
  if (kind !== undefined) {
    return isFalse(
      'ResolvedRefs',
      'InvalidRouteKinds',
      `allowedRoutes names ${kind}, which the listener does not support`,
    );
  }
  if (certificates !== undefined) return isUnknown('ResolvedRefs', sentence(certificates.unknown));
  return isTrue('ResolvedRefs', 'ResolvedRefs', 'All references are resolved.');
}

/** Returns `Programmed`: `False` for a listener that is not valid, otherwise `Unknown`, because only the data plane knows. */
function programmedCondition(accepted: StatusCondition, certificates: OpenFinding): StatusCondition {
  if (accepted.status === 'False') return isFalse('Programmed', accepted.reason, accepted.message);
  if (isFault(certificates)) return isFalse('Programmed', 'Invalid', certificates.message);
  return isUnknown('Programmed', 'Only the data plane knows whether it is programmed.');
}
