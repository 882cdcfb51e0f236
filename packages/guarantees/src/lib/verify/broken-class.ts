import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import type { UnknownFact } from '@policy-machinery/gateway-api';
import type { Path, TargetNode } from '@policy-machinery/topology';
import type { ConcreteRequest } from '../requests/concrete-request.ts';
import type { Contender } from '../requests/contender.ts';
import type { ServerNameFact } from '../requests/floor.ts';
import type { RequestSet } from '../requests/request-sets.ts';
import type { Concerns } from './concerns.ts';
import type { Failure } from './judge.ts';
import type { UnknownMeeting } from './orders.ts';
import type { Replayable } from './replay.ts';

/** Requests of a match that expressions do not distinguish, and why a guarantee does not hold for them. */
export interface FailingRequests {
  readonly requests: RequestSet;
  readonly failure: Failure;
}

/** A class of requests, with the request that shows that the guarantee does not hold for it. */
export interface BrokenClass extends FailingRequests {
  readonly contender: Contender;
  readonly request: ConcreteRequest;
  /** Whether all requests of the class that the guarantee is about break it. */
  readonly isWhole: boolean;
  /** The other request of the comparison. */
  readonly other?: OtherRequest;
}

/** A counterexample's other request. Ask `traceRequest` to replay it, too. */
export interface OtherRequest extends Replayable {
  /** Whether it is sent at the same time, is the same request before a change, or the same request at a rule that is shadowed. */
  readonly as: 'sent' | 'before' | 'shadowed';
  /** The match that takes it; `undefined` if none does. */
  readonly takenBy: Contender | undefined;
  /** The path of the comparison; `undefined` if no rule takes it. */
  readonly path: Path | undefined;
  /** The effective policies that it meets there, by the names of the kinds that the guarantee reads. */
  readonly policies: ReadonlyMap<string, EffectivePolicy<unknown>>;
  /** How it meets the concerns that the guarantee reads. */
  readonly concerns: Concerns;
}

/** A doubt about whether a guarantee holds: an unknown fact about a route. */
export interface HiddenBy {
  readonly route: TargetNode;
  /** JSON Pointer to the value that depends on the fact, from the root of the route. */
  readonly pointer: string;
  /**
   * The fact. `concern`: it is not known whether requests meet a concern; `own value`: whether a value that the route sets itself prevails over policies;
   * `server name`: whether the data plane refuses requests for another host than the server name of the connection; `misdirected request`: whether
   * a client sends such a request, which the data plane serves.
   */
  readonly dependsOn: UnknownMeeting['dependsOn'] | UnknownFact | ServerNameFact;
  /** The regular expression. */
  readonly expression?: string;
  /** The other route of two that may take the request. */
  readonly other?: TargetNode;
  /** The policies that requests of the route may meet: `SecurityPolicy shop/one`. Of concerns: their names, with reasons. */
  readonly policies?: readonly string[];
}
