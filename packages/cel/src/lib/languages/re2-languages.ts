import type { RE2JS } from '@bufbuild/re2';
import { compileRe2, type Re2, re2Of } from '../re2.ts';
import { type Acceptor, isAccepted, remembered, TooManyStates } from './acceptor.ts';
import { Candidates, Memory } from './candidates.ts';
import { type FindLimit, type FoundText, findText, type TextQuestion } from './find-text.ts';
import { type Re2Acceptor, re2Acceptor } from './re2-acceptor.ts';

/** Whether implementations match a text as a `whole`, as Envoy does, or any `part` of it, as NGINX does. */
export type Reading = 'whole' | 'part';

/** The texts that regular expressions match. */
export interface RegularLanguages {
  /** How implementations may read regular expressions. */
  readonly readings: readonly Reading[];
  /**
   * Returns a test of texts, for one reading or for `every` one.
   *
   * @returns The test. Its result is `undefined` if the readings differ, if RE2 does not understand the pattern, or if the text is too long.
   */
  readonly engine: (reading: Reading | 'every') => (pattern: string) => (text: string) => boolean | undefined;
  /** Returns the acceptor of a pattern; `undefined` if RE2 does not understand it, or if it would take too long. */
  readonly acceptor: (pattern: string, reading: Reading) => Acceptor | undefined;
  /**
   * Returns a function that finds the patterns that may match a text, whatever the reading, at once: all but those that do not match it for certain.
   *
   * @returns The function. It returns the places of the patterns, in order.
   */
  readonly candidates: (patterns: readonly string[]) => (text: string) => readonly number[];
  /** Returns a text that is part of every text that matches: the empty text if none is known. */
  readonly literal: (pattern: string) => string;
  /** Returns a text that some acceptors accept and others do not. */
  readonly find: (question: TextQuestion, limit: FindLimit) => FoundText;
}

/** Options of {@link re2Languages}. */
export interface LanguageOptions {
  /** How implementations may read regular expressions. Default: both ways. */
  readonly readings?: readonly Reading[] | undefined;
}

/** Facts about a pattern. */
interface Pattern {
  readonly test: Re2;
  readonly engine: RE2JS;
  /** Returns the acceptor, made once. */
  readonly acceptor: (reading: Reading) => Acceptor | undefined;
}

/** The states of all acceptors together, beyond which all are forgotten and made again: about 200 MB. */
const mostStates = 200_000;

/** The memory of a state for {@link RegularLanguages.candidates}. */
const bytesOfState = 900;

/**
 * Returns the languages of the regular expressions of RE2, each compiled once. You need not trust the authors of the patterns: see `re2`. An
 * acceptor stops beyond a million instructions of its states.
 *
 * @param options How implementations may read regular expressions.
 * @example
 * ```ts
 * const { acceptor, find } = re2Languages();
 * const [own, other] = ['/a/.*', '/a/b.*'].map((pattern) => acceptor(pattern, 'whole'));
 * ```
 */
export function re2Languages({ readings = ['whole', 'part'] }: LanguageOptions = {}): RegularLanguages {
  const patterns = new Map<string, Pattern | undefined>();
  const memory = new Memory();
  const isPart = readings.includes('part');
  let states = 0;
  const onState = (): void => {
    states += 1;
  };
  const acceptorOf = (pattern: string): Re2Acceptor | undefined => {
    const engine = patternOf(pattern)?.engine;
    const made = engine && re2Acceptor(engine, isPart ? 'beginning' : 'whole', () => memory.take(bytesOfState));
    return made && remembered(made);
  };
  const patternOf = (pattern: string): Pattern | undefined => {
    if (states > mostStates) {
      states = 0;
      patterns.clear(); // Whoever uses an acceptor keeps it.
    }
    if (!patterns.has(pattern)) patterns.set(pattern, compiled(pattern, onState));
    return patterns.get(pattern);
  };
  return {
    readings,
    engine: (reading) => (pattern) => {
      const known = patternOf(pattern);
      return (text) => known && answerOf(known, text, reading === 'every' ? readings : [reading]);
    },
    acceptor: (pattern, reading) => patternOf(pattern)?.acceptor(reading),
    candidates: (of) => {
      const all = new Candidates({ patterns: of, isPart, acceptorOf, memory });
      return (text) => all.of(text);
    },
    literal: (pattern) => literalIn(patternOf(pattern)?.engine.re2().prefilter ?? undefined),
    find: findText,
  };
}

function compiled(pattern: string, onState: () => void): Pattern | undefined {
  try {
    const engine = compileRe2(pattern);
    const acceptors = new Map<Reading, Acceptor | undefined>();
    const acceptor = (reading: Reading): Acceptor | undefined => {
      const made = acceptors.has(reading) ? undefined : re2Acceptor(engine, reading, onState);
      if (!acceptors.has(reading)) acceptors.set(reading, made && remembered(made));
      return acceptors.get(reading);
    };
    return { test: re2Of(engine), engine, acceptor };
  } catch {
    return undefined;
  }
}

/** Returns the common answer of all readings for a text. A text without a part that matches does not match as a whole. */
function answerOf(pattern: Pattern, text: string, readings: readonly Reading[]): boolean | undefined {
  if (readings.length === 1) return matches(pattern, text, readings[0] ?? 'whole');
  const isPart = matches(pattern, text, 'part');
  return isPart === true && matches(pattern, text, 'whole') !== true ? undefined : isPart;
}

/** Returns whether a text matches: an acceptor remembers its states from other texts. */
function matches({ acceptor, test }: Pattern, text: string, reading: Reading): boolean | undefined {
  try {
    const known = acceptor(reading);
    if (known !== undefined) return isAccepted(known, text);
  } catch (error) {
    if (!(error instanceof TooManyStates)) throw error;
  }
  return reading === 'whole' ? test.matchesWhole(text) : test.matches(text);
}

/** The kinds of conditions that make the engine look at a text at all. */
const conditions = { text: 1, all: 2 } as const;

type Condition = NonNullable<ReturnType<RE2JS['re2']>['prefilter']>;

/** Returns the longest text that is part of every text that matches. */
function literalIn(condition: Condition | undefined): string {
  if (condition?.type === conditions.text) return condition.str;
  if (condition?.type !== conditions.all) return '';
  return condition.subs.map(literalIn).reduce((longest, each) => (each.length > longest.length ? each : longest), '');
}
