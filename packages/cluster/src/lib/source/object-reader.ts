import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { objectFaults } from '@policy-machinery/resource/inner';
import { apiVersionOf, type GroupVersion } from '../discovery/api-resource.ts';
import type { SourceObserver } from './kind-handlers.ts';
import { retain } from './retain.ts';
import type { WatchedKind } from './watched-kind.ts';

/**
 * Reads an object that an API server has sent.
 *
 * @param item The object. It may be changed.
 * @param served How the kind is served.
 * @param observer Takes malformed objects.
 * @returns The object to keep; `undefined` if it is malformed.
 */
export function readObject(
  item: JsonObject,
  kind: WatchedKind,
  served: GroupVersion,
  observer: SourceObserver,
): KubernetesObject | undefined {
  const { metadataOnly = false } = kind;
  const object: unknown = retain(item, { apiVersion: apiVersionOf(served), kind: kind.kind, metadataOnly });
  if (isKubernetesObject(object)) return object;
  observer.onMalformed?.(kind, object, objectFaults(object));
  return undefined;
}

function isKubernetesObject(value: unknown): value is KubernetesObject {
  return objectFaults(value).length === 0;
}

/** Returns the headers that ask for objects of a kind: as a list, or one by one. */
export function acceptHeaders(
  { metadataOnly }: WatchedKind,
  what: 'list' | 'object',
): Readonly<Record<string, string>> {
  if (metadataOnly !== true) return {};
  const as = what === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  return { accept: `application/json;as=${as};g=meta.k8s.io;v=v1,application/json` };
}
