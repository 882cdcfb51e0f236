import { isJsonObject, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';
import type { Reference, SectionEntry } from '@policy-machinery/topology';
import { itemsOf } from '../fields/items.ts';
import { targetOf } from '../fields/object-reference.ts';

/** The kind of certificates in Gateway API; others depend on the implementation. */
export const secretKind = { group: '', kind: 'Secret' };

/** A certificate of a listener, and the JSON Pointer to it. */
export interface CertificateRef {
  readonly certificateRef: JsonObject;
  readonly pointer: string;
}

/** Returns the certificates with which a listener terminates TLS; none if it passes TLS through. */
export function certificatesOf({ index, value: listener }: SectionEntry): readonly CertificateRef[] {
  const { tls } = listener;
  if (!isJsonObject(tls) || tls.mode === 'Passthrough') return [];
  return itemsOf(tls.certificateRefs).map((certificateRef, place) => ({
    certificateRef,
    pointer: `/spec/listeners/${index}/tls/certificateRefs/${place}`,
  }));
}

/** Returns the references of a listener to its certificates, without links: only the status of the listener depends on them. */
export function certificateReferences(listener: SectionEntry): readonly Reference[] {
  return certificatesOf(listener).flatMap(({ certificateRef, pointer }): Reference[] => {
    const to = targetOf(certificateRef, secretKind);
    return to === undefined ? [] : [{ direction: 'down', to, needsGrant: true, withoutLink: true, pointer }];
  });
}

/** Returns whether a Secret does not hold a certificate and its key. A Secret whose data are left out counts as well-formed. */
export function isMalformedCertificate(secret: KubernetesObject): boolean {
  const { data } = secret as unknown as JsonObject;
  if (!isJsonObject(data)) return false;
  return !['tls.crt', 'tls.key'].every((key) => isPem(data[key]));
}

function isPem(value: unknown): boolean {
  try {
    return typeof value === 'string' && atob(value).includes('-----BEGIN ');
  } catch {
    return false;
  }
}
