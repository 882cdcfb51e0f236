/**
 * A set of texts that is decided one character at a time: a regular language. States are numbers, so that states of several acceptors can
 * be compared together.
 */
export interface Acceptor {
  readonly start: number;
  /**
   * Returns the state behind a character; `undefined` if no text that begins like this is accepted.
   *
   * @throws {TooManyStates} If the acceptor has more states than its limit.
   */
  readonly next: (state: number, character: number) => number | undefined;
  /** Returns whether the text that leads to a state is accepted. */
  readonly accepts: (state: number) => boolean;
  /** The first code points of ranges of characters that lead to one state: between two of these, all characters lead to the same states. */
  readonly divisions: readonly number[];
}

/** Thrown if an acceptor has more states than its limit. Nothing is known about the texts that lead there. */
export class TooManyStates extends Error {}

/**
 * Returns whether an acceptor accepts a text.
 *
 * @throws {TooManyStates} If the acceptor has more states than its limit.
 */
export function isAccepted({ start, next, accepts }: Acceptor, text: string): boolean {
  let state: number | undefined = start;
  for (let place = 0; place < text.length && state !== undefined; place += 1) {
    const unit = text.charCodeAt(place);
    const character = unit < 0xd800 ? unit : (text.codePointAt(place) ?? unit);
    if (character > 0xffff) place += 1;
    state = next(state, character);
  }
  return state !== undefined && accepts(state);
}

/** Returns an acceptor that remembers its results, for characters of ASCII in arrays. */
export function remembered<Some extends Acceptor>(acceptor: Some): Some {
  const { next, accepts } = acceptor;
  const [unknown, dead] = [-2, -1];
  const rows: Int16Array[] = [];
  const accepted: (boolean | undefined)[] = [];
  return {
    ...acceptor,
    next: (state, character) => {
      if (character >= 0x80) return next(state, character);
      const row = rows[state] ?? new Int16Array(0x80).fill(unknown);
      rows[state] = row;
      const before = row[character] ?? unknown;
      if (before !== unknown) return before === dead ? undefined : before;
      const result = next(state, character);
      row[character] = result ?? dead;
      return result;
    },
    accepts: (state) => {
      const result = accepted[state] ?? accepts(state);
      accepted[state] = result;
      return result;
    },
  };
}
