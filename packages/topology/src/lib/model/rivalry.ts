import type { GroupKind, KubernetesObject } from '@policy-machinery/resource';
import type { AdmissionLookup, LinkEnd, Refusal } from './reference.ts';

/**
 * A rule that keeps a section from linking all targets that refer to it and that it admits, because some exclude others: a listener keeps an HTTPRoute
 * or a GRPCRoute for one hostname, never both.
 */
export interface Rivalry {
  /** The kinds of the rivals. While all targets at a section are of one kind, the section keeps them all, and `begin` is not called. */
  readonly among: readonly GroupKind[];
  /** Returns an empty set of rivals at a section. It is called again when the section or an answer of `lookup` has changed. */
  readonly begin: (end: LinkEnd, lookup: AdmissionLookup) => Rivals;
}

/** The rivals at a section. */
export interface Rivals {
  /**
   * Removes and adds rivals.
   *
   * @param gone Rivals that are no longer there. An edited resource is among both, in its old and its new version.
   * @param came Rivals that are new.
   * @returns Whether `refused` or `undecided` may have changed.
   */
  readonly change: (gone: readonly KubernetesObject[], came: readonly KubernetesObject[]) => boolean;
  /** The rivals that the section does not keep, with the reason. The order of changes makes no difference. */
  readonly refused: ReadonlyMap<KubernetesObject, Refusal>;
  /**
   * The rivals that the section may refuse, with the reason: a fact that decides is not known. They are linked, and the links are undecided. The order of
   * changes makes no difference.
   */
  readonly undecided: ReadonlyMap<KubernetesObject, Refusal>;
}
