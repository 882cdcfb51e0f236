import { contributors } from '@policy-machinery/merge';
import type { Policy } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import type { ContextLayer, TracedSpec } from '../fold/context-layer.ts';
import { isOwnLayer } from '../fold/context-layer.ts';
import { isEqualList, isSameSet } from '../support/same.ts';
import { settersOf } from './fields.ts';
import { type FieldLoss, isConflict, type LayerLoss, type Loss, summarize } from './losses.ts';

/**
 * What became of a policy in one scope (S-06):
 * - `enforced`: all fields that it sets there are its own.
 * - `partly-enforced`: some of it is lost, or something of it could not be done.
 * - `overridden`: all of it is lost.
 * - `conflicted`: all of it is lost, since it may not stand beside another policy (C-06).
 */
export type ScopeOutcome = 'enforced' | 'partly-enforced' | 'overridden' | 'conflicted';

/** What became of one policy in one scope. */
export interface PolicyShare<Spec> {
  readonly policy: Policy<Spec>;
  readonly outcome: ScopeOutcome;
  /** Whether it set or removed anything in the effective policy. */
  readonly contributes: boolean;
  /** Whether it did so together with other policies: it is in force, merged with these. */
  readonly isMerged: boolean;
  /** What it lost, to whom and by which rule. */
  readonly losses: readonly Loss<Spec>[];
  /** What of it could not be done as it says: a condition or a strategy that failed, an operation that cannot be applied. */
  readonly issues: readonly Issue[];
}

const nothing: readonly never[] = [];

/** A policy that its level did not admit: the same becomes of it in all contexts in which it is met at this level alone. */
export interface RejectedPolicy<Spec> {
  readonly share: PolicyShare<Spec>;
  readonly losses: readonly LayerLoss<Spec>[];
}

/** Returns what becomes of a policy that its level did not admit. */
export function rejectedPolicy<Spec>(policy: Policy<Spec>, losses: readonly LayerLoss<Spec>[]): RejectedPolicy<Spec> {
  const outcome = outcomeOf(false, losses, () => true, false);
  const share = { policy, outcome, contributes: false, isMerged: false, losses: inShort(losses), issues: nothing };
  return { share, losses };
}

/** What the merges of one scope came to. */
export interface MergedScope<Spec> {
  readonly layers: readonly ContextLayer<Spec>[];
  readonly spec: TracedSpec<Spec>;
  readonly issues: readonly Issue[];
  /** What was lost in them. */
  readonly losses: readonly LayerLoss<Spec>[];
}

/**
 * Returns what became of each policy whose layers were merged, or rejected, in one scope.
 *
 * @param rejected The policies that were rejected. One of them may have been merged all the same, on another level.
 */
export function sharesOf<Spec>(
  { layers, spec, issues, losses }: MergedScope<Spec>,
  rejected: readonly RejectedPolicy<Spec>[],
): readonly PolicyShare<Spec>[] {
  const setters = new Set(contributors(spec.origins).map(({ policy }) => policy));
  const own = new Set(layers.filter(isOwnLayer).map(({ policy }) => policy)); // Usually none: what the target says itself.
  const others = own.size === 0 ? setters.size : [...setters].filter((policy) => !own.has(policy)).length;
  const isMissing = (field: FieldLoss<Spec>): boolean => !isKept(field, () => settersOf(spec, field.pointer));
  const shares: PolicyShare<Spec>[] = [];
  for (const [policy, lost] of lostByPolicy(layers, rejected, losses)) {
    if ('share' in lost) {
      shares.push(lost.share);
      continue;
    }
    const contributes = setters.has(policy);
    const faults = issues.length === 0 ? nothing : issues.filter(({ resource }) => resource === policy.locator);
    shares.push({
      policy,
      outcome: outcomeOf(contributes, lost, isMissing, faults.length > 0),
      contributes,
      isMerged: contributes && others > 1,
      losses: inShort(lost),
      issues: faults,
    });
  }
  return shares;
}

/** What each policy lost: first those that were merged. One that was only rejected is as it was there. */
function lostByPolicy<Spec>(
  layers: readonly ContextLayer<Spec>[],
  rejected: readonly RejectedPolicy<Spec>[],
  losses: readonly LayerLoss<Spec>[],
): ReadonlyMap<Policy<Spec>, readonly LayerLoss<Spec>[] | RejectedPolicy<Spec>> {
  const lostBy = new Map<Policy<Spec>, readonly LayerLoss<Spec>[] | RejectedPolicy<Spec>>();
  for (const { policy } of layers) lostBy.set(policy, nothing);
  const add = (policy: Policy<Spec>, more: readonly LayerLoss<Spec>[]): void => {
    const there = lostBy.get(policy) ?? nothing;
    const before = 'share' in there ? there.losses : there;
    lostBy.set(policy, before.length === 0 ? more : before.concat(more));
  };
  for (const rejection of rejected) {
    const { policy } = rejection.share;
    if (lostBy.has(policy)) add(policy, rejection.losses);
    else lostBy.set(policy, rejection);
  }
  for (const loss of losses) {
    const [field] = loss.fields;
    if (field !== undefined) add(field.layer.policy, [loss]);
  }
  return lostBy;
}

/** Usually a policy has lost something in one merge, or in none. */
function inShort<Spec>(lost: readonly LayerLoss<Spec>[]): readonly Loss<Spec>[] {
  const [first] = lost;
  if (first === undefined) return nothing;
  return lost.length === 1 ? summarize(first) : lost.flatMap(summarize);
}

/** Returns the locators of the policies that set or removed anything. */
export function settersAmong(shares: readonly PolicyShare<unknown>[]): ReadonlySet<string> {
  return new Set(shares.flatMap(({ policy, contributes }) => (contributes ? [policy.locator] : [])));
}

/** What became of the policies in one scope, and the locators of those that set or removed anything. */
export interface SharesAndSetters<Spec> {
  readonly shares: readonly PolicyShare<Spec>[];
  readonly setters: ReadonlySet<string>;
}

/**
 * Whether policies of the same names set or removed something, and each is as established as before. Usually the lists have the same
 * policies in the same order.
 *
 * @param compare The order of policies, established first.
 */
export function isSetBySame<Spec>(
  before: SharesAndSetters<Spec>,
  now: SharesAndSetters<Spec>,
  compare: (a: Policy<Spec>, b: Policy<Spec>) => number,
): boolean {
  const isAsEstablished = (a: Policy<Spec>, b: Policy<Spec>): boolean => a === b || compare(a, b) === 0;
  const isLike = (a: PolicyShare<Spec>, b: PolicyShare<Spec>): boolean =>
    a.contributes === b.contributes &&
    a.policy.locator === b.policy.locator &&
    (!a.contributes || isAsEstablished(a.policy, b.policy));
  if (isEqualList(before.shares, now.shares, isLike)) return true;
  if (!isSameSet(before.setters, now.setters)) return false;
  const was = new Map(before.shares.map(({ policy }) => [policy.locator, policy]));
  return now.shares.every(({ policy, contributes }) => {
    return !contributes || isAsEstablished(was.get(policy.locator) ?? policy, policy);
  });
}

function outcomeOf<Spec>(
  contributes: boolean,
  lost: readonly LayerLoss<Spec>[],
  isMissing: (field: FieldLoss<Spec>) => boolean,
  hasFaults: boolean,
): ScopeOutcome {
  if (!lost.some(({ fields }) => fields.some(isMissing))) return hasFaults ? 'partly-enforced' : 'enforced';
  if (contributes) return 'partly-enforced';
  const isOnlyConflict = lost.every(({ fields }) => fields.every((field) => isConflict(field) || !isMissing(field)));
  return isOnlyConflict ? 'conflicted' : 'overridden';
}

/** Whether a policy still sets a field of one of its stanzas, since only another stanza of its own has prevailed there. */
export function isKept<Spec>(
  { layer, winners, rule }: FieldLoss<Spec>,
  setters: () => readonly ContextLayer<Spec>[],
): boolean {
  const isItself = ({ policy }: ContextLayer<Spec>): boolean => policy === layer.policy;
  return rule !== 'condition-not-met' && winners.length > 0 && winners.every(isItself) && setters().some(isItself);
}
