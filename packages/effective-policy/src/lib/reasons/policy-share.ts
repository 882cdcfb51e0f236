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

/** What became of each policy whose layers were merged, or rejected, in one scope. */
export function sharesOf<Spec>(
  layers: readonly ContextLayer<Spec>[],
  spec: TracedSpec<Spec>,
  losses: readonly LayerLoss<Spec>[],
  issues: readonly Issue[],
): readonly PolicyShare<Spec>[] {
  const setters = new Set(contributors(spec.origins).map(({ policy }) => policy));
  const own = new Set(layers.filter(isOwnLayer).map(({ policy }) => policy)); // Usually none: what the target says itself.
  const others = own.size === 0 ? setters.size : [...setters].filter((policy) => !own.has(policy)).length;
  const lostBy = new Map<Policy<Spec>, LayerLoss<Spec>[] | undefined>();
  for (const { policy } of layers) lostBy.set(policy, undefined);
  for (const loss of losses) {
    const [field] = loss.fields;
    if (field === undefined) continue;
    const { policy } = field.layer;
    const others = lostBy.get(policy);
    if (others === undefined) lostBy.set(policy, [loss]);
    else others.push(loss);
  }
  const isMissing = (field: FieldLoss<Spec>): boolean => !isKept(field, () => settersOf(spec, field.pointer));
  const shares: PolicyShare<Spec>[] = [];
  for (const [policy, lost = nothing] of lostBy) {
    const contributes = setters.has(policy);
    const faults = issues.length === 0 ? nothing : issues.filter(({ resource }) => resource === policy.locator);
    const outcome = outcomeOf(contributes, lost, isMissing, faults.length > 0);
    shares.push({
      policy,
      outcome,
      contributes,
      isMerged: contributes && others > 1,
      losses: inShort(lost),
      issues: faults,
    });
  }
  return shares;
}

/** Usually a policy has lost something in one merge, or in none. */
function inShort<Spec>(lost: readonly LayerLoss<Spec>[]): readonly Loss<Spec>[] {
  const [first] = lost;
  if (first === undefined) return nothing;
  return lost.length === 1 ? summarize(first) : lost.flatMap(summarize);
}

const known = new WeakMap<readonly PolicyShare<unknown>[], ReadonlySet<string>>();

/** The locators of the policies that set or removed anything. */
export function contributorsOf(shares: readonly PolicyShare<unknown>[]): ReadonlySet<string> {
  const there = known.get(shares);
  if (there !== undefined) return there;
  const contributing = new Set(shares.flatMap(({ policy, contributes }) => (contributes ? [policy.locator] : [])));
  known.set(shares, contributing);
  return contributing;
}

/**
 * Whether policies of the same names set or removed something, and each is as established as before. Usually the lists have the same
 * policies in the same order.
 *
 * @param compare The order of policies, established first.
 */
export function isSetBySame<Spec>(
  before: readonly PolicyShare<Spec>[],
  now: readonly PolicyShare<Spec>[],
  compare: (a: Policy<Spec>, b: Policy<Spec>) => number,
): boolean {
  const isAsEstablished = (a: Policy<Spec>, b: Policy<Spec>): boolean => a === b || compare(a, b) === 0;
  const isLike = (a: PolicyShare<Spec>, b: PolicyShare<Spec>): boolean =>
    a.contributes === b.contributes &&
    a.policy.locator === b.policy.locator &&
    (!a.contributes || isAsEstablished(a.policy, b.policy));
  if (isEqualList(before, now, isLike)) return true;
  if (!isSameSet(contributorsOf(before), contributorsOf(now))) return false;
  const was = new Map(before.map(({ policy }) => [policy.locator, policy]));
  return now.every(({ policy, contributes }) => {
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
