import { contributors } from '@policy-machinery/merge';
import type { ContextLayer, TracedSpec } from '../fold/context-layer.ts';
import type { MergeStep } from '../fold/operand.ts';
import type { RuleBetween } from '../fold/rule.ts';
import { prefixesOf } from '../support/pointers.ts';
import { settersOf } from './fields.ts';
import { type FieldLoss, isConflict, type LayerLoss, type Loss, lossesOf, sameMembers } from './losses.ts';

/**
 * Returns what the merges of a context took from its layers, in their order, each loss with those who hold in the end what was lost.
 *
 * @param steps The merges.
 * @param effective What the context came to.
 * @param inShort Whether a spec that others have replaced as a whole, and that they hold, is one field, as far as `summarize` makes it one.
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

/** A loss, and what says why one layer prevailed over another in the merge that decided. */
interface Decision<Spec> {
  readonly loss: Loss<Spec>;
  readonly ruleBetween: RuleBetween;
}

/** A loss as it was first, and as it is in the end. */
interface Decided<Spec> {
  readonly first: Decision<Spec>;
  readonly final: Decision<Spec>;
}

/** What layers lost in the merges that have been followed so far: the last one is the first to be followed. */
class LaterLosses<Spec> {
  readonly #effective: TracedSpec<Spec>;
  readonly #byLayer = new Map<ContextLayer<Spec>, LostFields<Spec>>();
  readonly #holders = new Map<string, readonly ContextLayer<Spec>[]>();
  #contributors: ReadonlySet<ContextLayer<Spec>> | undefined;

  constructor(effective: TracedSpec<Spec>) {
    this.#effective = effective;
  }

  /** Whether any of some layers has lost anything. */
  haveAny(layers: readonly ContextLayer<Spec>[]): boolean {
    return layers.some((layer) => this.#byLayer.has(layer));
  }

  /** Returns a loss of a merge before, with those who hold in the end what was lost. */
  follow(loss: LayerLoss<Spec>, ruleBetween: RuleBetween): LayerLoss<Spec> {
    const { fields } = loss;
    const [first] = fields;
    if (first === undefined) return loss;
    const goesOn = fields.some(({ winners }) => this.haveAny(winners)); // Usually two policies meet.
    const final = goesOn ? fields.map((field) => this.#final(field)) : nothing;
    const lost = this.#byLayer.get(first.layer) ?? new LostFields<Spec>();
    this.#byLayer.set(first.layer, lost);
    lost.add({ fields, ruleBetween, final });
    if (final.every((it) => it === undefined)) return loss;
    return { ...loss, fields: fields.map((field, index) => withFinal(field, final[index]?.loss)) };
  }

  /** Who holds a field in the end that a layer lost; `undefined` where that is who prevailed first. */
  #final(field: FieldLoss<Spec>): Decision<Spec> | undefined {
    const { pointer, winners, rule } = field;
    if (rule === 'condition-not-met') return undefined;
    const taken = winners.map((winner) => this.#takenFrom(winner, pointer));
    // What came back to the layer itself by another of its fields is held by who took it from the winner.
    return passedOn(field, taken, 'final') ?? passedOn(field, taken, 'first');
  }

  /**
   * What became of a field that a layer held once: what it lost later at the field, or at what that is a part of. Where all that it said
   * has gone to another, what became of the field there.
   */
  #takenFrom(layer: ContextLayer<Spec>, pointer: string): Decided<Spec> | undefined {
    const seen = new Set<ContextLayer<Spec>>();
    let around: readonly string[] | undefined;
    let taken: Decided<Spec> | undefined;
    for (
      let at: ContextLayer<Spec> | undefined = layer;
      at !== undefined && !seen.has(at);
      at = taken?.first.loss.winners[0]
    ) {
      seen.add(at);
      const lost = this.#byLayer.get(at);
      if (lost === undefined) return taken;
      const there = lost.at(pointer);
      if (there !== undefined) return there;
      around ??= prefixesOf(pointer).toReversed();
      const whole = around.map((place) => lost.at(place)).find((it) => it !== undefined);
      if (whole === undefined && this.#isContributor(at)) return taken;
      // The holders of what it is a part of, or of other fields, need not have this one.
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

  /** Who holds a field in the end: usually several layers have lost it. */
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

/** What one layer lost in one merge. */
interface LostInMerge<Spec> {
  readonly fields: readonly FieldLoss<Spec>[];
  readonly ruleBetween: RuleBetween;
  /** Of each field, who holds it in the end where that is not who prevailed first. */
  readonly final: readonly (Decision<Spec> | undefined)[];
}

/** All that one layer lost, by fields as soon as these are asked for. */
class LostFields<Spec> {
  readonly #byPointer = new Map<string, Decided<Spec>>();
  #unread: LostInMerge<Spec>[] = [];

  add(lost: LostInMerge<Spec>): void {
    this.#unread.push(lost);
  }

  at(pointer: string): Decided<Spec> | undefined {
    return this.#read().get(pointer);
  }

  get first(): Decided<Spec> | undefined {
    const [first] = this.#read().values();
    return first;
  }

  #read(): ReadonlyMap<string, Decided<Spec>> {
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

const nothing: readonly never[] = [];

/**
 * The loss of a field that some of its winners have lost in turn, with those who took it from them.
 *
 * @param taken What became of the field for each winner; `undefined` for one that has it.
 * @param when Whether those are meant who took it first, or who hold it in the end.
 */
function passedOn<Spec>(
  field: FieldLoss<Spec>,
  taken: readonly (Decided<Spec> | undefined)[],
  when: keyof Decided<Spec>,
): Decision<Spec> | undefined {
  const { layer, pointer, winners } = field;
  const decided = taken.find((it) => it !== undefined)?.[when];
  if (decided === undefined) return undefined;
  const all = new Set(winners.flatMap((winner, index) => taken[index]?.[when].loss.winners ?? [winner]));
  all.delete(layer);
  const holders = [...all];
  const [holder] = holders;
  if (holder === undefined || sameMembers(holders, winners)) return undefined;
  const { ruleBetween } = decided;
  const { strategy, dialectName } = decided.loss;
  const loss = { layer, pointer, winners: holders, strategy, dialectName, rule: ruleBetween(holder, layer) };
  // Under None, a policy is told of the conflict that it is in, whatever becomes of the other one.
  if (strategy === 'None' && !(isConflict(field) && isConflict(loss))) return undefined;
  return { loss, ruleBetween };
}

function withFinal<Spec>(field: FieldLoss<Spec>, final: Loss<Spec> | undefined): FieldLoss<Spec> {
  return final === undefined ? field : { ...field, final: [final] };
}
