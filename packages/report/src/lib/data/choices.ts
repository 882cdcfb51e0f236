import { type Context, EffectivePolicy } from '@policy-machinery/effective-policy';
import type { Path, TargetNode } from '@policy-machinery/topology';
import { internedLists } from './interned.ts';
import type { Names } from './names.ts';
import type { ChoiceRow, NodeId, ViewData } from './report-data.ts';
import type { View } from './view-data.ts';

/** The contexts that requests meet at one target below a rule: entries and contexts in turns. */
type Met = Map<NodeId, number[]>;

/** The contexts that requests meet, at targets that have several contexts in one view. */
export class Choices {
  readonly #byRule = new Map<NodeId, Met>();
  readonly #view: View;
  readonly #names: Names;

  constructor(view: View, names: Names) {
    this.#view = view;
    this.#names = names;
  }

  /** Adds the contexts that requests meet on one path, which begins at an entry and passes a rule. */
  add(path: Path, rule: TargetNode, entry: number): void {
    const { effective, contextsOf } = this.#view;
    const several = path.filter((target) => contextsOf(target).length > 1);
    if (several.length === 0) return;
    const along = new Map(effective.along(path).map((context) => [context.target, context]));
    for (const target of several) {
      const context = along.get(target);
      const isMet = (it: Context<unknown>): boolean =>
        context === undefined ? !(it instanceof EffectivePolicy) : it.isSame(context);
      const place = contextsOf(target).findIndex(isMet);
      if (place >= 0) this.#note(this.#names.node(rule), this.#names.node(target), entry, place);
    }
  }

  #note(rule: NodeId, target: NodeId, entry: number, context: number): void {
    const met = this.#byRule.get(rule) ?? new Map<NodeId, number[]>();
    this.#byRule.set(rule, met);
    const there = met.get(target) ?? [];
    met.set(target, there);
    if (!has(there, entry, context)) there.push(entry, context);
  }

  get rows(): Pick<ViewData, 'choices' | 'choiceLists'> {
    const lists = internedLists<readonly number[]>();
    const choices = [...this.#byRule].map(([rule, met]): ChoiceRow => {
      const pairs = [...met].map(([target, list]) => {
        const [, first = 0] = list;
        const isOne = list.every((context, at) => at % 2 === 0 || context === first);
        return [target, isOne ? first : -1 - lists.place(list)];
      });
      return [rule, ...pairs.flat()];
    });
    return { choices, choiceLists: lists.values };
  }
}

function has(pairs: readonly number[], entry: number, context: number): boolean {
  for (let at = pairs.length - 2; at >= 0; at -= 2) {
    if (pairs[at] !== entry) return false; // Paths of one entry are consecutive.
    if (pairs[at + 1] === context) return true;
  }
  return false;
}
