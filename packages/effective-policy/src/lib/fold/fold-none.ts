import { groupedBy } from '@policy-machinery/resource/inner';
import type { ContextLayer } from './context-layer.ts';
import { isOwnLayer } from './context-layer.ts';
import type { FoldLayers, Layers } from './fold.ts';
import { type MergeStep, operandOf } from './operand.ts';
import { type LevelOrder, type Rule, ruleByOrder } from './rule.ts';

/**
 * Folds by None: nothing is merged, and one policy stays. Of the policies on one target, the oldest stays. A policy on a section
 * takes precedence over one on the whole object, without a conflict; otherwise the oldest policy stays, on whatever level. A
 * target's own value stays only without a policy.
 */
export const foldNone: FoldLayers = <Spec>(
  layers: Layers<Spec>,
  { order }: { readonly order: LevelOrder },
  steps?: MergeStep<Spec>[],
) => {
  const byOrder = (a: ContextLayer<Spec>, b: ContextLayer<Spec>): number => order.compare(a.policy, b.policy);
  const keep = (winner: ContextLayer<Spec>, loser: ContextLayer<Spec>): void => {
    const spec = operandOf(winner).spec;
    const { strategy, stanza, because } = winner;
    const ruleBetween = ruleOfNone(order);
    const sides = { established: spec, challenger: operandOf(loser).spec, result: spec };
    steps?.push({ ...sides, strategy, stanza, because, ruleBetween });
  };

  const championOf = (rivals: ContextLayer<Spec>[]): ContextLayer<Spec> => {
    const [champion, ...others] = rivals.sort((a, b) => bySection(a, b) || byOrder(a, b)) as [ContextLayer<Spec>];
    for (const other of others) keep(champion, other);
    return champion;
  };
  const policies = layers.filter((it) => !isOwnLayer(it));
  const onTargets = [...groupedBy(policies, ({ level }) => level.target).values()].map(championOf);
  const champions = [...groupedBy(onTargets, ({ level }) => level.target.object).values()].map(championOf);
  const [winner, ...others] = champions.sort(byOrder) as [ContextLayer<Spec>];
  for (const other of [...others, ...layers.filter(isOwnLayer)]) keep(winner, other);
  return { spec: operandOf(winner).spec, issues: [] };
};

function bySection<Spec>(a: ContextLayer<Spec>, b: ContextLayer<Spec>): number {
  return Number(b.level.target.section !== undefined) - Number(a.level.target.section !== undefined);
}

function ruleOfNone(order: LevelOrder) {
  return <Spec>(winner: ContextLayer<Spec>, loser: ContextLayer<Spec>): Rule => {
    if (isOwnLayer(loser)) return 'less-specific';
    const [kept, lost] = [winner.level.target, loser.level.target];
    return kept.object === lost.object && kept !== lost ? 'more-specific' : ruleByOrder(order)(winner, loser);
  };
}
