import type { GroupKind, JsonObject } from '@policy-machinery/resource';
import type { NamedSection, StatusCondition, TargetNode, Topology } from '@policy-machinery/topology';
import { readHostname } from '../fields/hostname.ts';
import { describe } from '../listeners/allowed-namespaces.ts';
import type { ListenerConflict } from '../listeners/listener-conflict.ts';
import type { ListenerFamily } from '../listeners/listener-family.ts';
import { protocolOf } from '../listeners/listener-protocol.ts';
import { certificateFault } from './certificate-fault.ts';
import { type Fault, isFalse, isTrue, isUnknown } from './condition.ts';
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
  { conflicts }: ListenerFamily,
): ListenerStatus {
  const { name, value } = listener.section as NamedSection;
  const { kinds, invalid } = supportedKinds(topology, value);
  const conflict = conflicts.get(listener.section);
  const accepted = acceptedCondition(value, conflict && conflictFaults[conflict]);
  const certificates = certificateFault(topology, listener, { index, value });
  return {
    name,
    supportedKinds: kinds.map(({ group, kind }) => ({ group, kind })),
    attachedRoutes: listener.linksTo.length,
    conditions: [
      accepted,
      conflictedCondition(conflict && conflictFaults[conflict]),
      resolvedRefsCondition(certificates, invalid),
      programmedCondition(accepted, certificates),
    ],
  };
}

const conflictFaults: Readonly<Record<ListenerConflict, Fault>> = {
  'hostname conflict': {
    reason: 'HostnameConflict',
    message: 'another listener of the Gateway or of one of its ListenerSets has the same port and hostname',
  },
  'protocol conflict': {
    reason: 'ProtocolConflict',
    message: 'another listener of the Gateway or of one of its ListenerSets has the same port with another protocol',
  },
};

function acceptedCondition(listener: JsonObject, conflict: Fault | undefined): StatusCondition {
  const fault = unsupported(listener) ?? conflict;
  if (fault !== undefined) return isFalse('Accepted', fault.reason, fault.message);
  if (protocolOf(listener)?.routeKinds !== 'any') return isTrue('Accepted', 'Accepted', 'The listener is valid.');
  return isUnknown('Accepted', `Whether ${describe(listener.protocol)} is supported depends on the implementation.`);
}

/** Returns why a listener is invalid by itself. */
function unsupported(listener: JsonObject): Fault | undefined {
  const { protocol, port, hostname } = listener;
  const known = protocolOf(listener);
  if (known === undefined && protocol === 'TLS') {
    return { reason: 'UnsupportedValue', message: 'the mode of its TLS is not supported' };
  }
  if (known === undefined) {
    return { reason: 'UnsupportedProtocol', message: `protocol is ${describe(protocol)}, which is not supported` };
  }
  if (typeof port !== 'number') return { reason: 'UnsupportedValue', message: `port is ${describe(port)}` };
  if (!known.hasHostname || readHostname(hostname ?? '') !== undefined) return undefined;
  return { reason: 'UnsupportedValue', message: `hostname is ${describe(hostname)}, which is not a hostname` };
}

function conflictedCondition(conflict: Fault | undefined): StatusCondition {
  return conflict === undefined
    ? isFalse('Conflicted', 'NoConflicts', 'No other listener is in conflict with it.')
    : isTrue('Conflicted', conflict.reason, conflict.message);
}

type CertificateFault = ReturnType<typeof certificateFault>;

function resolvedRefsCondition(certificates: CertificateFault, invalidKinds: readonly string[]): StatusCondition {
  if (typeof certificates === 'object') return isFalse('ResolvedRefs', certificates.reason, certificates.message);
  const [kind] = invalidKinds;
  if (kind !== undefined) {
    return isFalse(
      'ResolvedRefs',
      'InvalidRouteKinds',
      `allowedRoutes names ${kind}, which the listener does not support`,
    );
  }
  if (certificates === 'unknown') {
    return isUnknown('ResolvedRefs', 'Whether its certificates exist is unknown, because the topology has no Secrets.');
  }
  return isTrue('ResolvedRefs', 'ResolvedRefs', 'All references are resolved.');
}

/** Returns `Programmed`: `False` for a listener that is not valid, otherwise `Unknown`, since only the data plane knows. */
function programmedCondition(accepted: StatusCondition, certificates: CertificateFault): StatusCondition {
  if (accepted.status === 'False') return isFalse('Programmed', accepted.reason, accepted.message);
  if (typeof certificates === 'object') return isFalse('Programmed', 'Invalid', certificates.message);
  return isUnknown('Programmed', 'Only the data plane knows whether it is programmed.');
}
