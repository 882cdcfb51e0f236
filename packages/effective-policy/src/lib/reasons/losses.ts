import { atomic, contributors, none, pointersIn, strategyName } from '@policy-machinery/merge';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import type { ContextLayer, TracedSpec } from '../fold/context-layer.ts';
import type { Rejection } from '../fold/layer-order.ts';
import { type MergeStep, operandOf } from '../fold/operand.ts';
import { type LevelOrder, ruleBy, ruleByOrder } from '../fold/rule.ts';
import type { FieldLoss, LayerLoss } from './loss.ts';
import { type IsHeldBy, lossesOfSide } from './losses-of-side.ts';

/**
 * Returns what the layers on each side of a merge lost to the other side.
 *
 * @param step The merge.
 * @param effective The result of the context. Pointers of the losses are those of the result.
 * @param isHeldBy Whether layers still hold all that they took in the merge: then a spec that they replaced as a whole is one loss. Default:
 * each field is a loss.
 */
export function lossesOf<Spec>(
  step: MergeStep<Spec>,
  effective: TracedSpec<Spec>,
  isHeldBy?: IsHeldBy<Spec>,
): readonly LayerLoss<Spec>[] {
  // Instructions, such as a list of operations, have no fields to lose.
  const isInstruction = step.strategy.alone !== undefined;
  const above = isInstruction ? nothing : lossesOfSide(step.established, step.challenger, step, isHeldBy);
  const losses = above.concat(lossesOfSide(step.challenger, step.established, step, isHeldBy));
  if (step.result === effective) return losses;
  return losses.map(({ fields, isAll }) => {
    if (!fields.some(({ pointer }) => mayMove.test(pointer))) return { isAll, fields };
    const all = fields.flatMap(({ pointer, unit }) => (unit === pointer ? [pointer] : [pointer, unit]));
    const moved = new Map(pointersIn(all, step.result, effective).map((to, index) => [all[index], to]));
    return { isAll, fields: fields.map((field) => movedTo(field, moved)) };
  });
}

/** Only items of lists move in later merges. */
const mayMove = /\/\d/;

function movedTo<Spec>(field: FieldLoss<Spec>, moved: ReadonlyMap<string | undefined, string>): FieldLoss<Spec> {
  const [pointer = '', unit = pointer] = [moved.get(field.pointer), moved.get(field.unit)];
  return pointer === field.pointer && unit === field.unit ? field : { ...field, pointer, unit };
}

/** The rules of a policy kind by which policies of one level are in conflict. */
export type ConflictRules = Pick<PolicyKind<unknown>, 'order' | 'conflictReason'>;

/** Returns the step in which a level rejected a layer. */
export function rejectionStep<Spec>({ layer, by }: Rejection<Spec>, rules: ConflictRules): MergeStep<Spec> {
  const [established, challenger] = [operandOf(by).spec, operandOf(layer).spec];
  const ruleBetween = ruleByOrder(rules.order);
  const because = rules.conflictReason;
  return { established, challenger, result: established, strategy: none, stanza: 'defaults', because, ruleBetween };
}

/** Returns all that a rejected layer lost, as one loss. */
export function rejectionLoss<Spec>({ layer, by }: Rejection<Spec>, rules: ConflictRules): LayerLoss<Spec> {
  const rule = ruleByOrder(rules.order)(by, layer);
  const strategy = strategyName(none, 'defaults');
  return {
    fields: [
      {
        layer,
        pointer: '',
        unit: '',
        value: layer.spec as JsonObject,
        winners: [by],
        strategy,
        dialectName: undefined,
        because: rules.conflictReason,
        rule,
      },
    ],
    isAll: true,
  };
}

/** Returns the step in which a layer was left out for the result of the most specific level and its closest parent. */
export function omissionStep<Spec>(
  layer: ContextLayer<Spec>,
  nearest: ContextLayer<Spec>,
  effective: TracedSpec<Spec>,
  order: LevelOrder,
): MergeStep<Spec> {
  const isEmpty = contributors(effective.origins).length === 0;
  const challenger = isEmpty ? operandOf(nearest).spec : effective;
  const sides = { established: operandOf(layer).spec, challenger, result: challenger };
  const because = 'only the closest parent is merged';
  return { ...sides, strategy: atomic, stanza: 'defaults', because, ruleBetween: ruleBy(order) };
}

const nothing: readonly never[] = [];
