import { formatGroupKind, type GroupKind } from '@policy-machinery/resource';
import type { NamedTarget, SectionEntry, TargetNode, Topology } from '@policy-machinery/topology';
import { isSameKind } from '../fields/hierarchy.ts';
import { targetOf } from '../fields/object-reference.ts';
import { type CertificateRef, certificatesOf, isMalformedCertificate, secretKind } from '../listeners/certificates.ts';
import type { Fault } from './condition.ts';

/** Returns the first fault of the certificates of a listener; `unknown` if none is found and Secrets are unknown. */
export function certificateFault(
  topology: Topology,
  listener: TargetNode,
  place: SectionEntry,
): Fault | 'unknown' | undefined {
  const certificates = certificatesOf(place);
  if (certificates.length === 0) return undefined;
  const resolutions = new Map(topology.referencesOf(listener).map((it) => [it.reference.pointer, it]));
  const isKnown = (kind: GroupKind) => [...topology.targetKinds].some((it) => isSameKind(it, kind));
  const faultOf = ({ certificateRef, pointer }: CertificateRef): Fault | 'unknown' | undefined => {
    const to = targetOf(certificateRef, secretKind);
    const resolution = resolutions.get(pointer);
    if (to === undefined || resolution === undefined) return invalid(`${pointer} does not name a Secret`);
    const [refusal] = resolution.refusals;
    if (refusal !== undefined) return { reason: refusal.reason, message: `${pointer}: ${refusal.message}` };
    if (!isKnown(to)) return isSameKind(to, secretKind) ? 'unknown' : invalid(`${pointer}: ${unsupported(to)}`);
    const [certificate] = resolution.ends;
    if (certificate === undefined) return invalid(`${pointer}: ${formatGroupKind(to)} ${nameOf(to)} does not exist`);
    const isMalformed = isSameKind(to, secretKind) && isMalformedCertificate(certificate.resource);
    return isMalformed ? invalid(`${pointer}: Secret ${nameOf(to)} holds no certificate with its key`) : undefined;
  };
  const faults = certificates.map(faultOf).filter((fault) => fault !== undefined);
  return faults.find((fault) => fault !== 'unknown') ?? faults[0];
}

function invalid(message: string): Fault {
  return { reason: 'InvalidCertificateRef', message };
}

function unsupported(kind: GroupKind): string {
  return `certificates of kind ${formatGroupKind(kind)} are not supported`;
}

function nameOf({ namespace, name }: NamedTarget): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
