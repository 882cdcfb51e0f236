import type { ConcernField, ConcernName } from '@policy-machinery/policy-kind';
import type { GroupKind } from '@policy-machinery/resource';

/** The concerns that one kind serves, and its secrets. Pointers are from the root of the spec; below each stanza if there are stanzas. */
export interface KindConcerns extends GroupKind {
  readonly fields: readonly ConcernField[];
  /** The stanzas of specs that are not merged, by JSON Pointer. Default: the spec itself. */
  readonly stanzas?: readonly string[];
  /** The fields with values that are secrets, or may be. */
  readonly secrets?: readonly { readonly pointer: string; readonly isCertain?: boolean }[];
}

/** Returns a field that serves several concerns alike, as a field for each. */
export function alike(concerns: readonly ConcernName[], field: Omit<ConcernField, 'concern'>): readonly ConcernField[] {
  return concerns.map((concern) => ({ concern, ...field }));
}
