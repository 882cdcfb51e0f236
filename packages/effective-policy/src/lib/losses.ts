import { contributors, listFields, originsAt, type StrategyName, strategyName } from '@policy-machinery/merge';
import { isJsonObject, valueAt } from '@policy-machinery/resource';
import { type PlacedLayer, type Rule, ruleBetween } from './layout.ts';
import type { MergeStep, TracedSpec } from './reduce.ts';

/** A layer, or a field of it, that did not make it into the effective policy. */
export interface Loss<Spec> {
  /** Who lost. */
  readonly layer: PlacedLayer<Spec>;
  /** JSON Pointer to what was lost, from the root of the spec proper; `''` for all that the layer had left. */
  readonly pointer: string;
  /** Who set the field instead, or replaced the whole. */
  readonly to: readonly PlacedLayer<Spec>[];
  /** The strategy that decided, in GEP-713's words. */
  readonly strategy: StrategyName;
  /** Why the winner won. */
  readonly rule: Rule;
}

/** What each side of a merge lost to the other. */
export function lossesOf<Spec>(step: MergeStep<Spec>): readonly Loss<Spec>[] {
  return [
    ...lossesOfSide(step.established, step.challenger, step),
    ...lossesOfSide(step.challenger, step.established, step),
  ];
}

function lossesOfSide<Spec>(
  side: TracedSpec<Spec>,
  other: TracedSpec<Spec>,
  { result, strategy, stanza }: MergeStep<Spec>,
): readonly Loss<Spec>[] {
  const losses: Loss<Spec>[] = [];
  for (const layer of contributors(side.origins)) {
    const fields = listFields(side).filter(({ by }) => by.includes(layer));
    const lost = fields.flatMap(({ pointer, removed, value }) => {
      const holders = originsAt(result.origins, pointer);
      const there = valueAt(result.value, pointer);
      const survives = holders.includes(layer) && (removed || there !== undefined);
      const isMerged = isEmptyObject(value) && isJsonObject(there);
      if (survives || isMerged) return [];
      const others = holders.filter((holder) => holder !== layer);
      return [{ pointer, to: others.length > 0 ? others : contributors(other.origins) }];
    });
    const [whole] = lost;
    const allToOne = lost.every(({ to }) => sameMembers(to, whole?.to ?? []));
    const summary = whole && allToOne && lost.length === fields.length ? [{ ...whole, pointer: '' }] : lost;
    for (const { pointer, to } of summary) {
      const [winner] = to;
      if (winner === undefined) continue;
      losses.push({ layer, pointer, to, strategy: strategyName(strategy, stanza), rule: ruleBetween(winner, layer) });
    }
  }
  return losses;
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function sameMembers<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}
