import type { KubernetesObject } from '@policy-machinery/resource';
import type { DataPlane, ListenerUncertainty } from '../listeners/data-plane.ts';
import type { ListenerConflict } from '../listeners/listener-conflict.ts';
import type { Transport } from '../listeners/listener-protocol.ts';

/** A listener that may receive a request. You can add fields to identify it: the answer contains the same object. */
export interface RequestListener {
  /** The name, unique among the listeners of the Gateway and of its ListenerSets. */
  readonly name: string;
  readonly port: number;
  /** The transport of requests. HTTP and TLS use TCP. Default: any. */
  readonly transport?: Transport | undefined;
  /** A name, or a wildcard such as `*.example.com`. Default, and where it is empty: every host. */
  readonly hostname?: string | undefined;
  /** The attached routes. Kinds other than Gateway API's are ignored. */
  readonly routes: readonly KubernetesObject[];
  /**
   * The routes that these delegate to, with the hostnames and matches that they have there. They are not attached, so they do not
   * decide which kind of routes the listener serves. Default: none.
   */
  readonly delegated?: readonly KubernetesObject[] | undefined;
  /** Returns the attached route that leads to a delegated one. Default: not known, and the delegated route takes part for certain. */
  readonly rootOf?: ((delegated: KubernetesObject) => KubernetesObject | undefined) | undefined;
  /**
   * Whether the listener is the frontend of a Service in a mesh. Hostnames of routes do not count at a frontend. If several kinds of routes
   * are attached, only the kind that Gateway API puts first counts. Default: no.
   */
  readonly isFrontend?: boolean | undefined;
  /** The fact that decides whether the listener takes any requests, if it is not known. Default: the listener takes requests. */
  readonly dependsOn?: ListenerUncertainty | undefined;
  /** The choices of the listener's data plane where Gateway API leaves a choice to implementations. Default: not known. */
  readonly dataPlane?: DataPlane | undefined;
  /** The reason why the listener serves no requests although its hostname is the most specific. Default: the listener serves requests. */
  readonly lostBy?: ListenerLoss | undefined;
}

/**
 * The reason why a listener takes no requests: a listener of higher precedence at the same port has the same hostname
 * (`hostname conflict`) or another protocol (`protocol conflict`), its data plane refuses HTTPS without tls (`no tls`), its controller does not accept it
 * (`not accepted`), or the client's namespace has its own routes, which take
 * precedence over the producer's routes (`consumer routes`).
 */
export type ListenerLoss = ListenerConflict | 'consumer routes';

/** A match of a rule that may take the request. */
export interface RequestMatch<Listener extends RequestListener = RequestListener> {
  readonly listener: Listener;
  readonly route: KubernetesObject;
  /** The most specific of the route's own hostnames that take the host; `*` where it names none, and so takes every host. */
  readonly hostname: string;
  /** The index of the rule in the route. */
  readonly ruleIndex: number;
  /** The index of the match in the rule; 0 for a rule without matches, which matches every request. */
  readonly matchIndex: number;
}

/**
 * Why one match precedes another.
 *
 * Some state that a route does not take part in the request at all: its listener takes none ({@link ListenerLoss}); the request arrives
 * at `another listener`; or the listener took an `older route of another kind` (HTTPRoute or GRPCRoute) for the host, the
 * frontend of a Service a `route of a more specific kind`, and so cannot take this one. Of the others, each decides only where
 * those before it do not; `more specific path` only between an HTTPRoute and a GRPCRoute that share a hostname; the last one only between routes of one
 * name, as between a route and itself where it is delegated to twice.
 */
export type Precedence =
  | ListenerLoss
  | 'another listener'
  | 'older route of another kind'
  | 'route of a more specific kind'
  | 'more specific hostname'
  | 'more specific path'
  | 'exact path'
  | 'regular expression before prefix'
  | 'prefix before regular expression'
  | 'longer regular expression'
  | 'longer prefix'
  | 'method'
  | 'gRPC service'
  | 'gRPC method'
  | 'more headers'
  | 'more query parameters'
  | 'older route'
  | 'first by name'
  | 'first rule in the route'
  | 'first match in the rule'
  | 'listed first';

/** A match that takes the request too, but not before the winner. */
export interface LostMatch<Listener extends RequestListener = RequestListener> extends RequestMatch<Listener> {
  /** The rule that it lost by. */
  readonly lostBy: Precedence;
}

/**
 * The unknown fact that decides whether a match takes a request:
 * - `regular expression`: whether the expression matches the request, or whether it precedes a path prefix.
 * - `shared hostname`: whether the listener takes HTTPRoutes and GRPCRoutes for one hostname, or which of them is older.
 * - `missing certificate`: whether the listener or another one of the port and hostname takes requests: the first one may lack its certificate.
 * - `missing tls`: whether the listener takes requests, although it is for HTTPS and does not have `tls`.
 * - `adjacent slashes`: whether the data plane merges the slashes of `//cart` before it compares paths.
 * - `hostname precedence`: whether the hostnames of routes decide, or their intersection with the hostname of the listener.
 * - `listener isolation`: whether the routes of a listener also take requests that arrive at a listener with a more specific hostname.
 * - `age`: whether its route or another one is older.
 * - `precedence of kinds`: whether a match of an HTTPRoute or one of a GRPCRoute comes first.
 */
export type UnknownFact =
  | 'regular expression'
  | 'shared hostname'
  | ListenerUncertainty
  | 'adjacent slashes'
  | 'hostname precedence'
  | 'listener isolation'
  | 'age'
  | 'precedence of kinds';

/** A match that may take the request: the deciding fact is not known. */
export interface UndecidedMatch<Listener extends RequestListener = RequestListener> extends RequestMatch<Listener> {
  readonly dependsOn: UnknownFact;
  /** JSON Pointer to the field of the route that it depends on: the first regular expression that matters, the hostnames, the age or the match. */
  readonly pointer: string;
  /** The rule that makes it lose, whether it takes the request or not; absent where it may take the request. */
  readonly lostBy?: Precedence;
}

/**
 * Why a route, rule or match does not take a request: its listener, or its route, is for other hosts; the path, method,
 * headers or query parameters are others; or the route is `invalid`.
 */
export type Mismatch = 'listener' | 'host' | 'path' | 'method' | 'headers' | 'query' | 'invalid';

/** A route, rule or match that does not take the request. */
export interface UnmatchedRoute<Listener extends RequestListener = RequestListener> {
  readonly listener: Listener;
  readonly route: KubernetesObject;
  /** Absent where the route as a whole does not take the request. */
  readonly ruleIndex?: number;
  /** Absent where the rule as a whole does not. */
  readonly matchIndex?: number;
  readonly reason: Mismatch;
  /** JSON Pointer to the first part of the route that does not fit; `''` where that is its listener. */
  readonly pointer: string;
}

/** The result of a request at one port. Every match of every route is in one of the four parts. */
export interface RequestAnswer<Listener extends RequestListener = RequestListener> {
  readonly port: number;
  /** The listener where the request arrives; absent if no listener takes requests for the host. */
  readonly listener?: Listener;
  /**
   * The match that takes the request, unless an undecided match without `lostBy` does. If absent, the request fails unless an undecided match takes it:
   * with status 404, or without a connection if the request is not HTTP.
   */
  readonly winner?: RequestMatch<Listener>;
  /** The matches that lose, in order of precedence. Matches of routes without a part in the request are last. */
  readonly lost: readonly LostMatch<Listener>[];
  /** The undecided matches, in the same order. */
  readonly undecided: readonly UndecidedMatch<Listener>[];
  /** The mismatches by listener, then by route, in the order of the route. */
  readonly unmatched: readonly UnmatchedRoute<Listener>[];
}
