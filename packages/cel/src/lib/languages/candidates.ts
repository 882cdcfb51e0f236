import { TooManyStates } from './acceptor.ts';
import { kindOf, limits, matched, outside, type Re2Acceptor } from './re2-acceptor.ts';

/** The memory that some {@link Candidates} share. If it is full, all forget their states, and compute them again for further texts. */
export class Memory {
  /** How often it was full. */
  filled = 0;
  #left: number = most;

  take(bytes: number): void {
    this.#left -= bytes;
  }

  /** Starts again if it is full. */
  renew(): void {
    if (this.#left >= 0) return;
    this.#left = most;
    this.filled += 1;
  }
}

/** In bytes. */
const most = 300_000_000;

/** States of acceptors, in order, each with its acceptor: see {@link codeOf}. */
type States = Uint32Array;

/** Where texts lead. All texts that lead here continue alike. */
interface Place {
  readonly states: States;
  /** The kind of the last character, which assertions compare. */
  readonly before: number;
  readonly steps: Map<number, Step>;
  /** The acceptors that accept a text that ends here, once they are asked for. */
  accepting?: readonly number[];
}

/** The result of reading a character. */
interface Step {
  readonly to: Place;
  /** The acceptors that accept all texts that begin like this. */
  readonly matches: readonly number[];
}

/** The places that are known so far, for some patterns. */
interface Learned {
  /** How often the memory was full before. */
  readonly filled: number;
  readonly acceptors: readonly (Re2Acceptor | undefined)[];
  /** The patterns without an acceptor, and those that match the empty text. */
  readonly always: readonly number[];
  readonly places: Map<number, Place[]>;
  /** The places before a match begins, by the kind of the last character. */
  readonly beginnings: Map<number, Place>;
}

/** Patterns, and how implementations read them. */
export interface CandidateOptions {
  readonly patterns: readonly string[];
  /** Whether matches may begin and end at any place of a text. */
  readonly isPart: boolean;
  /** Returns the acceptor of a pattern, of the beginning of texts if matches may end anywhere; `undefined` if there is none. */
  readonly acceptorOf: (pattern: string) => Re2Acceptor | undefined;
  readonly memory: Memory;
}

/**
 * Finds the patterns that may match a text, for all patterns together: the step for a character is kept for all texts that lead to the same states.
 * So many texts cost their length, and the states of the patterns that may still match.
 */
export class Candidates {
  readonly #options: CandidateOptions;
  #learned: Learned | undefined;

  constructor(options: CandidateOptions) {
    this.#options = options;
  }

  /** Returns the places of the patterns that may match a text, in order: all but those that do not match it for certain. */
  of(text: string): readonly number[] {
    const { memory, isPart } = this.#options;
    memory.renew();
    if (this.#learned?.filled !== memory.filled) this.#learned = this.#nothingLearned();
    const learned = this.#learned;
    const candidates = new Set(learned.always);
    const beginning = this.#beginning(learned, outside);
    let place = isPart ? this.#place(learned, [], outside) : beginning;
    for (const letter of text) {
      const step = this.#step(learned, place, letter.codePointAt(0) ?? 0, isPart);
      for (const index of step.matches) candidates.add(index);
      place = step.to;
    }
    const ends = isPart ? [place, this.#beginning(learned, place.before)] : [place];
    for (const end of ends) {
      end.accepting ??= acceptingIn(end, learned);
      for (const index of end.accepting) candidates.add(index);
    }
    return [...candidates].sort((a, b) => a - b);
  }

  #nothingLearned(): Learned {
    const { patterns, acceptorOf, memory } = this.#options;
    const acceptors = patterns.map((pattern) => orElse(() => acceptorOf(pattern), undefined));
    const always = [...acceptors.keys()].filter((index) => (acceptors[index]?.start ?? matched) === matched);
    return { filled: memory.filled, acceptors, always, places: new Map(), beginnings: new Map() };
  }

  /** Returns the place where a match of any pattern may begin, behind a character of a kind. */
  #beginning(learned: Learned, before: number): Place {
    const { acceptors, beginnings } = learned;
    const codes = (): number[] =>
      acceptors.flatMap((acceptor, index) => (acceptor ? codeOf(index, acceptor.startAfter(before)) : []));
    const place = beginnings.get(before) ?? this.#place(learned, codes(), before);
    beginnings.set(before, place);
    return place;
  }

  /** Returns the step for a character. If `begins`, further matches may begin before it. */
  #step(learned: Learned, place: Place, character: number, begins: boolean): Step {
    const before = place.steps.get(character);
    if (before !== undefined) return before;
    const begun = begins ? this.#step(learned, this.#beginning(learned, place.before), character, false) : undefined;
    const codes = [...(begun?.to.states ?? [])];
    const matches = [...(begun?.matches ?? [])];
    for (const code of place.states) {
      const index = acceptorIn(code);
      const state = orElse(() => learned.acceptors[index]?.next(stateIn(code), character), matched);
      if (state === matched) matches.push(index);
      else if (state !== undefined) codes.push(codeOf(index, state));
    }
    const step = { to: this.#place(learned, codes, kindOf(character)), matches };
    place.steps.set(character, step);
    this.#options.memory.take(4 * matches.length + 100);
    return step;
  }

  /** Returns the place with some states, given in any order. */
  #place({ places }: Learned, codes: readonly number[], before: number): Place {
    const sorted = Uint32Array.from(codes).sort();
    const states = sorted.filter((code, index) => code !== sorted[index - 1]);
    const hash = states.reduce((sum, code) => Math.imul(sum ^ code, 0x01000193), before);
    const alike = places.get(hash) ?? [];
    const same = alike.find((place) => place.before === before && isSame(place.states, states));
    if (same !== undefined) return same;
    const place: Place = { states, before, steps: new Map() };
    places.set(hash, [...alike, place]);
    this.#options.memory.take(states.byteLength + 500);
    return place;
  }
}

function isSame(one: States, other: States): boolean {
  return one.length === other.length && one.every((code, index) => code === other[index]);
}

function acceptingIn({ states }: Place, { acceptors }: Learned): readonly number[] {
  const accepts = (code: number): boolean => acceptors[acceptorIn(code)]?.accepts(stateIn(code)) === true;
  return [...states].filter((code) => orElse(() => accepts(code), true)).map(acceptorIn);
}

function codeOf(acceptor: number, state: number): number {
  return acceptor * limits.states + state;
}

function acceptorIn(code: number): number {
  return Math.floor(code / limits.states);
}

function stateIn(code: number): number {
  return code % limits.states;
}

/** Returns the result of a function; something else if an acceptor has too many states. */
function orElse<Result>(run: () => Result, other: Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof TooManyStates) return other;
    throw error;
  }
}
