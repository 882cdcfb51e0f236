import { type MergeStep, partOf } from './part.ts';
import type { PlacedLayer } from './placed-layer.ts';
import { isOwnLayer } from './placed-layer.ts';
import type { Layers, Reducer } from './reduce.ts';
import { type LevelOrder, type Rule, ruleByOrder } from './rule.ts';

/**
 * None: nothing is merged, one policy stays (M-02, C-06). Of those on one target the oldest stays. A policy on a section goes before one on the whole object,
 * which is no conflict with it (C-12, X-08); else the oldest stays, on whatever level. What the target says itself stays
 * only where there is no policy.
 */
export const reduceNone: Reducer = <Spec>(
  layers: Layers<Spec>,
  { order }: { readonly order: LevelOrder },
  steps?: MergeStep<Spec>[],
) => {
  const byOrder = (a: PlacedLayer<Spec>, b: PlacedLayer<Spec>): number => order.compare(a.policy, b.policy);
  const keep = (winner: PlacedLayer<Spec>, loser: PlacedLayer<Spec>): void => {
    const spec = partOf(winner).spec;
    const { strategy, stanza } = winner;
    const ruleBetween = ruleOfNone(order);
    steps?.push({ established: spec, challenger: partOf(loser).spec, result: spec, strategy, stanza, ruleBetween });
  };

  const championOf = (rivals: PlacedLayer<Spec>[]): PlacedLayer<Spec> => {
    const [champion, ...others] = rivals.sort((a, b) => bySection(a, b) || byOrder(a, b)) as [PlacedLayer<Spec>];
    for (const other of others) keep(champion, other);
    return champion;
  };
  const policies = layers.filter((it) => !isOwnLayer(it));
  const onTargets = groupedBy(policies, ({ level }) => level.target).map(championOf);
  const champions = groupedBy(onTargets, ({ level }) => level.target.object).map(championOf);
  const [winner, ...others] = champions.sort(byOrder) as [PlacedLayer<Spec>];
  for (const other of [...others, ...layers.filter(isOwnLayer)]) keep(winner, other);
  return { spec: partOf(winner).spec, issues: [] };
};

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): readonly Item[][] {
  const groups = new Map<unknown, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function bySection<Spec>(a: PlacedLayer<Spec>, b: PlacedLayer<Spec>): number {
  return Number(b.level.target.section !== undefined) - Number(a.level.target.section !== undefined);
}

function ruleOfNone(order: LevelOrder) {
  return <Spec>(winner: PlacedLayer<Spec>, loser: PlacedLayer<Spec>): Rule => {
    if (isOwnLayer(loser)) return 'less-specific';
    const [kept, lost] = [winner.level.target, loser.level.target];
    return kept.object === lost.object && kept !== lost ? 'more-specific' : ruleByOrder(order)(winner, loser);
  };
}
