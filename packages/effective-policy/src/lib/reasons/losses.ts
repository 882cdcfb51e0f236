import { atomic, contributors, none, strategyName } from '@policy-machinery/merge';
import { pointersIn } from '@policy-machinery/merge/inner';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import type { ContextLayer, TracedSpec } from '../fold/context-layer.ts';
import type { Rejection } from '../fold/layer-order.ts';
import { type MergeStep, operandOf } from '../fold/operand.ts';
import { type LevelOrder, ruleBy, ruleByOrder } from '../fold/rule.ts';
import { EqualValues } from './equal-values.ts';
import { holdersIn } from './fields.ts';
import type { ContextLosses, FieldLoss, LayerLoss } from './loss.ts';
import { lossesOfSide } from './losses-of-side.ts';

/**
 * Returns the losses of the layers of a context in its merges, in the order of the merges.
 *
 * @param steps The merges.
 * @param effective The result of the context. Pointers of the losses are pointers into the result.
 * @param inShort Whether a spec that was replaced as a whole is one loss, if the layers that replaced it set the whole result. Default: each field is a
 * loss.
 */
export function lossesOfMerges<Spec>(
  steps: readonly MergeStep<Spec>[],
  effective: TracedSpec<Spec>,
  inShort = false,
): ContextLosses<Spec> {
  const equal = new EqualValues<Spec>();
  const holdersAt = holdersIn(effective);
  const losses = steps.flatMap((step) => {
    const isLast = step.result === effective;
    const sides = [
      // Instructions, such as a list of operations, do not have fields to lose.
      ...(step.strategy.alone === undefined ? [[step.established, step.challenger] as const] : []),
      [step.challenger, step.established] as const,
    ];
    const lost = sides.flatMap(([side, other]) =>
      lossesOfSide(side, other, step, { equal, inShort: inShort && isLast }),
    );
    return lost.map((loss) => withHolders(isLast ? loss : moved(loss, step.result, effective), holdersAt));
  });
  return { losses, agreeing: equal.in(effective), agreeingAt: equal.at(effective, effective) };
}

/** Returns a loss with its pointers in a later result. */
function moved<Spec>(loss: LayerLoss<Spec>, from: TracedSpec<Spec>, to: TracedSpec<Spec>): LayerLoss<Spec> {
  const { fields, isAll } = loss;
  if (!fields.some(({ pointer }) => mayMove.test(pointer))) return loss;
  const pointers = fields.flatMap(({ pointer, unit }) => (unit === pointer ? [pointer] : [pointer, unit]));
  const places = new Map(pointersIn(pointers, from, to).map((place, index) => [pointers[index], place]));
  return { isAll, fields: fields.map((field) => movedTo(field, places)) };
}

/** Returns a loss with the layers that set its fields in the end. A conflict and a condition are not about fields. */
function withHolders<Spec>(
  { fields, isAll }: LayerLoss<Spec>,
  holdersAt: (pointer: string) => readonly ContextLayer<Spec>[],
): LayerLoss<Spec> {
  const isAbout = ({ strategy, rule, holders }: FieldLoss<Spec>): boolean =>
    strategy !== 'None' && rule !== 'condition-not-met' && holders.length === 0;
  return { isAll, fields: fields.map((it) => (isAbout(it) ? { ...it, holders: holdersAt(it.pointer) } : it)) };
}

/** Only items of lists move in later merges. */
const mayMove = /\/\d/;

function movedTo<Spec>(field: FieldLoss<Spec>, moved: ReadonlyMap<string | undefined, string>): FieldLoss<Spec> {
  const [pointer = '', unit = pointer] = [moved.get(field.pointer), moved.get(field.unit)];
  return pointer === field.pointer && unit === field.unit ? field : { ...field, pointer, unit };
}

/** The rules of a policy kind about conflicts between policies of one level. */
export type ConflictRules = Pick<PolicyKind<unknown>, 'order' | 'conflictReason'>;

/** Returns the step where a level rejected a layer. */
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
        holders: nothing,
        strategy,
        dialectName: undefined,
        because: rules.conflictReason,
        rule,
      },
    ],
    isAll: true,
  };
}

/** Returns the step where a layer was left out for the result of the most specific level and its closest parent. */
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
