import type { Path, TargetNode } from '@policy-machinery/topology';
import type { LostMatch, Mismatch, RequestMatch, UndecidedMatch, UnmatchedRoute } from './answer.ts';

/** A part of an answer ({@link RequestMatch}, {@link LostMatch} …) with targets of the topology. */
export type Traced<Part extends Pick<RequestMatch, 'listener' | 'route'>> = Omit<Part, 'listener' | 'route'> & {
  /** The listener above the route; in a mesh, the frontend of a Service or of one of its ports. */
  readonly listener: TargetNode;
  readonly route: TargetNode;
  /** The rule; absent if the entry is about the whole route, or if the route does not have rules. */
  readonly rule?: TargetNode;
  /** The routes that delegate to this route, each followed by the delegating rule, starting at the listener. */
  readonly via: readonly TargetNode[];
};

/**
 * A route, rule or match that does not take the request. The reason is a mismatch, or one of delegation: the match delegates without
 * children (`no-children`), the match of a child is not part of the parent's match (`delegation`), or the route delegates to more
 * than 10,000 children for the request, counted once per delegation (`too-many-children`).
 */
export type TracedMismatch = Omit<Traced<UnmatchedRoute>, 'reason'> & {
  readonly reason: Mismatch | 'no-children' | 'delegation' | 'too-many-children';
};

/** The match that takes a request. */
export type TracedWinner = Traced<RequestMatch> & {
  /**
   * The paths of the request, from the first target through listener, route and rule to each backend, or to the rule if it does not have backends.
   * Each iteration generates the paths one by one.
   */
  readonly paths: Iterable<Path>;
};

/**
 * The outcome of a request at one port of one Gateway, or of one Service in a mesh. Every match of every route is in one of the
 * four parts, except matches that delegate the request: matches of the children replace them.
 */
export interface RequestTrace {
  /** The Gateway; in a mesh, the frontend of the Service for clients in all namespaces. */
  readonly entry: TargetNode;
  readonly port: number;
  /**
   * The listener where the request arrives; absent if no listener takes requests for the host. In a mesh, the first frontend with
   * routes that the request reaches; absent if there is none. The request then goes to the Service directly.
   */
  readonly listener?: TargetNode;
  /**
   * The match that takes the request, unless an undecided match does. If the winner is absent, and the entry is a Gateway or there is a
   * `listener`, the request fails: with status 404, or without a connection if the request is not HTTP.
   */
  readonly winner?: TracedWinner;
  /** The matches that lose, in order of precedence. Matches of routes without a part in the request are last. */
  readonly lost: readonly Traced<LostMatch>[];
  /** The undecided matches, in the same order. */
  readonly undecided: readonly Traced<UndecidedMatch>[];
  /** The mismatches by listener, then by route, in the order of the route. */
  readonly unmatched: readonly TracedMismatch[];
}
