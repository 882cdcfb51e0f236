import type { Report } from '../data/report.ts';

/** A question that users can select. */
export interface Suggestion {
  /** The question, as {@link Questions} reads it. */
  readonly text: string;
  readonly type: 'target' | 'policy';
}

/** Suggests names of targets and policies. */
export class Suggestions {
  readonly #all: readonly (Suggestion & { readonly low: string; readonly order: number })[];

  constructor({ nodes, policies }: Report) {
    const targets = nodes.map(({ label, kind }) => ({ type: 'target' as const, label, order: isRoute(kind) ? 0 : 1 }));
    const others = policies.map(({ label }) => ({ type: 'policy' as const, label, order: 1 }));
    this.#all = [...targets, ...others].map(({ type, label, order }) => {
      return { type, text: label, low: label.toLowerCase(), order };
    });
  }

  /**
   * Returns the names that contain all words of a text: first those where a name begins with the first word; of these the routes, then the shorter ones.
   *
   * @param most The maximum number of names.
   */
  for(text: string, most: number): readonly Suggestion[] {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const [first] = words;
    if (first === undefined) return [];
    const matching = this.#all.filter(({ low }) => words.every((word) => low.includes(word)));
    const ranked = matching.map((it) => ({ it, rank: rankOf(it.low, first) }));
    ranked.sort(
      (a, b) =>
        a.rank - b.rank ||
        a.it.order - b.it.order ||
        a.it.low.length - b.it.low.length ||
        (a.it.low < b.it.low ? -1 : 1),
    );
    return ranked.slice(0, most).map(({ it: { text: name, type } }) => ({ text: name, type }));
  }
}

/** Returns whether a kind is one of routes, which most people look for. */
function isRoute(kind: string): boolean {
  return kind.split('.', 1)[0]?.endsWith('Route') === true;
}

/** Returns the rank of a suggestion: 0 if a name begins with the word, 1 if another part does, otherwise 2. */
function rankOf(label: string, word: string): number {
  const index = label.indexOf(word);
  if (label.includes(`/${word}`)) return 0;
  return index === 0 || ' /#'.includes(label[index - 1] ?? '') ? 1 : 2;
}
