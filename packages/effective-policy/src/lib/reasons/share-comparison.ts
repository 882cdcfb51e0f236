import type { Issue } from '@policy-machinery/resource';
import type { ContextLayer } from '../fold/context-layer.ts';
import { isEqualList } from '../support/same.ts';
import type { Loss } from './loss.ts';
import type { PolicyShare } from './policy-share.ts';

type IsSame<Item> = (a: Item, b: Item) => boolean;

/**
 * Returns a function that returns whether two shares of a policy say the same.
 *
 * @param isSameLayer Returns whether two layers count as the same.
 */
export function shareComparison(isSameLayer: IsSame<ContextLayer<unknown>>): IsSame<PolicyShare<unknown>> {
  const isSameLoss: IsSame<Loss<unknown>> = (a, b) =>
    isSameLayer(a.layer, b.layer) &&
    a.pointer === b.pointer &&
    a.strategy === b.strategy &&
    a.dialectName === b.dialectName &&
    a.because === b.because &&
    a.rule === b.rule &&
    isEqualList(a.winners, b.winners, isSameLayer) &&
    isEqualList(a.holders, b.holders, isSameLayer);
  return (a, b) =>
    a === b ||
    (a.outcome === b.outcome &&
      a.contributes === b.contributes &&
      a.isMerged === b.isMerged &&
      isEqualList(a.losses, b.losses, isSameLoss) &&
      isEqualList(a.issues, b.issues, isSameIssue));
}

function isSameIssue(a: Issue, b: Issue): boolean {
  return a.code === b.code && a.message === b.message && a.pointer === b.pointer;
}
