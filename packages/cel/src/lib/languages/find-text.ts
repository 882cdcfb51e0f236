import { type Acceptor, TooManyStates } from './acceptor.ts';

/** A question for a text. */
export interface TextQuestion {
  /** The acceptors that accept the text. */
  readonly all: readonly Acceptor[];
  /** The acceptors that do not accept it. */
  readonly none: readonly Acceptor[];
  /** The first and last code points of the ranges of its characters. */
  readonly characters: readonly (readonly [first: number, last: number])[];
}

/** The work that is left. The search counts it down. */
export interface FindLimit {
  /** Moves: one for each acceptor and character at each place. */
  moves: number;
}

/** A text, `none` if the text does not exist, or `unknown` beyond the limits. */
export type FoundText = { readonly text: string } | 'none' | 'unknown';

/**
 * Returns one of the shortest texts that some acceptors accept and others do not: a breadth-first search in the product of the acceptors. The empty text
 * is the last one that is considered.
 *
 * @param question The acceptors, and the characters of the text.
 * @param limit The work that is left.
 */
export function findText({ all, none, characters }: TextQuestion, limit: FindLimit): FoundText {
  const letters = lettersOf([...all, ...none], characters);
  const acceptors = [...all, ...none];
  const isFound = (states: States): boolean =>
    states.every((state, index) => {
      const isAccepted = state !== undefined && acceptors[index]?.accepts(state) === true;
      return isAccepted === index < all.length;
    });
  try {
    const start: ReachedText = { states: acceptors.map((acceptor) => acceptor.start), text: '' };
    const found = search(start, limit, { all, acceptors, letters, isFound });
    if (found !== 'none') return found;
    return isFound(start.states) ? { text: '' } : 'none';
  } catch (error) {
    if (error instanceof TooManyStates) return 'unknown';
    throw error;
  }
}

/** The states of all acceptors behind a text; `undefined` for an acceptor that accepts no text that begins like this. */
type States = readonly (number | undefined)[];

interface ReachedText {
  readonly states: States;
  readonly text: string;
}

interface Search {
  readonly all: readonly Acceptor[];
  readonly acceptors: readonly Acceptor[];
  readonly letters: readonly number[];
  readonly isFound: (states: States) => boolean;
}

function search(start: ReachedText, limit: FindLimit, { all, acceptors, letters, isFound }: Search): FoundText {
  const known = new Set<string>();
  const places = [start];
  for (const { states, text } of places) {
    limit.moves -= letters.length * acceptors.length;
    if (limit.moves < 0) return 'unknown';
    for (const letter of letters) {
      const next = statesBehind(states, letter, acceptors, all.length);
      if (next === undefined) continue;
      const key = next.join();
      if (known.has(key)) continue;
      known.add(key);
      const place = { states: next, text: text + String.fromCodePoint(letter) };
      if (isFound(next)) return { text: place.text };
      places.push(place);
    }
  }
  return 'none';
}

/** Returns the states behind a character; `undefined` if one of the first acceptors, which must accept, accepts no text that begins like this. */
function statesBehind(
  states: States,
  letter: number,
  acceptors: readonly Acceptor[],
  required: number,
): States | undefined {
  const behind: (number | undefined)[] = [];
  for (const [index, acceptor] of acceptors.entries()) {
    const state = states[index];
    const next = state === undefined ? undefined : acceptor.next(state, letter);
    if (next === undefined && index < required) return undefined;
    behind.push(next);
  }
  return behind;
}

/** The characters that people read best come first. */
const preferred = [...'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./'].map((it) =>
  it.charCodeAt(0),
);

/** Returns one character of each range that no acceptor divides, the best ones first. */
function lettersOf(acceptors: readonly Acceptor[], characters: TextQuestion['characters']): readonly number[] {
  const divisions = [...new Set(acceptors.flatMap((acceptor) => acceptor.divisions))].sort((a, b) => a - b);
  const letters = characters.flatMap(([first, last]) => {
    const starts = [first, ...divisions.filter((division) => first < division && division <= last)];
    return starts.map((start, index) => bestOf(start, (starts[index + 1] ?? last + 1) - 1));
  });
  return letters.sort((a, b) => rankOf(a) - rankOf(b));
}

function bestOf(first: number, last: number): number {
  return preferred.find((letter) => first <= letter && letter <= last) ?? first;
}

function rankOf(letter: number): number {
  const rank = preferred.indexOf(letter);
  return rank < 0 ? preferred.length + letter : rank;
}
