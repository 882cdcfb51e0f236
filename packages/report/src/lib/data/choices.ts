import { type Context, EffectivePolicy } from '@policy-machinery/effective-policy';
import { statusQueries } from '@policy-machinery/effective-policy/inner';
import type { Path, TargetNode } from '@policy-machinery/topology';
import { internedLists } from './interned.ts';
import type { Names } from './names.ts';
import type { Patch } from './patch.ts';
import type { ChoiceRow, NodeId, ViewData } from './report-data.ts';
import { Rows } from './rows.ts';
import type { ViewRows } from './view-rows.ts';

/** The contexts that requests meet at one target below a rule: entries and contexts in turns. */
type Met = Map<NodeId, number[]>;

/** In place of a context: the policies of the kind do not count on the path. */
const none = -1;

/** The contexts that requests meet, at targets that have several contexts in one view, or one that not all paths lead to. */
export class Choices {
  readonly #lists = internedLists<readonly number[]>();
  readonly #rows = new Rows<ChoiceRow | 0>(0);
  readonly #view: ViewRows;
  readonly #names: Names;

  constructor(view: ViewRows, names: Names) {
    this.#view = view;
    this.#names = names;
  }

  /** Collects the contexts that requests to a rule meet. Each path begins at an entry and passes the rule; paths of one entry are consecutive. */
  set(rule: TargetNode, paths: Iterable<readonly [path: Path, entry: number]>): void {
    const met: Met = new Map();
    for (const [path, entry] of paths) this.#add(met, path, entry);
    this.#rows.set(this.#names.node(rule), met.size === 0 ? 0 : this.#rowOf(met));
  }

  remove(id: number): void {
    this.#rows.set(id, 0);
  }

  /** Has a row for each target. */
  reach(length: number): void {
    this.#rows.reach(length);
  }

  /** How much there is in lists that only grow. */
  get weight(): number {
    return this.#lists.weight;
  }

  get rows(): Pick<ViewData, 'choices' | 'choiceLists'> {
    return { choices: this.#rows.values, choiceLists: this.#lists.values };
  }

  /** Returns the changes after the last call, by table. */
  take(): Readonly<Record<string, Patch | undefined>> {
    return { choices: this.#rows.take(), choiceLists: this.#lists.take() };
  }

  #add(met: Met, path: Path, entry: number): void {
    const isLeftOut = path.some((target) => !statusQueries(this.#view.effective).includes(target));
    if (isLeftOut) {
      const reached = path.filter((target) => this.#view.contextsOf(target).length > 0);
      for (const target of reached) note(met, this.#names.node(target), entry, none);
      return;
    }
    const several = path.filter((target) => this.#view.contextsOf(target).length > 1);
    if (several.length === 0) return;
    const along = new Map(this.#view.effective.along(path).map((context) => [context.target, context]));
    for (const target of several) {
      const context = along.get(target);
      const isMet = (other: Context<unknown>): boolean =>
        context === undefined ? !(other instanceof EffectivePolicy) : other.isSame(context);
      const place = this.#view.contextsOf(target).findIndex(isMet);
      if (place >= 0) note(met, this.#names.node(target), entry, place);
    }
  }

  #rowOf(met: Met): ChoiceRow {
    return [...met].flatMap(([target, list]) => {
      const [, first = 0] = list;
      const isOne = first !== none && list.every((context, index) => index % 2 === 0 || context === first);
      return [target, isOne ? first : -1 - this.#lists.place(list)];
    });
  }
}

function note(met: Met, target: NodeId, entry: number, context: number): void {
  const pairs = met.get(target) ?? [];
  met.set(target, pairs);
  if (!has(pairs, entry, context)) pairs.push(entry, context);
}

function has(pairs: readonly number[], entry: number, context: number): boolean {
  for (let index = pairs.length - 2; index >= 0; index -= 2) {
    if (pairs[index] !== entry) return false; // Paths of one entry are consecutive.
    if (pairs[index + 1] === context) return true;
  }
  return false;
}
