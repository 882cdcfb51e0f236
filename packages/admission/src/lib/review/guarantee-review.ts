import type { EffectivePolicies, Trial } from '@policy-machinery/effective-policy';
import {
  addedVerdicts,
  type ContestOptions,
  type Counterexample,
  createVerifier,
  type FormatOptions,
  formatCounterexample,
  formatHidden,
  formatRequest,
  type Guarantee,
  type Verdict,
  type Verifier,
  verifiedKind,
} from '@policy-machinery/guarantees';
import { formatMet } from '@policy-machinery/guarantees/inner';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { TopologyChange } from '@policy-machinery/topology';
import type { FurtherReview, Refusal } from '../answer/admission-review.ts';

export interface GuaranteeReviewOptions {
  readonly guarantees: () => readonly Guarantee[];
  readonly requests: ContestOptions;
  /** The answers about added requests that lead to a refusal: `broken`, also `undecided`, or none. */
  readonly refused: ReadonlySet<Verdict['answer']>;
  /** Whether routes and policies of other namespaces are named. */
  readonly names: 'own-namespace' | 'all';
}

/** The reason of refusals for guarantees, for programs. */
export const brokenGuarantee = 'BrokenGuarantee';

const nothing: FurtherReview = { warnings: [], refusals: [] };

/** Finds the guarantees that changes break, by a trial. */
export class GuaranteeReview {
  readonly #trial: Trial<readonly EffectivePolicies<unknown>[]>;
  readonly #options: GuaranteeReviewOptions;
  #verifier: Verifier | undefined;

  constructor(trial: Trial<readonly EffectivePolicies<unknown>[]>, options: GuaranteeReviewOptions) {
    this.#trial = trial;
    this.#options = options;
  }

  /** Verifies the guarantees in the current state, so that the cost of a review depends on its change alone. */
  warmUp(): void {
    this.#verdicts({}, this.#options.guarantees());
  }

  /**
   * Reports the guarantees that a change breaks, or hides, for requests that they hold for without it, with a request that shows it. Objects that
   * break a guarantee already can be edited, as long as no further request breaks it.
   *
   * @param object The object that is applied or deleted. Routes and policies of other namespaces are not named.
   */
  review({ metadata }: KubernetesObject, change: TopologyChange): FurtherReview {
    const guarantees = this.#options.guarantees();
    if (guarantees.length === 0) return nothing;
    const isNamed = (namespace: string | undefined): boolean =>
      namespace === undefined || namespace === metadata.namespace;
    const named = this.#options.names === 'all' ? {} : { isNamed };
    const currentVerdicts = this.#verdicts({}, guarantees);
    const added = addedVerdicts(currentVerdicts, this.#verdicts(change, guarantees)).filter(
      ({ answer }) => answer !== 'holds',
    );
    const refused = added.filter(({ answer }) => this.#options.refused.has(answer));
    return {
      warnings: added.filter((it) => !refused.includes(it)).map((it) => warningAbout(it, named)),
      refusals: refused.map((it) => refusalFor(it, named)),
    };
  }

  #verdicts(change: TopologyChange, guarantees: readonly Guarantee[]): readonly Verdict[] {
    return this.#trial.of(change, ({ effective }) => {
      this.#verifier ??= createVerifier({ ...this.#options.requests, ...inputOf(effective) });
      return this.#verifier.verdicts(guarantees);
    });
  }
}

/** Returns the input of the verification: all kinds of the effective policies. */
function inputOf(views: readonly EffectivePolicies<unknown>[]) {
  const [first] = views;
  if (first === undefined) throw new Error('there are effective policies');
  return { topology: first.topology, kinds: views.map((view) => verifiedKind(view)) };
}

function warningAbout(verdict: Verdict, named: FormatOptions): string {
  const { name } = verdict.guarantee;
  if (verdict.answer === 'undecided') return `Hides whether the guarantee ${name} holds: ${shownBy(verdict, named)}.`;
  const example = exampleFor(verdict, named);
  if (example === undefined) return `Breaks the guarantee ${name}: ${shownBy(verdict, named)}.`;
  const isOwn = isNamedIn(named, example.contender.route.ref.namespace);
  const request = isOwn ? formatRequest(example) : 'a request to a route in another namespace';
  return `Breaks the guarantee ${name}: ${request} meets ${formatMet(verdict, example, named)}.`; // Without the rule, because warnings are short.
}

const breaking = {
  effect: 'break',
  advice: 'Change it so that the guarantee still holds, or ask its owner for an exception.',
} as const;

const hiding = {
  effect: 'hide whether requests keep',
  advice:
    'Change it so that this is known, such as with a path prefix, or ask the owner of the guarantee for an exception.',
} as const;

function refusalFor(verdict: Verdict, named: FormatOptions): Refusal {
  const { name, description } = verdict.guarantee;
  const explanation = description === undefined ? '' : ` (${description})`;
  const { effect, advice } = verdict.answer === 'broken' ? breaking : hiding;
  const message = `This change would ${effect} the guarantee ${name}${explanation}: ${shownBy(verdict, named)}. ${advice}`;
  return { reason: brokenGuarantee, message };
}

function isNamedIn({ isNamed = () => true }: FormatOptions, namespace: string | undefined): boolean {
  return isNamed(namespace);
}

/** Returns the request that breaks a guarantee: one to a route that is named, if there is one. */
function exampleFor({ counterexamples }: Verdict, named: FormatOptions): Counterexample | undefined {
  return counterexamples.find(({ contender }) => isNamedIn(named, contender.route.ref.namespace)) ?? counterexamples[0];
}

/** Names the request or policy that breaks a guarantee, or the doubts about whether one does. */
function shownBy(verdict: Verdict, named: FormatOptions): string {
  if (verdict.answer === 'undecided') {
    const [hidden = 'the policies of requests to routes in other namespaces are not known'] = formatHidden(
      verdict,
      named,
    );
    return hidden;
  }
  const { policies } = verdict;
  const example = exampleFor(verdict, named);
  if (example !== undefined) return formatCounterexample(verdict, example, named);
  const namedPolicy = policies.find(({ namespace }) => isNamedIn(named, namespace));
  return namedPolicy === undefined
    ? `a ${policies[0]?.kind ?? 'policy'} in another namespace does not keep it`
    : `${namedPolicy.policy} does not keep it`;
}
