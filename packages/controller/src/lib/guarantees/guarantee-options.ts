import type { ContestOptions, Guarantee, Verdict } from '@policy-machinery/guarantees';

/** The guarantees that a controller verifies after each change, and how. */
export interface GuaranteeOptions extends ContestOptions {
  /** Guarantees of your own. Default: none. */
  readonly own?: readonly Guarantee[] | undefined;
  /**
   * Whether the Guarantees of the cluster are watched and verified, and get a condition `Holds`. Needs the CustomResourceDefinition
   * `guaranteeDefinition` of `@policy-machinery/guarantees`, and the rights to `list` and `watch` guarantees, and to `patch` `guarantees/status`.
   * Default: `true`.
   */
  readonly watch?: boolean | undefined;
}

/** Returns whether a controller watches the Guarantees of the cluster. */
export function watchesGuarantees({ guarantees }: { readonly guarantees?: GuaranteeOptions | undefined }): boolean {
  return guarantees !== undefined && guarantees.watch !== false;
}

/** A guarantee with a new answer. */
export interface GuaranteeChange {
  /** The answer, with the requests that break the guarantee. Read it before you await anything. */
  readonly verdict: Verdict;
  /** The answer before; `undefined` the first time, and when this process becomes the leader. */
  readonly before: Verdict['answer'] | undefined;
}
