// status/: edits of one status. Takes a resource and what its status must say, and returns the write that makes it say so: conditions of others
// stay, and nothing is written where nothing changes. A place is the field of a status that holds conditions; what is owned belongs to this
// controller.

import {
  groupKindOf,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  type ResourceRef,
} from '@policy-machinery/resource';
import { type PatchOperation, patchBetween } from '../json-patch.ts';

/** One write: the same change in two forms, of which a controller sends one. */
export interface StatusWrite {
  /** What is written to. */
  readonly ref: ResourceRef;
  readonly locator: string;
  /** Where to send it: to the object itself for annotations and labels, else to its `status`. */
  readonly subresource: 'status' | undefined;
  /**
   * The body of a server-side apply: all that the controller owns there, and so what is left out is removed. Where a list
   * must be written as a whole, it has the resource version that was read, so that nobody else's entry is lost.
   */
  readonly apply: JsonObject;
  /** A JSON Patch (RFC 6902): only what changes. It begins with a test of the resource version, if that is known. */
  readonly patch: readonly PatchOperation[];
  /** The resource as the write makes it. */
  readonly result: KubernetesObject;
}

/** What a write is made of. */
export interface WriteParts {
  readonly ref: ResourceRef;
  readonly locator: string;
  readonly resource: KubernetesObject;
  readonly subresource: 'status' | undefined;
  /** The resource as it is to be. */
  readonly changed: KubernetesObject;
  /** What the controller owns of it, without what identifies the resource. */
  readonly owns: JsonObject;
  /** Whether a list in it is written as a whole. */
  readonly isWhole: boolean;
}

/** Makes a write from a resource and what it is to be. */
export function writeOf({ ref, locator, resource, subresource, changed, owns, isWhole }: WriteParts): StatusWrite {
  const { resourceVersion } = resource.metadata;
  const { metadata = {}, ...rest } = owns as { readonly metadata?: JsonObject };
  const identity: Record<string, JsonValue> = { name: ref.name };
  if (ref.namespace !== undefined) identity.namespace = ref.namespace;
  if (isWhole && resourceVersion !== undefined) identity.resourceVersion = resourceVersion;
  const { apiVersion } = resource;
  const apply = { apiVersion, kind: groupKindOf(resource).kind, metadata: { ...identity, ...metadata }, ...rest };
  const guard = resourceVersion === undefined ? [] : [testOf(resourceVersion)];
  return {
    ref,
    locator,
    subresource,
    apply,
    patch: [...guard, ...patchOf(resource, changed, subresource)],
    result: changed,
  };
}

function testOf(resourceVersion: string): PatchOperation {
  return { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion };
}

/** The patch of what is written to, alone: all else is the same. */
function patchOf(
  { metadata, status }: KubernetesObject,
  changed: KubernetesObject,
  subresource: StatusWrite['subresource'],
): readonly PatchOperation[] {
  if (subresource === undefined) return patchBetween({ metadata }, { metadata: changed.metadata });
  if (status !== undefined) return patchBetween({ status }, { status: changed.status });
  return [{ op: 'add', path: '/status', value: changed.status as JsonValue }];
}
