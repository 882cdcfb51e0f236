import { contributors } from '@policy-machinery/merge';
import { prefixesOf } from './fields.ts';
import type { PlacedLayer } from './layout.ts';
import { type FieldLoss, isConflict, type LayerLoss, type Loss, lossesOf, sameMembers } from './losses.ts';
import type { MergeStep, TracedSpec } from './part.ts';
import type { RuleBetween } from './rule.ts';

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
  const isHeldBy = inShort ? (layers: readonly PlacedLayer<Spec>[]) => !later.haveAny(layers) : undefined;
  const lastFirst = steps.toReversed().flatMap((step) => {
    const losses = lossesOf(step, effective, isHeldBy).toReversed();
    return losses.map((loss) => later.follow(loss, step.ruleBetween));
  });
  return lastFirst.reverse();
}

/** A loss as it is in the end, and what says why one layer prevailed over another in the merge that decided. */
interface Decided<Spec> {
  readonly loss: Loss<Spec>;
  readonly ruleBetween: RuleBetween;
  /** Who prevailed first. */
  readonly first: PlacedLayer<Spec> | undefined;
}

/** What layers lost in the merges that have been followed so far: the last one is the first to be followed. */
class LaterLosses<Spec> {
  readonly #effective: TracedSpec<Spec>;
  readonly #byLayer = new Map<PlacedLayer<Spec>, LostFields<Spec>>();
  #contributors: ReadonlySet<PlacedLayer<Spec>> | undefined;

  constructor(effective: TracedSpec<Spec>) {
    this.#effective = effective;
  }

  /** Whether any of some layers has lost anything. */
  haveAny(layers: readonly PlacedLayer<Spec>[]): boolean {
    return layers.some((layer) => this.#byLayer.has(layer));
  }

  /** Returns a loss of a merge before, with those who hold in the end what was lost. */
  follow(loss: LayerLoss<Spec>, ruleBetween: RuleBetween): LayerLoss<Spec> {
    const { fields } = loss;
    const [first] = fields;
    if (first === undefined) return loss;
    const goesOn = fields.some(({ to }) => this.haveAny(to)); // As a rule two policies meet.
    const decided = goesOn ? fields.map((field) => this.#decided(field)) : nothing;
    const lost = this.#byLayer.get(first.layer) ?? new LostFields<Spec>();
    this.#byLayer.set(first.layer, lost);
    lost.add({ fields, ruleBetween, decided });
    if (decided.every((it) => it === undefined)) return loss;
    return { ...loss, fields: fields.map((field, index) => withFinal(field, decided[index]?.loss)) };
  }

  /** Who holds a field in the end that a layer lost; `undefined` where that is who prevailed first. */
  #decided(field: FieldLoss<Spec>): Decided<Spec> | undefined {
    const { layer, pointer, to, rule } = field;
    if (rule === 'condition-not-met') return undefined;
    const taken = to.map((winner) => this.#takenFrom(winner, pointer));
    const [decided] = taken.filter((it) => it !== undefined);
    if (decided === undefined) return undefined;
    const all = new Set(to.flatMap((winner, index) => taken[index]?.loss.to ?? [winner]));
    all.delete(layer);
    const holders = [...all];
    const [holder] = holders;
    if (holder === undefined || sameMembers(holders, to)) return undefined;
    const { ruleBetween } = decided;
    const { strategy, dialectName } = decided.loss;
    const loss = { layer, pointer, to: holders, strategy, dialectName, rule: ruleBetween(holder, layer) };
    // Under None, a policy is told of the conflict that it is in, whatever becomes of the other one.
    if (strategy === 'None' && !(isConflict(field) && isConflict(loss))) return undefined;
    return { loss, ruleBetween, first: to[0] };
  }

  /**
   * What became of a field that a layer held once: what it lost later at the field, or at what that is a part of. Where all that it said
   * has gone to another, what became of the field there.
   */
  #takenFrom(layer: PlacedLayer<Spec>, pointer: string): Decided<Spec> | undefined {
    const seen = new Set<PlacedLayer<Spec>>();
    let around: readonly string[] | undefined;
    let taken: Decided<Spec> | undefined;
    for (let at: PlacedLayer<Spec> | undefined = layer; at !== undefined && !seen.has(at); at = taken?.first) {
      seen.add(at);
      const lost = this.#byLayer.get(at);
      if (lost === undefined) return taken;
      const there = lost.at(pointer);
      if (there !== undefined) return there;
      around ??= prefixesOf(pointer).toReversed();
      const whole = around.map((place) => lost.at(place)).find((it) => it !== undefined);
      if (whole === undefined && this.#isContributor(at)) return taken;
      taken = whole ?? lost.first;
    }
    return taken;
  }

  #isContributor(layer: PlacedLayer<Spec>): boolean {
    this.#contributors ??= new Set(contributors(this.#effective.origins));
    return this.#contributors.has(layer);
  }
}

/** What one layer lost in one merge. */
interface LostInMerge<Spec> {
  readonly fields: readonly FieldLoss<Spec>[];
  readonly ruleBetween: RuleBetween;
  /** Of each field, who holds it in the end where that is not who prevailed first. */
  readonly decided: readonly (Decided<Spec> | undefined)[];
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
    for (const { fields, ruleBetween, decided } of this.#unread) {
      for (const [index, loss] of fields.entries()) {
        this.#byPointer.set(loss.pointer, decided[index] ?? { loss, ruleBetween, first: loss.to[0] });
      }
    }
    this.#unread = [];
    return this.#byPointer;
  }
}

const nothing: readonly never[] = [];

function withFinal<Spec>(field: FieldLoss<Spec>, final: Loss<Spec> | undefined): FieldLoss<Spec> {
  return final === undefined ? field : { ...field, final: [final] };
}
