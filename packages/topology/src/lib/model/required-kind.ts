import type { GroupKind, Scope } from '@policy-machinery/resource';

/** A kind of resources that a topology needs, as clients ask an API server for it. */
export interface RequiredKind extends GroupKind {
  /** Its name in URLs: `httproutes`. */
  readonly plural: string;
  /** The versions that can be read, the preferred one first: ask for the first of them that the API server has. */
  readonly versions: readonly string[];
  readonly scope: Scope;
}
