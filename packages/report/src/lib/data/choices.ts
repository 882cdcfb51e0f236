import type { Path, TargetNode } from '@policy-machinery/topology';
import { internedLists } from './interned.ts';
import type { Names } from './names.ts';
import type { ChoiceRow, NodeId, ViewData } from './report-data.ts';
import type { View } from './view-data.ts';

/** The contexts that requests meet at one target below a rule: entries and contexts in turns. */
type Met = Map<NodeId, number[]>;

/** Which contexts of one view requests meet, at targets that have several. */
export class Choices {
  readonly #byRule = new Map<NodeId, Met>();
  readonly #view: View;
  readonly #names: Names;

  constructor(view: View, names: Names) {
    this.#view = view;
    this.#names = names;
  }

  /** Notes what a path of requests meets that a rule takes at one entry. */
  add(path: Path, rule: TargetNode, entry: number): void {
    const { effective, contextsOf } = this.#view;
    if (!path.some((target) => contextsOf(target).length > 1)) return;
    const ruleId = this.#names.node(rule);
    const met = this.#byRule.get(ruleId) ?? new Map<NodeId, number[]>();
    this.#byRule.set(ruleId, met);
    for (const context of effective.along(path)) {
      const contexts = contextsOf(context.target);
      if (contexts.length < 2) continue;
      const place = contexts.findIndex((it) => it.isSame(context));
      const target = this.#names.node(context.target);
      const there = met.get(target) ?? [];
      met.set(target, there);
      if (!has(there, entry, place)) there.push(entry, place);
    }
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
    if (pairs[at] !== entry) return false; // Paths of one entry come one after the other.
    if (pairs[at + 1] === context) return true;
  }
  return false;
}
