import { type GroupKind, isJsonObject, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';
import type { Reference, SectionEntry } from '@policy-machinery/topology';
import { itemsOf } from '../fields/items.ts';
import { targetOf } from '../fields/object-reference.ts';

/** The kind of certificates in Gateway API; others depend on the implementation. */
export const secretKind = { group: '', kind: 'Secret' };

/** A reference to an object that only statuses depend on, and the JSON Pointer to it. */
export interface ObjectReference {
  readonly ref: JsonObject;
  readonly pointer: string;
}

/** Returns the certificates of a listener that terminates TLS; none if it passes TLS through. */
export function certificatesOf({ index, value: listener }: SectionEntry): readonly ObjectReference[] {
  const { tls } = listener;
  if (!isJsonObject(tls) || tls.mode === 'Passthrough') return [];
  return itemsOf(tls.certificateRefs).map((ref, place) => ({
    ref,
    pointer: `/spec/listeners/${index}/tls/certificateRefs/${place}`,
  }));
}

/** Returns the references of a listener to its certificates, without links: only the status of the listener depends on them. */
export function certificateReferences(listener: SectionEntry): readonly Reference[] {
  return certificatesOf(listener).flatMap((certificate) => referenceTo(certificate, secretKind, { needsGrant: true }));
}

/** Returns a reference without a link, for statuses; none if it names no object. */
export function referenceTo(
  { ref, pointer }: ObjectReference,
  defaults: GroupKind,
  { needsGrant }: { readonly needsGrant: boolean },
): readonly Reference[] {
  const to = targetOf(ref, defaults);
  return to === undefined ? [] : [{ direction: 'down', to, needsGrant, withoutLink: true, pointer }];
}

/** Returns why a Secret does not hold a certificate. A Secret without its data counts as well-formed. */
export function malformedCertificate(secret: KubernetesObject): string | undefined {
  return lacksPem(secret, ['tls.crt', 'tls.key']) ? 'does not contain a certificate with its key' : undefined;
}

/** Returns why a ConfigMap or Secret does not contain a CA certificate. An object without data counts as well-formed. */
export function malformedCaCertificate({
  kind,
  data,
}: KubernetesObject & { readonly data?: unknown }): string | undefined {
  if (!isJsonObject(data)) return undefined;
  const certificate = data['ca.crt'];
  const isText = typeof certificate === 'string' && certificate.includes(pemBegin);
  const isWellFormed = kind === secretKind.kind ? isPem(certificate) : isText;
  return isWellFormed ? undefined : 'does not contain a certificate under the key ca.crt';
}

const pemBegin = '-----BEGIN ';

function lacksPem({ data }: KubernetesObject & { readonly data?: unknown }, keys: readonly string[]): boolean {
  return isJsonObject(data) && !keys.every((key) => isPem(data[key]));
}

function isPem(value: unknown): boolean {
  try {
    return typeof value === 'string' && atob(value).includes(pemBegin);
  } catch {
    return false;
  }
}
