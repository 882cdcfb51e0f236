import type { WatchedKind } from '@policy-machinery/cluster';
import type { GroupKind, KubernetesObject, ResourceRef, ResourceScope } from '@policy-machinery/resource';

/** The objects of a kind to read. */
export type SelectedObjects = Pick<WatchedKind, 'labelSelector' | 'fieldSelector' | 'namespaces'>;

/** A kind to read, beside targets and policies. Default: `v1`, in namespaces. */
export interface ReadKind extends GroupKind {
  readonly versions?: readonly string[] | undefined;
  readonly scope?: ResourceScope | undefined;
}

/**
 * A kind that is neither a target nor a policy, but matters: Secrets that policies refer to, or the state of something that `onEffective` depends on.
 * It is watched like all others: nothing is concluded before all of its objects are known.
 */
export interface Watch extends SelectedObjects {
  /**
   * The kind, such as a target kind. Its first version that the API server serves is read; default: `v1`. Kinds of `scope` `Cluster` are read as a
   * whole, even if the controller has `namespaces`.
   */
  readonly kind: ReadKind;
  /** Whether the metadata is enough, such as to know that a Secret exists: contents are then neither sent nor kept. Default: `false`. */
  readonly metadataOnly?: boolean;
  /**
   * Returns the policies with verdicts that depend on an object, as locators or references. Leave out policies if their verdicts have read the
   * object by the reader that they are given: they are asked again anyway. Default: none.
   */
  reconsider?(changed: ChangedObject): Iterable<ResourceRef | string>;
  /** Returns the effective targets that `onEffective` is called for again, as locators or references. Default: none. */
  requeue?(changed: ChangedObject): Iterable<ResourceRef | string>;
}

/** An object that was created, changed or deleted. */
export interface ChangedObject {
  readonly ref: ResourceRef;
  readonly locator: string;
  /** The object; `undefined` if it was deleted. */
  readonly object: KubernetesObject | undefined;
}

/** Reads the current state of objects of all kinds that a controller watches. */
export interface ObjectReader {
  /**
   * Returns an object.
   *
   * @param kind Its kind: one of `watches`, `owns`, the target kinds or the policy kinds.
   * @param name Its name and namespace; no namespace for cluster-scoped kinds.
   * @returns The object; `undefined` if there is none, or if the selectors of the kind leave it out.
   * @throws {PolicyMachineryError} `unwatched-kind`, if the controller does not watch the kind.
   */
  get(
    kind: GroupKind,
    name: { readonly namespace?: string | undefined; readonly name: string },
  ): KubernetesObject | undefined;
  /**
   * Returns the objects of a kind, in no order.
   *
   * @param namespace Their namespace. Default: all.
   * @throws {PolicyMachineryError} `unwatched-kind`, if the controller does not watch the kind. O(objects of the kind).
   */
  list(kind: GroupKind, namespace?: string): readonly KubernetesObject[];
}
