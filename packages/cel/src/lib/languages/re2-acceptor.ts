import type { RE2JS } from '@bufbuild/re2';
import { type Acceptor, TooManyStates } from './acceptor.ts';

type Automaton = ReturnType<RE2JS['re2']>['dfa'];
type AutomatonState = NonNullable<Automaton['startState']>;
type Instruction = Automaton['prog']['inst'][number];

/** The anchors of the engine: a match of any part of a text, of all of it, or of its `beginning`. */
const anchors = { part: 0, whole: 2, beginning: 2 } as const;

/** The bits of a position in a text that assertions such as `^` and `\b` compare. */
const assertions = {
  beginLine: 1,
  endLine: 2,
  beginText: 4,
  endText: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;

const ignoresCase = 1;
const newline = 10;
/** Stands for the character before a text, and for the one after it. */
export const outside = -1;

/** The state of a part that matches: all texts that begin like this are accepted. */
export const matched = 0;

/** The states of one automaton, and the instructions that these have. */
export const limits = { states: 2000, instructions: 1_000_000 } as const;

/** The acceptor of a compiled expression. */
export interface Re2Acceptor extends Acceptor {
  /** Returns the state before a text behind a character: {@link outside} stands for no character. */
  readonly startAfter: (character: number) => number;
}

/**
 * Returns an acceptor of the texts that a compiled expression matches. It uses the automaton of the engine, and so agrees with the engine.
 *
 * @param engine The compiled expression.
 * @param reading Whether the expression must match a text as a whole, any part of it, or its beginning.
 * @param onState Called for each new state.
 * @returns The acceptor; `undefined` if the expression ignores the case of letters outside ASCII.
 */
export function re2Acceptor(
  engine: RE2JS,
  reading: keyof typeof anchors,
  onState: () => void = () => {},
): Re2Acceptor | undefined {
  const { dfa } = engine.re2();
  const divisions = divisionsIn(dfa.prog.inst);
  if (divisions === undefined) return undefined;
  const states = new States(dfa, onState);
  const isPart = reading !== 'whole';
  const next = (state: number, character: number): number | undefined => {
    if (isPart && state === matched) return matched;
    const { at, before } = states.of(state);
    const context = at.hasEmptyWidth ? contextOf(before, character) : 0;
    if (isPart && isMatch(dfa, at, context)) return matched;
    const behind = states.behind(at, character, anchors[reading], context);
    if (behind.nfaStates.length === 0) return undefined;
    return isPart && behind.isMatch ? matched : states.idOf(behind, character);
  };
  const accepts = (state: number): boolean => {
    if (isPart && state === matched) return true;
    const { at, before } = states.of(state);
    return at.isMatch || isMatch(dfa, at, contextOf(before, outside));
  };
  const startAfter = (character: number): number => states.start(isPart, character);
  return { ...remembered(next, accepts), start: startAfter(outside), startAfter, divisions };
}

/** Returns functions of an acceptor that remember their results, for characters of ASCII in arrays. */
function remembered(next: Acceptor['next'], accepts: Acceptor['accepts']): Pick<Acceptor, 'next' | 'accepts'> {
  const [unknown, dead] = [-2, -1];
  const known: Int16Array[] = [];
  const accepted: (boolean | undefined)[] = [];
  return {
    next: (state, character) => {
      if (character >= 0x80) return next(state, character);
      const row = known[state] ?? new Int16Array(0x80).fill(unknown);
      known[state] = row;
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

function isMatch(dfa: Automaton, { hasEmptyWidth, nfaStates }: AutomatonState, context: number): boolean {
  return hasEmptyWidth && dfa.resolveEmptyWidth(nfaStates, context).isMatch;
}

/** The states of an automaton, by numbers. Assertions make a state depend on the character before it, too. */
class States {
  readonly #dfa: Automaton;
  readonly #onState: () => void;
  readonly #all: { readonly at: AutomatonState; readonly before: number }[];
  readonly #first: AutomatonState;
  readonly #ids = new Map<AutomatonState, Map<number, number>>();
  #instructions = 0;

  constructor(dfa: Automaton, onState: () => void) {
    this.#dfa = dfa;
    this.#onState = onState;
    this.#first = this.#counted(dfa.getState([dfa.prog.start]));
    this.#all = [{ at: this.#first, before: outside }]; // The number of matched parts.
  }

  start(isPart: boolean, before: number): number {
    return isPart && this.#first.isMatch ? matched : this.idOf(this.#first, before);
  }

  of(id: number): { readonly at: AutomatonState; readonly before: number } {
    const state = this.#all[id];
    if (state === undefined) throw new TypeError(`there is no state ${id}`);
    return state;
  }

  behind(at: AutomatonState, character: number, anchor: number, context: number): AutomatonState {
    return this.#counted(this.#dfa.step(at, character, anchor, context));
  }

  idOf(at: AutomatonState, character: number): number {
    const before = at.hasEmptyWidth ? kindOf(character) : outside;
    const ids = this.#ids.get(at) ?? new Map<number, number>();
    this.#ids.set(at, ids);
    const known = ids.get(before);
    if (known !== undefined) return known;
    if (this.#all.length === limits.states) throw new TooManyStates();
    this.#onState();
    ids.set(before, this.#all.length);
    return this.#all.push({ at, before }) - 1;
  }

  #counted(state: AutomatonState | null): AutomatonState {
    this.#instructions += state?.nfaStates.length ?? 0;
    if (state === null || this.#instructions > limits.instructions) throw new TooManyStates();
    return state;
  }
}

function isWord(character: number): boolean {
  return /\w/.test(character === outside ? '' : String.fromCodePoint(character));
}

/** Returns a character that assertions do not distinguish from another one. */
export function kindOf(character: number): number {
  if (character === outside || character === newline) return character;
  return (isWord(character) ? 'a' : ' ').charCodeAt(0);
}

/** Returns which assertions hold between two characters. */
function contextOf(before: number, after: number): number {
  const { beginLine, endLine, beginText, endText, wordBoundary, noWordBoundary } = assertions;
  return (
    (before === outside ? beginText | beginLine : before === newline ? beginLine : 0) |
    (after === outside ? endText | endLine : after === newline ? endLine : 0) |
    (isWord(before) === isWord(after) ? noWordBoundary : wordBoundary)
  );
}

/** The characters that assertions distinguish from others. */
const asserted = [newline, newline + 1, ...rangesOf('09AZ__az')];

function rangesOf(pairs: string): readonly number[] {
  return [...pairs].map((each, index) => each.charCodeAt(0) + (index % 2));
}

/** Returns the code points at which characters begin to lead elsewhere; `undefined` if they are not known. */
function divisionsIn(instructions: readonly Instruction[]): readonly number[] | undefined {
  const divisions = new Set(asserted);
  for (const { runes, arg } of instructions) {
    const [only] = runes;
    const isFolded = runes.length === 1 && (arg & ignoresCase) !== 0;
    if (isFolded && only !== undefined && only > 0x7f) return undefined;
    const characters = isFolded ? casesOf(only) : runes.length === 1 ? runes.flatMap((it) => [it, it]) : runes;
    characters.forEach((character, index) => {
      divisions.add(character + (index % 2));
    });
  }
  return [...divisions];
}

/** The characters outside ASCII that are letters of ASCII in another case. */
const otherCases: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f' };

/** Returns a letter of ASCII in each case, twice. */
function casesOf(letter: number | undefined): readonly number[] {
  const lower = String.fromCodePoint(letter ?? 0).toLowerCase();
  return [...`${lower}${lower.toUpperCase()}${otherCases[lower] ?? ''}`].flatMap((it) => {
    const character = it.codePointAt(0) ?? 0;
    return [character, character];
  });
}
