import type { GroupKind, ResourceScope } from '@policy-machinery/resource';

/** A kind of resources that a topology needs, with the data that clients need to list it. */
export interface RequiredKind extends GroupKind {
  /** The plural name, as in URLs: `httproutes`. */
  readonly plural: string;
  /** The supported versions, the preferred one first: request the first one that the API server serves. */
  readonly versions: readonly string[];
  readonly scope: ResourceScope;
}
