import type { RE2JS } from '@bufbuild/re2';
import { type Acceptor, TooManyStates } from './acceptor.ts';

type Automaton = ReturnType<RE2JS['re2']>['dfa'];
/** Instructions that may follow, without those that lead to them. */
type Closure = Pick<ReturnType<Automaton['computeClosure']>, 'isMatch' | 'hasEmptyWidth'> & {
  readonly pcs: Int32Array;
};
type Instruction = Automaton['prog']['inst'][number];

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
  reading: 'whole' | 'part' | 'beginning',
  onState: () => void = () => {},
): Re2Acceptor | undefined {
  const { dfa } = engine.re2();
  const divisions = divisionsIn(dfa.prog.inst);
  if (divisions === undefined) return undefined;
  const states = new States(dfa, onState, reading === 'part');
  const isPart = reading !== 'whole';
  const next = (state: number, character: number): number | undefined => {
    if (isPart && state === matched) return matched;
    const { at, before } = states.of(state);
    const context = at.hasEmptyWidth ? contextOf(before, character) : 0;
    if (isPart && isMatch(dfa, at, context)) return matched;
    const behind = states.behind(at, character, context);
    if (behind.pcs.length === 0) return undefined;
    return isPart && behind.isMatch ? matched : states.idOf(behind, character);
  };
  const accepts = (state: number): boolean => {
    if (isPart && state === matched) return true;
    const { at, before } = states.of(state);
    return at.isMatch || isMatch(dfa, at, contextOf(before, outside));
  };
  const startAfter = (character: number): number => states.start(isPart, character);
  return { next, accepts, start: startAfter(outside), startAfter, divisions };
}

function isMatch(dfa: Automaton, { hasEmptyWidth, pcs }: Closure, context: number): boolean {
  return hasEmptyWidth && dfa.resolveEmptyWidth(pcs, context).isMatch;
}

/** A state: the possible continuations, and the character before it, which assertions compare. */
interface State {
  readonly at: Closure;
  readonly before: number;
}

/** The states of an automaton, by numbers: the states of the engine would take five times the memory. */
class States {
  readonly #dfa: Automaton;
  readonly #onState: () => void;
  readonly #all: State[];
  readonly #ids = new Map<string, number>();
  readonly #first: Closure;
  /** The instruction that each character leads to, besides those that continue. */
  readonly #restart: readonly number[];
  #instructions = 0;

  constructor(dfa: Automaton, onState: () => void, restarts: boolean) {
    this.#dfa = dfa;
    this.#onState = onState;
    this.#restart = restarts ? [dfa.prog.start] : [];
    this.#first = this.#closureOf([dfa.prog.start]);
    this.#all = [{ at: this.#first, before: outside }]; // The number of matched parts.
  }

  start(isPart: boolean, before: number): number {
    return isPart && this.#first.isMatch ? matched : this.idOf(this.#first, before);
  }

  of(id: number): State {
    const state = this.#all[id];
    if (state === undefined) throw new TypeError(`unknown state ${id}`);
    return state;
  }

  behind({ pcs, hasEmptyWidth }: Closure, character: number, context: number): Closure {
    const { prog } = this.#dfa;
    const active = hasEmptyWidth ? this.#dfa.resolveEmptyWidth(pcs, context).resolvedPCs : pcs;
    const next = [...this.#restart];
    for (const pc of active) {
      const instruction = prog.inst[pc];
      if (instruction?.matchRune(character)) next.push(instruction.out);
    }
    return this.#closureOf(next);
  }

  idOf(at: Closure, character: number): number {
    const before = at.hasEmptyWidth ? kindOf(character) : outside;
    const key = `${before} ${at.pcs.join()}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    if (this.#all.length === limits.states) throw new TooManyStates();
    this.#onState();
    this.#ids.set(key, this.#all.length);
    return this.#all.push({ at, before }) - 1;
  }

  #closureOf(instructions: number[]): Closure {
    const { pcs, isMatch, hasEmptyWidth } = this.#dfa.computeClosure(instructions);
    this.#instructions += pcs.length;
    if (this.#instructions > limits.instructions) throw new TooManyStates();
    return { pcs, isMatch, hasEmptyWidth };
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

/** Returns the code points where characters begin to lead elsewhere; `undefined` if they are not known. */
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
