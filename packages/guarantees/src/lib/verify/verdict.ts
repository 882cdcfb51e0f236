import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import type { Path, TargetNode } from '@policy-machinery/topology';
import type { Summary } from '../live/summary.ts';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { Guarantee } from '../model/guarantee.ts';
import type { ConcreteRequest } from '../requests/concrete-request.ts';
import type { Contender } from '../requests/contender.ts';
import type { HiddenBy, OtherRequest } from './broken-class.ts';
import type { Concerns } from './concerns.ts';

/** A request that shows that a guarantee does not hold. Ask `traceRequest` to replay it. */
export interface Counterexample {
  readonly request: ConcreteRequest;
  readonly contender: Contender;
  /** A path of the request that breaks the guarantee. */
  readonly path: Path;
  /** The effective policies that it meets there, by the names of the kinds that the guarantee reads. */
  readonly policies: ReadonlyMap<string, EffectivePolicy<unknown>>;
  /** How it meets the concerns that the guarantee reads. */
  readonly concerns: Concerns;
  /** The other request of the comparison; `undefined` if the guarantee does not compare requests. */
  readonly other: OtherRequest | undefined;
  /** Why the expression is not true, if it failed: the field that is missing. */
  readonly why: string | undefined;
  /** The common object of all requests with the same cause: a Gateway, a listener, a route or a rule. */
  readonly cause: TargetNode;
  /** The number of classes of requests with the same cause. */
  readonly classes: number;
  /** Whether it holds for none of the requests of these classes that it is about. Otherwise its expressions distinguish requests of a class. */
  readonly isWhole: boolean;
}

/** A policy that shows that a guarantee about policies does not hold. */
export interface PolicyCounterexample {
  readonly policy: string;
  readonly namespace: string | undefined;
  readonly kind: string;
  readonly why: string | undefined;
}

/** The answer for one guarantee. */
export interface Verdict {
  readonly guarantee: Guarantee;
  /**
   * `holds` for every request; `broken` by the requests in `counterexamples`; `undecided`, because facts that are not known, regular expressions or
   * failing expressions hide whether there is such a request.
   */
  readonly answer: 'holds' | 'broken' | 'undecided';
  /** The policy kinds that it reads, by their names in its expressions. */
  readonly kinds: readonly string[];
  /** The number of classes of requests, or of policies, that were considered. */
  readonly classes: number;
  /** The requests that break it, the smallest first, one for each cause. */
  readonly counterexamples: readonly Counterexample[];
  readonly policies: readonly PolicyCounterexample[];
  /** The doubts about whether further requests break it. */
  readonly hiddenBy: readonly HiddenBy[];
  /** Errors of the expression other than missing fields. */
  readonly errors: readonly string[];
  /** The unknowns that may break it, such as a route of a Gateway that is not in the input, in sentences without a full stop. */
  readonly notKnown: readonly string[];
  /** @internal The basis of the judgment of a guarantee about requests, for {@link addedVerdicts}. */
  readonly basis?: VerdictBasis;
}

export interface VerdictBasis {
  readonly compiled: CompiledGuarantee;
  /** Facts about the requests to each Gateway and Service. */
  readonly summaries: readonly Summary[];
}
