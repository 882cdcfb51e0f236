import { contributors } from '@policy-machinery/merge';
import { prefixesOf } from './fields.ts';
import { noteFinal } from './final-losses.ts';
import type { PlacedLayer } from './layout.ts';
import { type FieldLoss, isConflict, type LayerLoss, type Loss, sameMembers } from './losses.ts';
import type { TracedSpec } from './part.ts';
import type { RuleBetween } from './rule.ts';

/** What one layer lost in one merge, and what says why one layer prevailed over another there. */
export interface StepLoss<Spec> {
  readonly loss: LayerLoss<Spec>;
  readonly ruleBetween: RuleBetween;
}

/**
 * Follows the losses of a context to those who hold in the end what was lost, for `finalLosses`.
 *
 * @param losses What the merges took from the layers, in their order.
 * @param effective What the context came to.
 */
export function followLosses<Spec>(losses: readonly StepLoss<Spec>[], effective: TracedSpec<Spec>): void {
  const losers = new Set<PlacedLayer<Spec> | undefined>();
  for (const { loss } of losses) losers.add(loss.fields[0]?.layer);
  const goesOn = ({ loss }: StepLoss<Spec>): boolean => loss.fields.some(({ to }) => to.some((it) => losers.has(it)));
  if (!losses.some(goesOn)) return; // As a rule two policies meet.
  const holders = new Holders(effective);
  for (const step of losses.toReversed()) holders.follow(step);
}

/** A loss as it is in the end, and what says why one layer prevailed over another in the merge that decided. */
interface Decided<Spec> {
  readonly loss: Loss<Spec>;
  readonly ruleBetween: RuleBetween;
  /** Who prevailed first. */
  readonly first: PlacedLayer<Spec> | undefined;
}

/** Knows what layers lost in the merges that it was told of. It is told of the last one first. */
class Holders<Spec> {
  readonly #contributors: ReadonlySet<PlacedLayer<Spec>>;
  readonly #later = new Map<PlacedLayer<Spec>, Map<string, Decided<Spec>>>();

  constructor({ origins }: TracedSpec<Spec>) {
    this.#contributors = new Set(contributors(origins));
  }

  follow({ loss: { fields }, ruleBetween }: StepLoss<Spec>): void {
    const [first] = fields;
    if (first === undefined) return;
    const decided = fields.map((field) => this.#decided(field, ruleBetween));
    const later = this.#later.get(first.layer) ?? new Map<string, Decided<Spec>>();
    this.#later.set(first.layer, later);
    for (const [index, field] of fields.entries()) later.set(field.pointer, decided[index] as Decided<Spec>);
  }

  #decided(field: FieldLoss<Spec>, itsRule: RuleBetween): Decided<Spec> {
    const { layer, pointer, to, rule } = field;
    const itself = { loss: field, ruleBetween: itsRule, first: to[0] };
    if (rule === 'condition-not-met') return itself;
    const taken = to.map((winner) => this.#takenFrom(winner, pointer));
    const [decided] = taken.filter((it) => it !== undefined);
    if (decided === undefined) return itself;
    const all = new Set(to.flatMap((winner, index) => taken[index]?.loss.to ?? [winner]));
    all.delete(layer);
    const holders = [...all];
    const [holder] = holders;
    if (holder === undefined || sameMembers(holders, to)) return itself;
    const { ruleBetween } = decided;
    const { strategy, dialectName } = decided.loss;
    const loss = { layer, pointer, to: holders, strategy, dialectName, rule: ruleBetween(holder, layer) };
    // Under None, a policy is told of the conflict that it is in, whatever becomes of the other one.
    if (strategy === 'None' && !(isConflict(field) && isConflict(loss))) return itself;
    noteFinal(field, [loss]);
    return { loss, ruleBetween, first: to[0] };
  }

  /**
   * What became of a field that a layer held once: what it lost later at the field, or at what that is a part of. Where all that it said
   * has gone to another, what became of the field there.
   */
  #takenFrom(layer: PlacedLayer<Spec>, pointer: string): Decided<Spec> | undefined {
    const around = prefixesOf(pointer).toReversed();
    const seen = new Set<PlacedLayer<Spec>>();
    let taken: Decided<Spec> | undefined;
    for (let at: PlacedLayer<Spec> | undefined = layer; at !== undefined && !seen.has(at); at = taken?.first) {
      seen.add(at);
      const later = this.#later.get(at);
      const there = later?.get(pointer);
      if (there !== undefined) return there;
      const whole = around.find((place) => later?.has(place));
      if (later === undefined || (whole === undefined && this.#contributors.has(at))) return taken;
      [taken] = whole === undefined ? later.values() : [later.get(whole)];
    }
    return taken;
  }
}
