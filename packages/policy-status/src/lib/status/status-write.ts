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

/** One write: the same change in two forms, of which the controller sends one. */
export interface StatusWrite {
  /** The object to write to. */
  readonly ref: ResourceRef;
  readonly locator: string;
  /** The subresource to write to: `undefined` for annotations and labels, which are in the object itself. */
  readonly subresource: 'status' | undefined;
  /**
   * The body of a server-side apply: everything that the controller owns in the object, so that owned fields left out are removed. If a
   * list must be written as a whole, the body has the resource version that was read, so that entries of others are not lost.
   */
  readonly apply: JsonObject;
  /** A JSON Patch (RFC 6902) of what changes. It begins with a test of the resource version, if known. */
  readonly patch: readonly PatchOperation[];
  /** The resource after the write. */
  readonly result: KubernetesObject;
}

/** The parts of a write. */
export interface WriteParts {
  readonly ref: ResourceRef;
  readonly locator: string;
  readonly resource: KubernetesObject;
  readonly subresource: 'status' | undefined;
  /** The resource after the write. */
  readonly changed: KubernetesObject;
  /** The part that the controller owns, without the identity of the resource. */
  readonly owns: JsonObject;
  /** Whether the write replaces a list as a whole. */
  readonly isWhole: boolean;
}

/** Returns the write that changes a resource. */
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

/** Returns the patch of the part that is written to; nothing else differs. */
function patchOf(
  { metadata, status }: KubernetesObject,
  changed: KubernetesObject,
  subresource: StatusWrite['subresource'],
): readonly PatchOperation[] {
  if (subresource === undefined) return patchBetween({ metadata }, { metadata: changed.metadata });
  if (status !== undefined) return patchBetween({ status }, { status: changed.status });
  return [{ op: 'add', path: '/status', value: changed.status as JsonValue }];
}
