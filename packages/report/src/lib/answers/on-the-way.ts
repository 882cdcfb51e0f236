import type { Report } from '../data/report.ts';
import type { ContextRow, NodeId } from '../data/report-data.ts';
import { descendants } from './descendants.ts';

/** The policies of each kind that requests meet on their way through a rule. */
export class OnTheWay {
  readonly #report: Report;
  readonly #entries: ReadonlyMap<string, number>;

  constructor(report: Report) {
    this.#report = report;
    this.#entries = new Map(report.data.requests.entries.map((nodes, place) => [nodes.join(' '), place]));
  }

  /**
   * Returns the contexts that requests to a rule meet: at the listener, the route, the rule and the backends.
   *
   * @param entry The listener, and the routes that delegate with their rules. Default: any.
   * @returns The contexts by target, in the order of the way. Targets that no policy of the kind reaches are left out.
   */
  of(view: number, rule: NodeId, entry?: readonly NodeId[]): ReadonlyMap<NodeId, readonly ContextRow[]> {
    const choices = new Map(inPairs(this.#report.data.views[view]?.choices[rule] || []));
    const above = entry === undefined ? [] : entry.slice(0, 1).flatMap((id) => [this.#report.node(id).object, id]);
    const isBackend = (id: NodeId) => id === rule || !/^HTTPRoute(?:\.|$)/.test(this.#report.node(id).kind);
    const below = descendants(this.#report, [rule], isBackend);
    const met = new Map<NodeId, readonly ContextRow[]>();
    for (const id of [...above, this.#report.node(rule).object, ...below]) {
      const contexts = this.#report.contextsOf(view, id);
      const chosenContexts = this.#chosen(view, contexts, choices.get(id), entry);
      if (chosenContexts.length > 0) met.set(id, chosenContexts);
    }
    return met;
  }

  #chosen(
    view: number,
    contexts: readonly ContextRow[],
    choice: number | undefined,
    entry: readonly NodeId[] | undefined,
  ): readonly ContextRow[] {
    if (choice === undefined) return contexts.length < 2 ? contexts : [];
    const place = entry && this.#entries.get(entry.join(' '));
    const list = choice < 0 ? (this.#report.data.views[view]?.choiceLists[-1 - choice] ?? []) : [];
    const wanted = new Set(
      choice >= 0
        ? [choice]
        : inPairs(list).flatMap(([entryPlace, context]) =>
            place === undefined || entryPlace === place ? [context] : [],
          ),
    );
    if (contexts.length < 2) return entry !== undefined && wanted.has(-1) ? [] : contexts;
    return contexts.filter((_, index) => wanted.has(index));
  }
}

function inPairs(list: readonly number[]): readonly (readonly [number, number])[] {
  return list.flatMap((first, index) => (index % 2 === 0 ? [[first, list[index + 1] ?? -1] as const] : []));
}
