import type { Policy } from '@policy-machinery/policy-kind';
import {
  formatLocator,
  type Issue,
  type KubernetesObject,
  messageOf,
  parseLocator,
  type ResourceRef,
} from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';

const outcomes = [
  'invalid',
  'reference-not-permitted',
  'target-not-found',
  'section-not-found',
  'conflicted',
  'overridden',
  'not-in-any-path',
  'pending',
] as const;

/** What a controller may say of a policy that is not in force. */
export type VerdictOutcome = (typeof outcomes)[number];

/** What a controller finds of a policy that it cannot put in force: the policy holds nothing where the verdict is about it. */
export interface Verdict {
  /** What the policy's status is to say. Default `invalid`. */
  readonly outcome?: VerdictOutcome;
  /** The reason of the condition that says so: `NoSecret`. Default: that of the vocabulary. */
  readonly reason?: string;
  /** What is wrong, and what to do: `the Secret shop/key does not exist`. */
  readonly message: string;
  /**
   * The targets that it is about, such as Gateways or their listeners, as references or locators: the policy holds nothing in contexts
   * that pass through one of them. Default: it is about the policy wherever it is attached.
   */
  readonly ancestors?: readonly (TargetNode | ResourceRef | string)[];
}

/** A verdict as it is kept with its policy. */
export interface PolicyVerdict {
  readonly outcome: VerdictOutcome;
  readonly reason: string | undefined;
  readonly message: string;
  /** Locators of the targets that it is about; `undefined` for the policy wherever it is attached. */
  readonly ancestors: readonly string[] | undefined;
}

/** Judges a policy that has been read and found valid. */
export type JudgePolicy<Spec> = (policy: Policy<Spec>) => Verdict | readonly Verdict[] | undefined;

/** What is said of a policy, and what has gone wrong in finding it. */
export interface Judgement {
  readonly verdicts: readonly PolicyVerdict[];
  readonly issues: readonly Issue[];
}

const acquittal: Judgement = { verdicts: [], issues: [] };

/** The code of the issue of a policy for which the controller's function has failed. */
export const verdictFailed = 'verdict-failed';

/** The verdicts of a controller. It is asked once for each version of a policy, by whichever view reads it first. */
export class Verdicts {
  readonly #judge: JudgePolicy<unknown> | undefined;
  readonly #known = new WeakMap<KubernetesObject, Judgement>();

  constructor(judge: JudgePolicy<unknown> | undefined) {
    this.#judge = judge;
  }

  /** What is said of a policy. A policy for which the function throws is not put in force. */
  of(policy: Policy<unknown>): Judgement {
    if (this.#judge === undefined) return acquittal;
    const known = this.#known.get(policy.resource);
    if (known !== undefined) return known;
    const judgement = judgementOn(policy, this.#judge);
    this.#known.set(policy.resource, judgement);
    return judgement;
  }

  /** Forgets what was said of a policy, so that the function is asked again. */
  forget(resource: KubernetesObject): void {
    this.#known.delete(resource);
  }
}

function judgementOn(policy: Policy<unknown>, judge: JudgePolicy<unknown>): Judgement {
  try {
    const said = judge(policy) ?? [];
    const verdicts = (Array.isArray(said) ? (said as readonly Verdict[]) : [said as Verdict]).map(checked);
    return verdicts.length === 0 ? acquittal : { verdicts, issues: [] };
  } catch (error) {
    const message = `the controller could not judge it: ${messageOf(error)}; ask again with reconsider`;
    const issue = { code: verdictFailed, severity: 'error', message, resource: policy.locator } as const;
    return {
      verdicts: [{ outcome: 'invalid', reason: undefined, message: `${message}.`, ancestors: undefined }],
      issues: [issue],
    };
  }
}

/** @throws What is wrong with the verdict. */
function checked({ outcome = 'invalid', reason, message, ancestors }: Verdict): PolicyVerdict {
  if (!outcomes.includes(outcome)) throw new TypeError(`"${outcome}" is no outcome of a verdict`);
  for (const text of [message, reason ?? '']) if (typeof text !== 'string') throw new TypeError('it has no message');
  return { outcome, reason, message, ancestors: ancestors?.map(locatorIn) };
}

function locatorIn(ancestor: TargetNode | ResourceRef | string): string {
  const locator =
    typeof ancestor === 'string' ? ancestor : 'locator' in ancestor ? ancestor.locator : formatLocator(ancestor);
  parseLocator(locator); // A slip must not pass for a target that is not there.
  return locator;
}

/** Whether a policy holds nothing, wherever it is attached. */
export function holdsNothing({ verdicts }: Pick<Judgement, 'verdicts'>): boolean {
  return verdicts.some(({ ancestors }) => ancestors === undefined);
}

/** The locators of the targets by which a policy holds nothing, where it holds something elsewhere. */
export function barringAncestors(judgement: Pick<Judgement, 'verdicts'>): readonly string[] {
  const { verdicts } = judgement;
  return verdicts.length === 0 || holdsNothing(judgement) ? [] : verdicts.flatMap(({ ancestors = [] }) => ancestors);
}
