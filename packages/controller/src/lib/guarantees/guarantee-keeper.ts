// guarantees/: conditions on every request. Takes the cluster's Guarantees and the options', verifies them after each change at the cost
// of the change's effects, and updates conditions, metrics and the user.

import type { Clock, ObjectWrite, SourceChanges, Sources, WriteQueue } from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { Guarantee, Verdict, VerifiedKind, Verifier } from '@policy-machinery/guarantees';
import { guaranteeKind } from '@policy-machinery/guarantees/definition';
import { groupKindKey, type Issue, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import type { OpenQueue } from '../open-queue.ts';
import type { GuaranteeLibrary } from './guarantee-library.ts';
import type { GuaranteeChange, GuaranteeOptions } from './guarantee-options.ts';
import { conditionOf, conditionOfFaulty, statusWriteFor } from './guarantee-status.ts';

export interface GuaranteeKeeperContext {
  readonly library: GuaranteeLibrary;
  readonly topology: Topology;
  readonly views: readonly EffectivePolicies<unknown>[];
  readonly options: GuaranteeOptions;
  readonly onGuarantee: ((change: GuaranteeChange) => void) | undefined;
  readonly sources: Pick<Sources, 'get'>;
  readonly openQueue: OpenQueue<ObjectWrite>;
  readonly clock: Pick<Clock, 'now'>;
  /** Takes the errors of `onGuarantee`. */
  readonly onFailure: (error: unknown) => void;
}

/** A guarantee of the cluster, or its fault. */
interface Watched {
  readonly guarantee: Guarantee | undefined;
  readonly issues: readonly Issue[];
}

/** Keeps the answers about guarantees up to date, and tells which ones have changed. */
export class GuaranteeKeeper {
  readonly #context: GuaranteeKeeperContext;
  readonly #kinds: readonly VerifiedKind[];
  readonly #verifier: Verifier;
  readonly #queue: WriteQueue<ObjectWrite>;
  /** By locator. */
  readonly #watched = new Map<string, Watched>();
  #verdicts: readonly Verdict[] = [];
  #told = new Map<string, Verdict['answer']>();

  constructor(context: GuaranteeKeeperContext) {
    this.#context = context;
    const { library, topology, views, options } = context;
    this.#kinds = views.map((view) => library.verifiedKind(view));
    this.#verifier = library.createVerifier({ ...options, topology, kinds: this.#kinds });
    this.#queue = context.openQueue(() => {}); // Each update plans all conditions.
  }

  /** The guarantees that can be verified: the options', then the cluster's with other names. */
  get guarantees(): readonly Guarantee[] {
    const { own: declared = [] } = this.#context.options;
    const names = new Set(declared.map(({ name }) => name));
    const watched = [...this.#watched.values()].flatMap(({ guarantee }) => guarantee ?? []);
    return [...declared, ...watched.filter(({ name }) => !names.has(name))];
  }

  /** Takes the Guarantees of the cluster that have come, changed or gone. O(changes). */
  take({ upsert, remove }: Pick<SourceChanges, 'upsert' | 'remove'>): void {
    const { isGuarantee } = this.#context.library;
    const kind = groupKindKey(guaranteeKind);
    for (const locator of remove) if (locator.startsWith(`${kind}:`)) this.#watched.delete(locator);
    for (const object of upsert) if (isGuarantee(object)) this.#read(object);
  }

  #read(object: KubernetesObject): void {
    const locator = locatorOf(object, guaranteeKind.scope);
    const { library } = this.#context;
    const { guarantee, issues } = library.readGuarantee(object);
    const watched = this.#watched.get(locator);
    if (watched?.guarantee !== undefined && isSame(watched.guarantee, guarantee)) return; // Its status has changed.
    const faults = guarantee === undefined ? issues : library.guaranteeIssues([guarantee], { kinds: this.#kinds });
    this.#watched.set(locator, { guarantee: faults.length === 0 ? guarantee : undefined, issues: faults });
  }

  /** Verifies the guarantees. Passes on changed answers, or all of them, and queues the writes of their conditions. */
  update(isEverything: boolean): void {
    if (isEverything) this.#told = new Map();
    this.#verdicts = this.#verifier.verdicts(this.guarantees);
    const oldAnswers = this.#told;
    this.#told = new Map(this.#verdicts.map(({ guarantee, answer }) => [guarantee.name, answer]));
    for (const verdict of this.#verdicts) {
      const oldAnswer = oldAnswers.get(verdict.guarantee.name);
      if (oldAnswer !== verdict.answer) this.#tell({ verdict, before: oldAnswer });
    }
    this.#plan();
  }

  /** Returns 1 for the present answer of each guarantee, and 0 for the others, by guarantee and answer. */
  *readings(): Iterable<readonly [{ readonly guarantee: string; readonly answer: string }, number]> {
    for (const { guarantee, answer } of this.#verdicts) {
      for (const each of answers) yield [{ guarantee: guarantee.name, answer: each }, each === answer ? 1 : 0];
    }
  }

  #tell(change: GuaranteeChange): void {
    try {
      this.#context.onGuarantee?.(change);
    } catch (error) {
      this.#context.onFailure(error);
    }
  }

  #plan(): void {
    const { library, sources, clock } = this.#context;
    const verdicts = new Map(this.#verdicts.map((verdict) => [verdict.guarantee, verdict]));
    for (const [locator, { guarantee, issues }] of this.#watched) {
      const object = sources.get(locator);
      const verdict = guarantee && verdicts.get(guarantee);
      if (object === undefined) continue;
      const condition =
        verdict === undefined
          ? conditionOfFaulty(issues.length > 0 ? issues : [hidden])
          : conditionOf(verdict, library);
      const write = statusWriteFor(object, condition, new Date(clock.now()));
      if (write === undefined) this.#queue.cancel(locator);
      else this.#queue.write(write);
    }
  }
}

const answers = ['holds', 'broken', 'undecided'] as const satisfies readonly Verdict['answer'][];

/** The issue of a guarantee with the name of one of the options. */
const hidden: Issue = {
  code: 'invalid-guarantee',
  severity: 'error',
  message: 'the controller declares a guarantee with this name; rename this one',
  pointer: '/metadata/name',
};

function isSame(guarantee: Guarantee, other: Guarantee | undefined): boolean {
  return JSON.stringify(guarantee) === JSON.stringify(other);
}
