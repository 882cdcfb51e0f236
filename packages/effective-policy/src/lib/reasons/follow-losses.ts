import { contributors } from '@policy-machinery/merge';
import type { ContextLayer, TracedSpec } from '../fold/context-layer.ts';
import type { MergeStep } from '../fold/operand.ts';
import type { RuleBetween } from '../fold/rule.ts';
import { none } from '../support/nothing.ts';
import { withoutItem } from '../support/same.ts';
import { settersOf } from './fields.ts';
import { type FieldLoss, isConflict, type LayerLoss, type Loss, sameMembers } from './loss.ts';
import { lossesOf } from './losses.ts';

/**
 * Returns what the layers of a context lost in its merges, in the order of the merges, each loss with the final holders of what was lost.
 *
 * @param steps The merges.
 * @param effective The result of the context.
 * @param inShort Whether a spec that was replaced as a whole is one loss, if those who replaced it still hold all of it.
 */
export function lossesOfMerges<Spec>(
  steps: readonly MergeStep<Spec>[],
  effective: TracedSpec<Spec>,
  inShort: boolean,
): readonly LayerLoss<Spec>[] {
  const later = new LaterLosses(effective);
  const isHeldBy = inShort ? (layers: readonly ContextLayer<Spec>[]) => !later.haveAny(layers) : undefined;
  const lastFirst = steps.toReversed().flatMap((step) => {
    const losses = lossesOf(step, effective, isHeldBy).toReversed();
    return losses.map((loss) => later.follow(loss, step.ruleBetween));
  });
  return lastFirst.reverse();
}

/** A loss, with the rules of the merge that decided. */
interface Decision<Spec> {
  readonly loss: Loss<Spec>;
  readonly ruleBetween: RuleBetween;
}

/** A loss to the first winner, and to the final holder. */
interface Decided<Spec> {
  readonly first: Decision<Spec>;
  readonly final: Decision<Spec>;
}

/** The losses of the merges that have been followed. The last merge is followed first. */
class LaterLosses<Spec> {
  readonly #effective: TracedSpec<Spec>;
  readonly #byLayer = new Map<ContextLayer<Spec>, LostFields<Spec>>();
  readonly #holders = new Map<string, readonly ContextLayer<Spec>[]>();
  #contributors: ReadonlySet<ContextLayer<Spec>> | undefined;

  constructor(effective: TracedSpec<Spec>) {
    this.#effective = effective;
  }

  /** Returns whether any of some layers has lost anything in the merges that have been followed. */
  haveAny(layers: readonly ContextLayer<Spec>[]): boolean {
    return layers.some((layer) => this.#byLayer.has(layer));
  }

  /** Returns a loss of an earlier merge with the final holders of what was lost. */
  follow(loss: LayerLoss<Spec>, ruleBetween: RuleBetween): LayerLoss<Spec> {
    const { fields } = loss;
    const [first] = fields;
    if (first === undefined) return loss;
    const goesOn = fields.some(({ winners }) => this.haveAny(winners)); // Usually only two policies are merged.
    const final = goesOn ? fields.map((field) => this.#final(field)) : none;
    const lost = this.#byLayer.get(first.layer) ?? new LostFields<Spec>();
    this.#byLayer.set(first.layer, lost);
    lost.add({ fields, ruleBetween, final });
    if (final.every((it) => it === undefined)) return loss;
    return { ...loss, fields: fields.map((field, index) => withFinal(field, final[index]?.loss)) };
  }

  /** Returns the final holders of a field that a layer lost; `undefined` if they are the first winners. */
  #final(field: FieldLoss<Spec>): Decision<Spec> | undefined {
    const { pointer, winners, rule } = field;
    if (rule === 'condition-not-met') return undefined;
    const taken = winners.map((winner) => this.#takenFrom(winner, pointer));
    if (taken.every((it) => it === undefined)) return undefined;
    // If the final holder is the layer itself, by another of its fields, the holder is the layer that took the field from the winner.
    return passedOn(field, taken, 'final') ?? passedOn(field, taken, 'first');
  }

  /**
   * Returns how a layer that held a field lost it later: at the field itself, or with a part of the spec around the field. If the layer lost
   * all that it had set, follows the field to the winner.
   */
  #takenFrom(layer: ContextLayer<Spec>, pointer: string): Decided<Spec> | undefined {
    const seen = new Set<ContextLayer<Spec>>();
    let taken: Decided<Spec> | undefined;
    for (
      let at: ContextLayer<Spec> | undefined = layer;
      at !== undefined && !seen.has(at);
      at = taken?.first.loss.winners[0]
    ) {
      const lost = this.#byLayer.get(at);
      if (lost === undefined) return taken;
      const there = lost.at(pointer);
      if (there !== undefined) return there;
      seen.add(at);
      const whole = lost.around(pointer);
      if (whole === undefined && this.#isContributor(at)) return taken;
      // The holders of the part around the field, or of other fields, need not hold this field.
      taken = this.#heldAt(whole ?? withoutFinal(lost.first), pointer);
    }
    return taken;
  }

  #heldAt(decided: Decided<Spec> | undefined, pointer: string): Decided<Spec> | undefined {
    if (decided === undefined) return undefined;
    const winners = this.#holdersOf(pointer);
    if (winners.length === 0) return decided;
    const { loss, ruleBetween } = decided.final;
    return { first: decided.first, final: { loss: { ...loss, winners }, ruleBetween } };
  }

  /** Returns the final holders of a field. They are kept: usually several layers have lost the field. */
  #holdersOf(pointer: string): readonly ContextLayer<Spec>[] {
    const known = this.#holders.get(pointer);
    if (known !== undefined) return known;
    const holders = settersOf(this.#effective, pointer);
    this.#holders.set(pointer, holders);
    return holders;
  }

  #isContributor(layer: ContextLayer<Spec>): boolean {
    this.#contributors ??= new Set(contributors(this.#effective.origins));
    return this.#contributors.has(layer);
  }
}

function withoutFinal<Spec>(decided: Decided<Spec> | undefined): Decided<Spec> | undefined {
  return decided && { first: decided.first, final: decided.first };
}

/** The losses of one layer in one merge. */
interface LostInMerge<Spec> {
  readonly fields: readonly FieldLoss<Spec>[];
  readonly ruleBetween: RuleBetween;
  /** For each field, the loss to the final holders, if they are not the first winners. */
  readonly final: readonly (Decision<Spec> | undefined)[];
}

/** All losses of one layer, indexed by field on demand. */
class LostFields<Spec> {
  #byPointer: Map<string, Decided<Spec>> | undefined;
  #unread: LostInMerge<Spec>[] = [];

  add(lost: LostInMerge<Spec>): void {
    this.#unread.push(lost);
  }

  at(pointer: string): Decided<Spec> | undefined {
    return this.#read().get(pointer);
  }

  /** Returns the loss of the innermost part around a field. */
  around(pointer: string): Decided<Spec> | undefined {
    const lost = this.#read();
    for (let end = pointer.length; end > 0; ) {
      end = pointer.lastIndexOf('/', end - 1); // A `/` in a key is escaped.
      const there = lost.get(pointer.slice(0, end));
      if (there !== undefined) return there;
    }
    return undefined;
  }

  get first(): Decided<Spec> | undefined {
    const [first] = this.#read().values();
    return first;
  }

  #read(): ReadonlyMap<string, Decided<Spec>> {
    this.#byPointer ??= new Map();
    for (const { fields, ruleBetween, final } of this.#unread) {
      for (const [index, loss] of fields.entries()) {
        const first = { loss, ruleBetween };
        this.#byPointer.set(loss.pointer, { first, final: final[index] ?? first });
      }
    }
    this.#unread = [];
    return this.#byPointer;
  }
}

/**
 * Returns the loss of a field that some of its winners have lost in turn, with the layers that took the field from these.
 *
 * @param taken For each winner, how it lost the field; `undefined` if it still holds the field.
 * @param when Which layers count: the first ones that took the field, or the final holders.
 */
function passedOn<Spec>(
  field: FieldLoss<Spec>,
  taken: readonly (Decided<Spec> | undefined)[],
  when: keyof Decided<Spec>,
): Decision<Spec> | undefined {
  const { layer, pointer, winners } = field;
  const decided = taken.find((it) => it !== undefined)?.[when];
  if (decided === undefined) return undefined;
  const holders =
    winners.length === 1
      ? withoutItem(decided.loss.winners, layer)
      : withoutItem(
          [...new Set(winners.flatMap((winner, index) => taken[index]?.[when].loss.winners ?? winner))],
          layer,
        );
  const [holder] = holders;
  if (holder === undefined || sameMembers(holders, winners)) return undefined;
  const { ruleBetween } = decided;
  const { strategy, dialectName, because } = decided.loss;
  const rule = ruleBetween(holder, layer);
  const loss = { layer, pointer, winners: holders, strategy, dialectName, because, rule };
  // Under None, a policy reports the conflict that it is in, whatever the outcome of the other policy.
  if (strategy === 'None' && !(isConflict(field) && isConflict(loss))) return undefined;
  return { loss, ruleBetween };
}

function withFinal<Spec>(field: FieldLoss<Spec>, final: Loss<Spec> | undefined): FieldLoss<Spec> {
  if (final === undefined) return field;
  const { layer, pointer, unit, value, winners, strategy, dialectName, because, rule } = field;
  return { layer, pointer, unit, value, winners, strategy, dialectName, because, rule, final: [final] };
}
