import type { EffectivePolicies, Trial } from '@policy-machinery/effective-policy';
import {
  type ContestOptions,
  type Counterexample,
  createVerifier,
  formatCounterexample,
  formatMet,
  formatRequest,
  type Guarantee,
  type Verdict,
  type Verifier,
  verifiedKind,
} from '@policy-machinery/guarantees';
import type { FurtherReview, Refusal } from '@policy-machinery/policy-status';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { TopologyChange } from '@policy-machinery/topology';

type View = EffectivePolicies<unknown>;

/** How guarantees are reviewed. */
export interface GuaranteeReviewOptions {
  /** Returns the guarantees. */
  readonly guarantees: () => readonly Guarantee[];
  readonly requests: ContestOptions;
  /** Whether a change that breaks one is refused. */
  readonly refuses: boolean;
  /** Whether routes and policies of other namespaces are named. */
  readonly names: 'own-namespace' | 'all';
}

/** The reason of refusals for guarantees, for programs. */
export const brokenGuarantee = 'BrokenGuarantee';

const nothing: FurtherReview = { warnings: [], refusals: [] };

/** Finds the guarantees that changes break, by a trial. */
export class GuaranteeReview {
  readonly #trial: Trial<readonly View[]>;
  readonly #options: GuaranteeReviewOptions;
  #verifier: Verifier | undefined;

  constructor(trial: Trial<readonly View[]>, options: GuaranteeReviewOptions) {
    this.#trial = trial;
    this.#options = options;
  }

  /** Verifies the guarantees as everything is now, so that a review costs what its change touches. */
  warmUp(): void {
    this.#answers(this.#options.guarantees());
  }

  /**
   * Says which guarantees a change breaks that hold without it, with a request that shows it. A guarantee that was undecided, since a regular
   * expression hides whether it holds, leads to a warning.
   *
   * @param object The object that is applied or deleted. Routes and policies of other namespaces are not named.
   * @param change The change.
   */
  review({ metadata }: KubernetesObject, change: TopologyChange): FurtherReview {
    const guarantees = this.#options.guarantees();
    if (guarantees.length === 0) return nothing;
    const isAll = this.#options.names === 'all';
    const isNamed = (namespace: string | undefined): boolean =>
      isAll || namespace === undefined || namespace === metadata.namespace;
    const before = this.#answers(guarantees);
    return this.#tried(change, (verifier) => {
      const verdicts = verifier.verdicts(guarantees);
      const broken = verdicts.filter(({ answer }, index) => answer === 'broken' && before[index] !== 'broken');
      const isHeld = (verdict: Verdict) => before[verdicts.indexOf(verdict)] === 'holds';
      const refused = this.#options.refuses ? broken.filter(isHeld) : [];
      return {
        warnings: broken.filter((it) => !refused.includes(it)).map((it) => warningAbout(it, isNamed)),
        refusals: refused.map((it) => refusalFor(it, isNamed)),
      };
    });
  }

  /** Returns the answers without any change. */
  #answers(guarantees: readonly Guarantee[]): readonly Verdict['answer'][] {
    return this.#tried({}, (verifier) => verifier.verdicts(guarantees).map(({ answer }) => answer));
  }

  #tried<Result>(change: TopologyChange, ask: (verifier: Verifier) => Result): Result {
    return this.#trial.of(change, ({ effective }) => {
      this.#verifier ??= createVerifier({ ...this.#options.requests, ...inputOf(effective) });
      return ask(this.#verifier);
    });
  }
}

/** Returns what is verified: all kinds of the effective policies. */
function inputOf(views: readonly View[]) {
  const [first] = views;
  if (first === undefined) throw new Error('there are effective policies');
  return { topology: first.topology, kinds: views.map((view) => verifiedKind(view)) };
}

type IsNamed = (namespace: string | undefined) => boolean;

function warningAbout(verdict: Verdict, isNamed: IsNamed): string {
  const example = exampleFor(verdict, isNamed);
  const isOwn = example !== undefined && isNamed(example.contender.route.ref.namespace);
  const request = isOwn ? formatRequest(example) : 'a request to a route in another namespace';
  const shown =
    example === undefined ? shownBy(verdict, isNamed) : `${request} meets ${formatMet(verdict, example, { isNamed })}`;
  return `Breaks the guarantee ${verdict.guarantee.name}: ${shown}.`; // Without the rule, since warnings are short.
}

function refusalFor(verdict: Verdict, isNamed: IsNamed): Refusal {
  const { name, description } = verdict.guarantee;
  const meant = description === undefined ? '' : ` (${description})`;
  const advice = 'Change it so that the guarantee still holds, or ask its owner for an exception.';
  const message = `This change would break the guarantee ${name}${meant}: ${shownBy(verdict, isNamed)}. ${advice}`;
  return { reason: brokenGuarantee, message };
}

/** Returns the request that breaks a guarantee: one to a route that is named, if there is one. */
function exampleFor({ counterexamples }: Verdict, isNamed: IsNamed): Counterexample | undefined {
  return counterexamples.find(({ contender }) => isNamed(contender.route.ref.namespace)) ?? counterexamples[0];
}

/** Says which request or policy breaks a guarantee. */
function shownBy(verdict: Verdict, isNamed: IsNamed): string {
  const { policies } = verdict;
  const example = exampleFor(verdict, isNamed);
  if (example !== undefined) return formatCounterexample(verdict, example, { isNamed });
  const named = policies.find(({ namespace }) => isNamed(namespace));
  return named === undefined
    ? `a ${policies[0]?.kind ?? 'policy'} in another namespace does not keep it`
    : `${named.policy} does not keep it`;
}
