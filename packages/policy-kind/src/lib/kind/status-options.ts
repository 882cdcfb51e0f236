import type { GroupKind } from '@policy-machinery/resource';

/** Which ancestors the status of a policy has entries for, and how it names them. */
export interface AncestorEntries {
  /**
   * How an entry names an ancestor: as a whole (`objects`), or with the section that references name (`sections`): the policy's
   * own targetRef, or else the parentRef of the object below the ancestor. In that case, two parentRefs to one Gateway make two
   * entries.
   */
  readonly naming: 'objects' | 'sections';
  /** Whether all ancestors have entries, or only the nearest one at or above the policy's target: the ListenerSet rather than its Gateway. */
  readonly reach: 'all' | 'nearest';
}

/** Which entries the statuses of policies have. */
export interface StatusOptions {
  /**
   * The kinds of ancestors that the status of a policy has entries for, each with the outcome of the policy below the ancestor.
   * A path without such an ancestor has an entry for its topmost target; a policy without any, for its own target.
   * Default: Gateway.
   */
  readonly ancestors?: readonly GroupKind[] | undefined;
  /** Which ancestors a status has entries for, and how it names them. Default: all, as whole objects. */
  readonly ancestorEntries?: Partial<AncestorEntries> | undefined;
}
