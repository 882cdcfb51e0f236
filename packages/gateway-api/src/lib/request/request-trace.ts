import type { Path, TargetNode } from '@policy-machinery/topology';
import type { LostMatch, Mismatch, RequestMatch, UndecidedMatch, UnmatchedRoute } from './answer.ts';

/** The same with the targets of the topology: {@link RequestMatch}, {@link LostMatch} … */
export type Traced<Part extends Pick<RequestMatch, 'listener' | 'route'>> = Omit<Part, 'listener' | 'route'> & {
  /** The listener above the route; in a mesh, the frontend of a Service or of one of its ports. */
  readonly listener: TargetNode;
  readonly route: TargetNode;
  /** Absent where the route as a whole is meant, and where it has no rules. */
  readonly rule?: TargetNode;
  /** The routes that delegate to this one, each with the rule that does, from the one at the listener on (H-10). */
  readonly via: readonly TargetNode[];
};

/**
 * A route, rule or match that does not take the request; or one that delegates it, but has no children; or, of a child, has no
 * part in what its parent delegates; or of a route that delegates to more than 10,000 children for the request, each counted as
 * often as it is delegated to, so that nothing can be said of it.
 */
export type TracedMismatch = Omit<Traced<UnmatchedRoute>, 'reason'> & {
  readonly reason: Mismatch | 'no-children' | 'delegation' | 'too-many-children';
};

/** The match that takes a request. */
export type TracedWinner = Traced<RequestMatch> & {
  /**
   * The paths of the request, from where they begin through listener, route and rule to each of the backends; or to the rule,
   * where it has none. Made one by one each time they are asked for.
   */
  readonly paths: Iterable<Path>;
};

/**
 * What becomes of a request at one port of one Gateway, or of one Service in a mesh. Every match of every route is in one of
 * the four parts, but for matches that take the request and delegate it: those of the children are there instead.
 */
export interface RequestTrace {
  /** The Gateway; in a mesh, the frontend that the Service has for everybody. */
  readonly entry: TargetNode;
  readonly port: number;
  /**
   * The listener at which the request arrives; absent where none that takes requests takes the host. In a mesh, the first
   * frontend whose routes the request reaches; absent where there is none, so that the request goes to the Service as it is.
   */
  readonly listener?: TargetNode;
  /**
   * What takes the request, unless one of the undecided would. Where it is absent, and `listener` is not or the entry is a
   * Gateway, nothing takes it: status 404, or no connection for what is no HTTP.
   */
  readonly winner?: TracedWinner;
  /** In order of precedence; those of routes that have no part in the request come last. */
  readonly lost: readonly Traced<LostMatch>[];
  /** In the same order. */
  readonly undecided: readonly Traced<UndecidedMatch>[];
  /** By listener, then by route, in its order. */
  readonly unmatched: readonly TracedMismatch[];
}
