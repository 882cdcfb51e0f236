/** A reference to a target by name, as in Gateway API's policies. */
export interface TargetRef {
  /** API group; `''` is the core group. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** Namespace of the target. Default: the policy's own. Ignored for cluster-scoped kinds. */
  readonly namespace?: string;
  /** A listener, a route rule, a port …: only this part of the target. Default: the whole target. */
  readonly sectionName?: string;
}

/** A validated `TargetRef`, with its pointer in the policy. */
export interface DeclaredTarget extends TargetRef {
  /** JSON Pointer to the reference: `/spec/targetRef` or `/spec/targetRefs/0`. */
  readonly pointer: string;
  /** The port of the sections that are meant: the listeners or ports with this number, instead of `sectionName`. Default: see `sectionName`. */
  readonly port?: number;
}
