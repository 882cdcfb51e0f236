import { type Unused, unusedIn } from './least-request.ts';

/** The texts that matches and guarantees compare, and the texts of further questions, as they come. */
export class Vocabulary {
  readonly #texts: readonly Iterable<string>[];
  readonly #added = new Set<string>();
  #unused: Unused;

  /**
   * @param texts The texts so far.
   * @param unused Values that occur in none of these texts. Default: they are found.
   */
  constructor(texts: readonly Iterable<string>[], unused?: Unused) {
    this.#texts = texts;
    this.#unused = unused ?? unusedIn(union(texts));
  }

  /** Adds texts, and returns values that occur in none: the same object as before if the new texts do not contain them. O(new texts), most times. */
  unusedBeside(texts: readonly string[]): Unused {
    const added = texts.filter((text) => !this.#added.has(text));
    for (const text of added) this.#added.add(text);
    if (added.some((text) => isIn(text, this.#unused))) this.#unused = unusedIn(union([...this.#texts, this.#added]));
    return this.#unused;
  }
}

function isIn(text: string, { word, method }: Unused): boolean {
  return text === method || text.toLowerCase().includes(word);
}

function union(texts: readonly Iterable<string>[]): ReadonlySet<string> {
  return new Set(texts.flatMap((some) => [...some]));
}
