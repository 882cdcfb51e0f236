import { contributors } from '@policy-machinery/merge';
import type { Policy } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import type { ContextLayer, TracedSpec } from '../fold/context-layer.ts';
import { isOwnLayer } from '../fold/context-layer.ts';
import { none } from '../support/nothing.ts';
import { settersOf } from './fields.ts';
import { type ContextLosses, type FieldLoss, isConflict, type LayerLoss, type Loss, summarize } from './loss.ts';
import type { PolicyShare, ScopeOutcome } from './policy-share.ts';
import { sharedShare } from './shared-shares.ts';

/** A policy that its level rejected. Its share is the same in all contexts where the policy is on no other level. */
export interface RejectedPolicy<Spec> {
  readonly share: PolicyShare<Spec>;
  readonly losses: readonly LayerLoss<Spec>[];
}

export function rejectedPolicy<Spec>(policy: Policy<Spec>, losses: readonly LayerLoss<Spec>[]): RejectedPolicy<Spec> {
  const outcome = outcomeOf(false, losses, () => true, false);
  const share = { policy, outcome, contributes: false, isMerged: false, losses: inShort(losses), issues: none };
  return { share, losses };
}

/** The result of the merges of one scope. */
export interface MergedScope<Spec> extends Pick<ContextLosses<Spec>, 'losses' | 'agreeing'> {
  readonly layers: readonly ContextLayer<Spec>[];
  readonly spec: TracedSpec<Spec>;
  readonly issues: readonly Issue[];
}

/**
 * Returns the share of each policy with layers that were merged, or rejected, in one scope.
 *
 * @param rejected The policies that were rejected. Some of them may have been merged on another level.
 */
export function sharesOf<Spec>(
  { layers, spec, issues, losses, agreeing }: MergedScope<Spec>,
  rejected: readonly RejectedPolicy<Spec>[],
): readonly PolicyShare<Spec>[] {
  const setters = new Set(contributors(spec.origins).map(({ policy }) => policy));
  for (const policy of removersIn(losses, spec)) setters.add(policy);
  const ownLayers = layers.filter(isOwnLayer); // Usually none: only a target's own value.
  const others = setters.size - ownLayers.filter(({ policy }) => setters.has(policy)).length;
  const isMissing = (field: FieldLoss<Spec>): boolean => !isKept(field, () => settersOf(spec, field.pointer));
  const shares: PolicyShare<Spec>[] = [];
  for (const [policy, lost] of lostByPolicy(layers, rejected, losses)) {
    if ('share' in lost) {
      shares.push(lost.share);
      continue;
    }
    const contributes = setters.has(policy);
    const faults = issues.length === 0 ? none : issues.filter(({ resource }) => resource === policy.locator);
    const hasLeft = contributes || agreeing.some((layer) => layer.policy === policy);
    const outcome = outcomeOf(hasLeft, lost, isMissing, faults.length > 0);
    const isMerged = contributes && others > 1;
    shares.push(sharedShare({ policy, outcome, contributes, isMerged, losses: inShort(lost), issues: faults }));
  }
  return shares;
}

/**
 * Returns the policies that let a custom strategy drop fields of others by their presence: no layer holds such a field, and none is known to have
 * removed it, because the strategy has not taken it over. A layer with an unmet condition was not merged at all.
 */
function* removersIn<Spec>(losses: readonly LayerLoss<Spec>[], spec: TracedSpec<Spec>): Iterable<Policy<Spec>> {
  for (const { fields } of losses) {
    if (fields[0]?.strategy !== 'Custom' || fields[0].rule === 'condition-not-met') continue;
    for (const field of fields) {
      if (settersOf(spec, field.pointer).length > 0) continue;
      for (const { policy } of field.winners) yield policy;
    }
  }
}

/** Returns the losses of each policy, the merged policies first. A policy that was only rejected keeps the share that it has as such. */
function lostByPolicy<Spec>(
  layers: readonly ContextLayer<Spec>[],
  rejected: readonly RejectedPolicy<Spec>[],
  losses: readonly LayerLoss<Spec>[],
): ReadonlyMap<Policy<Spec>, readonly LayerLoss<Spec>[] | RejectedPolicy<Spec>> {
  const lostBy = new Map<Policy<Spec>, readonly LayerLoss<Spec>[] | RejectedPolicy<Spec>>();
  for (const { policy } of layers) lostBy.set(policy, none);
  const add = (policy: Policy<Spec>, more: readonly LayerLoss<Spec>[]): void => {
    const lostSoFar = lostBy.get(policy) ?? none;
    const losses = 'share' in lostSoFar ? lostSoFar.losses : lostSoFar;
    lostBy.set(policy, losses.length === 0 ? more : losses.concat(more));
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

/** Returns losses in as few entries as possible. Usually a policy has lost in one merge, or in none. */
function inShort<Spec>(lost: readonly LayerLoss<Spec>[]): readonly Loss<Spec>[] {
  const [first] = lost;
  if (first === undefined) return none;
  return lost.length === 1 ? summarize(first) : lost.flatMap(summarize);
}

function outcomeOf<Spec>(
  hasLeft: boolean,
  lost: readonly LayerLoss<Spec>[],
  isMissing: (field: FieldLoss<Spec>) => boolean,
  hasFaults: boolean,
): ScopeOutcome {
  if (!lost.some(({ fields }) => fields.some(isMissing))) return hasFaults ? 'partly-enforced' : 'enforced';
  if (hasLeft) return 'partly-enforced';
  const isOnlyConflict = lost.every(({ fields }) => fields.every((field) => isConflict(field) || !isMissing(field)));
  return isOnlyConflict ? 'conflicted' : 'overridden';
}

/** Returns whether a policy still holds a field that one of its stanzas lost, because it lost the field to another of its stanzas. */
export function isKept<Spec>(
  { layer, winners, rule }: FieldLoss<Spec>,
  setters: () => readonly ContextLayer<Spec>[],
): boolean {
  if (rule === 'condition-not-met' || winners[0]?.policy !== layer.policy) return false;
  const isItself = ({ policy }: ContextLayer<Spec>): boolean => policy === layer.policy;
  return winners.every(isItself) && setters().some(isItself);
}
