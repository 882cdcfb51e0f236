import {
  type GroupKind,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  objectIn,
  specOf,
} from '@policy-machinery/resource';
import type { Reference } from '@policy-machinery/topology';
import { itemsOf } from '../fields/items.ts';
import { type ObjectReference, referenceTo, secretKind } from './certificates.ts';
import { protocolOf } from './listener-protocol.ts';

/** The kind of CA certificates in Gateway API; others depend on the implementation. */
export const configMapKind: GroupKind = { group: '', kind: 'ConfigMap' };

/** Returns the object with the parameters of a Gateway (`infrastructure.parametersRef`), which is in the namespace of the Gateway. */
export function parametersOf(gateway: KubernetesObject): readonly ObjectReference[] {
  const { parametersRef } = objectIn(specOf(gateway).infrastructure);
  const { namespace: _, ...ref } = objectIn(parametersRef);
  return found(isJsonObject(parametersRef) ? ref : undefined, '/spec/infrastructure/parametersRef');
}

/** Returns the certificate that a Gateway shows to backends (GEP-3155). */
export function clientCertificateOf(gateway: KubernetesObject): readonly ObjectReference[] {
  const { backend } = objectIn(specOf(gateway).tls);
  return found(objectIn(backend).clientCertificateRef, '/spec/tls/backend/clientCertificateRef');
}

/** A place where a Gateway says how its listeners validate certificates of clients (GEP-91). */
interface Validation {
  /** The port of the listeners; `undefined` for all others. */
  readonly port: JsonValue | undefined;
  readonly mode: JsonValue | undefined;
  readonly caCertificates: readonly ObjectReference[];
}

/** Returns how a listener of a Gateway or of its ListenerSets validates certificates of clients; `undefined` if it does not. */
export function validationAt(gateway: KubernetesObject, listener: JsonObject): Validation | undefined {
  const { routeKinds, carrier } = protocolOf(listener) ?? {};
  if (carrier !== 'TLS' || routeKinds === 'any' || !routeKinds?.includes('HTTPRoute')) return undefined;
  const [byDefault, ...perPort] = validationsOf(gateway);
  return perPort.find(({ port }) => port === listener.port) ?? byDefault;
}

/** Returns whether a Gateway accepts clients with missing or invalid certificates, at any port. */
export function allowsInsecureClients(gateway: KubernetesObject): boolean {
  return validationsOf(gateway).some(({ mode }) => mode === 'AllowInsecureFallback');
}

/** Returns the references of a Gateway to objects that only statuses depend on. */
export function configurationReferences(gateway: KubernetesObject): readonly Reference[] {
  const { infrastructure, tls } = specOf(gateway);
  if (infrastructure === undefined && tls === undefined) return none; // Nearly always.
  const caCertificates = validationsOf(gateway).flatMap((it) => it.caCertificates);
  return [
    ...parametersOf(gateway).flatMap((it) => referenceTo(it, nothing, { needsGrant: false })),
    ...clientCertificateOf(gateway).flatMap((it) => referenceTo(it, secretKind, { needsGrant: true })),
    ...caCertificates.flatMap((it) => referenceTo(it, configMapKind, { needsGrant: true })),
  ];
}

const none: readonly never[] = [];
const nothing: GroupKind = { group: '', kind: '' };

function validationsOf(gateway: KubernetesObject): readonly Validation[] {
  const { frontend } = objectIn(specOf(gateway).tls);
  const { default: byDefault, perPort } = objectIn(frontend);
  return [
    validationIn(byDefault, undefined, '/spec/tls/frontend/default'),
    ...itemsOf(perPort).map(({ port, tls }, index) =>
      validationIn(tls, port, `/spec/tls/frontend/perPort/${index}/tls`),
    ),
  ];
}

function validationIn(tls: JsonValue | undefined, port: JsonValue | undefined, pointer: string): Validation {
  const { mode, caCertificateRefs } = objectIn(objectIn(tls).validation);
  const caCertificates = itemsOf(caCertificateRefs).map((ref, index) => ({
    ref,
    pointer: `${pointer}/validation/caCertificateRefs/${index}`,
  }));
  return { port, mode, caCertificates };
}

function found(ref: JsonValue | undefined, pointer: string): readonly ObjectReference[] {
  return isJsonObject(ref) ? [{ ref, pointer }] : [];
}
