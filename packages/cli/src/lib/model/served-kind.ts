import type { GroupKind } from '@policy-machinery/resource';

export interface ServedKind extends GroupKind {
  readonly version: string;
  /** Its name in URLs: `httproutes`. */
  readonly resource: string;
  readonly namespaced: boolean;
}

/** A kind that cannot be read in all namespaces. */
export interface Gap {
  readonly kind: ServedKind;
  /** The namespaces where the kind is read; none if it may not be read at all. */
  readonly namespaces: readonly string[];
}
