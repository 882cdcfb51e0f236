import type { StaleRows } from '@policy-machinery/effective-policy/inner';
import { createFollower, type Follower } from '@policy-machinery/effective-policy/inner';
import { requestPathsOf } from '@policy-machinery/gateway-api/inner';
import { formatLocator } from '@policy-machinery/resource';
import { type TargetNode, type Topology, targetsAboveChanged } from '@policy-machinery/topology';
import { targetsAbove } from '@policy-machinery/topology/inner';
import { type CompiledGuarantee, compileGuarantees } from '../model/compile.ts';
import type { Guarantee } from '../model/guarantee.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import type { ContestOptions } from '../requests/contest.ts';
import { clientsIn, entriesAt, isEntryNode, servedBy } from '../requests/entries.ts';
import type { ConcernsAt } from '../verify/concerns.ts';
import { Judge, type PathsOf } from '../verify/judge.ts';
import { NotKnown, withEarlier } from '../verify/not-known.ts';
import type { Verdict } from '../verify/verdict.ts';
import { type PolicyResults, policiesVerdict } from '../verify/verify-policies.ts';
import { requestsVerdict } from '../verify/verify-requests.ts';
import { Base, type VerifiedState } from './base.ts';
import { Comparisons } from './comparisons.ts';
import type { Effect } from './effects.ts';
import { JudgedNode, type JudgeOf } from './judged-node.ts';
import type { Summary } from './summary.ts';

/** The input of the verification. */
export interface VerifyInput extends VerifiedState {
  /** The state before a change, which expressions read as `before`. Default: there is none, and such expressions are invalid. */
  readonly before?: VerifiedState | undefined;
}

/** A verdict, and the summaries that it was made from. */
interface KnownVerdict {
  readonly verdict: Verdict;
  readonly from: readonly Summary[];
  readonly undecidedAt: readonly string[];
}

/** Keeps verdicts up to date with a topology. Made with {@link createVerifier}. */
export class Verifier {
  readonly #topology: Topology;
  readonly #kinds: readonly VerifiedKind[];
  readonly #concerns: ConcernsAt | undefined;
  readonly #base: Base | undefined;
  readonly #options: ContestOptions;
  readonly #follower: Follower;
  readonly #notKnown: NotKnown;
  /** By locator of the Gateway or Service, in order. */
  #places = new Map<string, JudgedNode>();
  #compiled: readonly CompiledGuarantee[] = [];
  readonly #verdicts = new Map<CompiledGuarantee, KnownVerdict>();
  /** For guarantees that compare requests. */
  readonly #comparisons = new Comparisons();
  /** For guarantees about policies. */
  readonly #results = new Map<CompiledGuarantee, PolicyResults>();

  private constructor({ topology, kinds, concerns, before, ...options }: VerifyInput, follower: Follower) {
    this.#concerns = concerns;
    this.#base = before && new Base(before);
    this.#topology = topology;
    this.#kinds = kinds;
    this.#options = options;
    this.#follower = follower;
    this.#notKnown = new NotKnown(topology, kinds);
  }

  /** @internal Use {@link createVerifier}, or {@link verify} for one answer, which follows no changes. */
  static make(input: VerifyInput, follows: boolean): Verifier {
    const views = follows ? input.kinds.flatMap(({ changes }) => (changes === undefined ? [] : { changes })) : [];
    return new Verifier(input, createFollower(input.topology, views));
  }

  /**
   * Returns whether guarantees hold now.
   *
   * @param guarantees The guarantees. Pass the same objects again, so that facts about them counts.
   * @returns The verdicts, in the order of the guarantees: the same object as before if nothing has changed for a guarantee about requests.
   * O(matches) for the Gateways with changed routes or listeners. For other changes of policies, O(matches with requests that may meet other
   * policies), with a cheap look at the others.
   * @throws {PolicyMachineryError} `invalid-guarantee`, like {@link verify}.
   */
  verdicts(guarantees: readonly Guarantee[]): readonly Verdict[] {
    this.#compile(guarantees);
    const pathsOf = requestPathsOf(this.#topology);
    const judges = new Map<CompiledGuarantee, Judge>();
    const judgeOf: JudgeOf = (compiled) => {
      const judge = judges.get(compiled) ?? new Judge(pathsOf, compiled, this.#kinds, this.#notKnown, this.#concerns);
      judges.set(compiled, judge);
      return judge;
    };
    this.#follow(judgeOf, pathsOf);
    return this.#compiled.map((compiled) =>
      compiled.guarantee.about === 'policies'
        ? this.#aboutPolicies(compiled, pathsOf)
        : this.#aboutRequests(compiled, judgeOf),
    );
  }

  #compile(guarantees: readonly Guarantee[]): void {
    const known = new Map(this.#compiled.map((compiled) => [compiled.guarantee, compiled]));
    if (guarantees.length === this.#compiled.length && guarantees.every((it) => known.has(it))) {
      this.#compiled = guarantees.flatMap((it) => known.get(it) ?? []);
      return;
    }
    this.#compiled = compileGuarantees(guarantees, {
      kinds: this.#kinds,
      concerns: this.#concerns,
      before: this.#base,
    }).map((it) => known.get(it.guarantee) ?? it);
    const kept = new Set(this.#compiled);
    this.#comparisons.keep(kept);
    for (const place of this.#places.values()) place.keep(kept);
    for (const known of [this.#verdicts, this.#results]) {
      for (const each of known.keys()) if (!kept.has(each)) known.delete(each);
    }
  }

  #follow(judgeOf: JudgeOf, pathsOf: PathsOf): void {
    const { effective, stale } = this.#follower.take();
    const rerouted = stale === undefined ? this.#entryNodes() : this.#reroutedBy(stale);
    if (rerouted.size > 0) this.#renewPlaces(rerouted);
    const targets = effective.flatMap((delta) => delta.targets).flatMap((locator) => this.#topology.get(locator) ?? []);
    if (targets.length === 0) return;
    const touched = { objects: new Set(targets.map(({ object }) => object)), above: targetsAbove(targets) };
    for (const [locator, place] of this.#places) {
      const node = this.#topology.get(locator);
      if (node === undefined || !touched.above.has(node)) continue;
      place.renew(touched, judgeOf, pathsOf, this.#kinds);
    }
  }

  #entryNodes(): ReadonlySet<string> {
    return new Set([...this.#topology.targets].filter(isEntryNode).map(({ locator }) => locator));
  }

  /** Returns the locators of the Gateways and Services where other rules may take requests: those above targets that changes have touched. */
  #reroutedBy({ rewritten }: StaleRows): ReadonlySet<string> {
    const rerouted = new Set<string>();
    for (const target of new Set<TargetNode>([...rewritten, ...targetsAboveChanged(this.#topology, rewritten)])) {
      const service = servedBy(target);
      if (service !== undefined) rerouted.add(formatLocator(service));
      if (isEntryNode(target)) rerouted.add(target.locator);
    }
    return rerouted;
  }

  /** Forgets facts about some Gateways and Services, and begins with their present matches. */
  #renewPlaces(locators: Iterable<string>): void {
    const clientsOf = clientsIn(this.#topology);
    for (const locator of locators) {
      const node = this.#topology.get(locator);
      const entries = node === undefined ? [] : entriesAt(this.#topology, node, clientsOf);
      if (node === undefined || entries.length === 0) this.#places.delete(locator);
      else this.#places.set(locator, new JudgedNode(node, entries, this.#options));
    }
    this.#places = new Map([...this.#places].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #aboutRequests(compiled: CompiledGuarantee, judgeOf: JudgeOf): Verdict {
    const places = [...this.#places.values()];
    const from = compiled.isCompared
      ? this.#comparisons.summaries(compiled, places, judgeOf, this.#base)
      : places.map((place) => place.findings(compiled, judgeOf).summary);
    const known = this.#verdicts.get(compiled);
    const classes = from.reduce((sum, summary) => sum + summary.classes, 0);
    const earlier = compiled.readsBefore ? this.#base?.notKnown : undefined;
    const notKnown = withEarlier(this.#notKnown.about(compiled, classes), earlier?.about(compiled));
    const undecidedAt = [...this.#notKnown.undecidedAt(compiled), ...(earlier?.undecidedAt(compiled) ?? [])];
    const isSame =
      known !== undefined &&
      isSameList(known.from, from) &&
      isSameList(known.verdict.notKnown, notKnown) &&
      isSameList(known.undecidedAt, undecidedAt);
    if (isSame) return known.verdict;
    const verdict = requestsVerdict(compiled, from, notKnown, undecidedAt);
    this.#verdicts.set(compiled, { verdict, from, undecidedAt });
    return verdict;
  }

  #aboutPolicies(compiled: CompiledGuarantee, pathsOf: PathsOf): Verdict {
    const effects = new Map<string, Effect>();
    for (const place of this.#places.values()) place.effects(pathsOf, this.#kinds).addTo(effects);
    const results = this.#results.get(compiled) ?? new Map();
    this.#results.set(compiled, results);
    return policiesVerdict(compiled, this.#kinds, effects, results, this.#notKnown.about(compiled));
  }
}

function isSameList(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((it, index) => it === others[index]);
}

/**
 * Creates a verifier, for guarantees that are asked about again and again while a topology changes: in a controller, or in a trial. The cost of each
 * answer depends on the changes after the one before.
 *
 * @param input The topology and the effective policies. A verifier reads their changes for as long as they live.
 * @returns The verifier.
 * @example
 * ```ts
 * const verifier = createVerifier({ topology, kinds: [verifiedKind(effective)] });
 * topology.apply(change);
 * verifier.verdicts(guarantees);
 * ```
 */
export function createVerifier(input: VerifyInput): Verifier {
  return Verifier.make(input, true);
}
