import type { JsonObject, ResourceRef } from '@policy-machinery/resource';
import { isJsonObject, stringIn } from '@policy-machinery/resource';
import { type ApiResource, resourcePath } from '../discovery/api-resource.ts';
import type { TransportRequest } from '../transport/transport.ts';

/** One operation of a JSON Patch (RFC 6902). */
export interface WriteOperation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** A write to one object, such as a `StatusWrite` of `@policy-machinery/policy-status`. */
export interface ObjectWrite {
  /** The object. */
  readonly ref: ResourceRef;
  readonly locator: string;
  /** The subresource to write to: `undefined` for the object itself. */
  readonly subresource: 'status' | undefined;
  /** A JSON Patch. It should set or test `/metadata/resourceVersion` first, so that it fails if the object has changed. */
  readonly patch: readonly WriteOperation[];
  /** The same as the body of a server-side apply, with `apiVersion`. */
  readonly apply: JsonObject;
  /**
   * The kind of write:
   * - `update` (the default): of an object that exists, in the form of the writer.
   * - `apply`: a server-side apply of {@link apply}, which creates the object if there is none. The patch does not count. An object that
   *   the sources do not know, and this manager has not written, belongs to others: the write is refused.
   * - `delete`: of the object as the sources know it. Neither form counts.
   */
  readonly action?: 'update' | 'apply' | 'delete';
}

/** How writes are sent: as JSON Patches, which are small and never create; or as server-side apply, which keeps track of owners. */
export type WriteForm = 'json-patch' | 'apply';

const versionPath = '/metadata/resourceVersion';

/** Returns the version of the object from which a write was planned; `undefined` if the write does not contain it. */
export function plannedVersion({ patch, apply }: ObjectWrite): string | undefined {
  const guard = patch.find(({ path }) => path === versionPath);
  if (guard !== undefined) return stringIn(guard.value);
  return isJsonObject(apply.metadata) ? stringIn(apply.metadata.resourceVersion) : undefined;
}

/** The form of a request, and the object that it is for. */
export interface RequestParts {
  readonly resource: ApiResource;
  readonly form: WriteForm;
  readonly fieldManager: string;
  /** The `uid` of the object. An apply with a `uid` does not create a deleted object again. */
  readonly uid: string | undefined;
  /** The version of the object, for a deletion. */
  readonly resourceVersion?: string | undefined;
}

/** Returns the request for a write. */
export function requestOf(write: ObjectWrite, parts: RequestParts): TransportRequest {
  const { resource, fieldManager, resourceVersion } = parts;
  const { ref, subresource, patch, apply, action = 'update' } = write;
  const form = action === 'apply' ? 'apply' : parts.form;
  const uid = action === 'apply' ? undefined : parts.uid;
  const path = `${resourcePath(resource, ref)}${subresource === undefined ? '' : `/${subresource}`}`;
  if (action === 'delete') {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } };
    return { method: 'DELETE', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
  if (form === 'json-patch') {
    const headers = { 'content-type': 'application/json-patch+json' };
    return { method: 'PATCH', path, query: { fieldManager }, headers, body: JSON.stringify(patch) };
  }
  const metadata = isJsonObject(apply.metadata) ? apply.metadata : {};
  const body = JSON.stringify({ ...apply, metadata: uid === undefined ? metadata : { ...metadata, uid } });
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  return { method: 'PATCH', path, query: { fieldManager, force: 'true' }, headers, body };
}

/** Returns the key of the part of an object that a write is for. */
export function partOf({ locator, subresource }: ObjectWrite): string {
  return `${locator}#${subresource ?? ''}`;
}
