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

/** The outcomes that a controller's verdict can give a policy. */
export type VerdictOutcome = (typeof outcomes)[number];

/** A controller's verdict on a policy that it cannot put in force. The policy is barred where the verdict is about it. */
export interface Verdict {
  /** The outcome for the policy's status. Default `invalid`. */
  readonly outcome?: VerdictOutcome;
  /** The reason of the condition: `NoSecret`. Default: the reason of the vocabulary. */
  readonly reason?: string;
  /** The problem and its remedy: `the Secret shop/key does not exist`. */
  readonly message: string;
  /**
   * The targets that the verdict is about, such as Gateways or their listeners, as references or locators: the policy is barred from
   * contexts through one of these. Default: the verdict is about the policy wherever it is attached.
   */
  readonly ancestors?: readonly (TargetNode | ResourceRef | string)[];
}

/** A checked verdict. */
export interface PolicyVerdict {
  readonly outcome: VerdictOutcome;
  readonly reason: string | undefined;
  readonly message: string;
  /** The locators of the targets that the verdict is about; `undefined` for all. */
  readonly ancestors: readonly string[] | undefined;
}

/** Returns the controller's verdicts on a valid policy. */
export type JudgePolicy<Spec> = (policy: Policy<Spec>) => Verdict | readonly Verdict[] | undefined;

/** The verdicts on a policy, and the issues of finding them. */
export interface Judgement {
  readonly verdicts: readonly PolicyVerdict[];
  readonly issues: readonly Issue[];
}

const acquittal: Judgement = { verdicts: [], issues: [] };

/** The code of the issue if the controller's function has failed for a policy. */
export const verdictFailed = 'verdict-failed';

/** The verdicts of a controller. Its function is called once for each version of a policy, however many views read the policy. */
export class Verdicts {
  readonly #judge: JudgePolicy<unknown> | undefined;
  readonly #known = new WeakMap<KubernetesObject, Judgement>();

  constructor(judge: JudgePolicy<unknown> | undefined) {
    this.#judge = judge;
  }

  /** Returns the verdicts on a policy. If the function throws for a policy, the policy is not in force. */
  of(policy: Policy<unknown>): Judgement {
    if (this.#judge === undefined) return acquittal;
    const knownVerdict = this.#known.get(policy.resource);
    if (knownVerdict !== undefined) return knownVerdict;
    const judgement = judgementOn(policy, this.#judge);
    this.#known.set(policy.resource, judgement);
    return judgement;
  }

  /** Forgets the verdicts on a policy, so that the function is called again. */
  forget(resource: KubernetesObject): void {
    this.#known.delete(resource);
  }
}

function judgementOn(policy: Policy<unknown>, judge: JudgePolicy<unknown>): Judgement {
  try {
    const answer = judge(policy) ?? [];
    const verdicts = (Array.isArray(answer) ? (answer as readonly Verdict[]) : [answer as Verdict]).map(checked);
    return verdicts.length === 0 ? acquittal : { verdicts, issues: [] };
  } catch (error) {
    const message = `the verdict of the controller failed: ${messageOf(error)}; ask again with reconsider`;
    const issue = { code: verdictFailed, severity: 'error', message, resource: policy.locator } as const;
    return {
      verdicts: [{ outcome: 'invalid', reason: undefined, message: `${message}.`, ancestors: undefined }],
      issues: [issue],
    };
  }
}

/** @throws If the verdict is malformed. */
function checked({ outcome = 'invalid', reason, message, ancestors }: Verdict): PolicyVerdict {
  if (!outcomes.includes(outcome)) throw new TypeError(`"${outcome}" is not an outcome of a verdict`);
  for (const text of [message, reason ?? ''])
    if (typeof text !== 'string') throw new TypeError('the message is missing');
  return { outcome, reason, message, ancestors: ancestors?.map(locatorIn) };
}

function locatorIn(ancestor: TargetNode | ResourceRef | string): string {
  const locator =
    typeof ancestor === 'string' ? ancestor : 'locator' in ancestor ? ancestor.locator : formatLocator(ancestor);
  parseLocator(locator); // A malformed locator must not pass for one of a missing target.
  return locator;
}

/** Returns whether a policy is barred wherever it is attached. */
export function holdsNothing({ verdicts }: Pick<Judgement, 'verdicts'>): boolean {
  return verdicts.some(({ ancestors }) => ancestors === undefined);
}

/** Returns the locators of the targets that bar a policy, if it is not barred everywhere. */
export function barringAncestors(judgement: Pick<Judgement, 'verdicts'>): readonly string[] {
  const { verdicts } = judgement;
  return verdicts.length === 0 || holdsNothing(judgement) ? [] : verdicts.flatMap(({ ancestors = [] }) => ancestors);
}
