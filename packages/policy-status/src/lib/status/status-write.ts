// status/: edits of one status. Takes a resource and the desired conditions, and returns the write that sets them: conditions of others stay,
// and nothing is written where nothing changes. A place is the field of a status that holds conditions; owned fields belong
// to this controller.

import type { JsonObject, KubernetesObject, ResourceRef } from '@policy-machinery/resource';
import { type PatchOperation, patchBetween } from '../json-patch.ts';

/**
 * How urgent a write is, the most urgent first:
 * - `outcome`: to a policy that gets other conditions, apart from messages.
 * - `policy`: to another policy.
 * - `object`: to an object that policies affect, or of a kind with its own status.
 * - `first-plan`: of the first plan of a planner, before anything changed. There may be one for each object of the cluster.
 */
export const writeUrgencies = ['outcome', 'policy', 'object', 'first-plan'] as const;

/** One of {@link writeUrgencies}. */
export type WriteUrgency = (typeof writeUrgencies)[number];

/** How a write makes sure that its object has not changed meanwhile. */
export type WritePrecondition = 'resourceVersion' | 'test' | 'none';

/** One write: the same change in two forms. The controller sends one of them. */
export interface StatusWrite {
  /** The object to write to. */
  readonly ref: ResourceRef;
  readonly locator: string;
  /** The subresource to write to: `undefined` for annotations and labels, which are in the object itself. */
  readonly subresource: 'status' | undefined;
  /**
   * The body of a server-side apply: everything that the controller owns in the object, so that owned fields left out are removed. The body
   * has the `uid` of the object, if known: without that, an apply to an object that is gone creates it again. With the precondition
   * `resourceVersion`, and wherever a list must be written as a whole, the body also has the resource version that was read, so that entries
   * of others are not lost.
   */
  readonly apply: JsonObject;
  /** A JSON Patch (RFC 6902) of the changes. It begins with the precondition, if the resource version is known. */
  readonly patch: readonly PatchOperation[];
  /** How urgent the write is, compared with others. */
  readonly urgency: WriteUrgency;
  /** The resource after the write. */
  readonly result: KubernetesObject;
}

interface WrittenChange extends Pick<StatusWrite, 'urgency'> {
  /** The part of the resource that is different: its status, or its metadata. */
  readonly changed: { readonly status: JsonObject } | Pick<KubernetesObject, 'metadata'>;
  /** The part that the controller owns, without the identity of the resource. */
  readonly owns: { readonly status?: JsonObject; readonly metadata?: JsonObject };
  /** Whether the write replaces a list as a whole. */
  readonly isWhole: boolean;
}

export function writeOf(
  { ref, locator, resource }: Pick<StatusWrite, 'ref' | 'locator'> & { readonly resource: KubernetesObject },
  { changed, owns, isWhole, urgency }: WrittenChange,
  { precondition }: { readonly precondition: WritePrecondition },
): StatusWrite {
  const { apiVersion, metadata } = resource;
  const { resourceVersion, uid } = metadata;
  const isVersioned = resourceVersion !== undefined && (isWhole || precondition === 'resourceVersion');
  const identity: JsonObject = {
    name: ref.name,
    ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(isVersioned ? { resourceVersion } : {}),
  };
  const { metadata: marks, ...rest } = owns;
  const apply = { apiVersion, kind: ref.kind, metadata: { ...identity, ...marks }, ...rest };
  const guard = resourceVersion === undefined ? [] : preconditions[precondition](resourceVersion);
  return {
    ref,
    locator,
    subresource: 'status' in changed ? 'status' : undefined,
    apply,
    patch: [...guard, ...patchOf(resource, changed)],
    result: { ...resource, ...changed },
    urgency,
  };
}

/** The operations at the beginning of a patch. The API server answers a stale `replace` with 409 Conflict, a stale `test` with 422 Invalid. */
const preconditions: Readonly<Record<WritePrecondition, (resourceVersion: string) => readonly PatchOperation[]>> = {
  resourceVersion: (value) => [{ op: 'replace', path: '/metadata/resourceVersion', value }],
  test: (value) => [{ op: 'test', path: '/metadata/resourceVersion', value }],
  none: () => [],
};

function patchOf({ metadata, status }: KubernetesObject, changed: WrittenChange['changed']): readonly PatchOperation[] {
  if ('metadata' in changed) return patchBetween({ metadata }, changed);
  if (status !== undefined) return patchBetween({ status }, changed);
  return [{ op: 'add', path: '/status', value: changed.status }]; // Without a copy of the status: at first there are thousands.
}
