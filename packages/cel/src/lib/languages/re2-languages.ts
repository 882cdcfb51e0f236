import type { RE2JS } from '@bufbuild/re2';
import { compileRe2, type Re2, re2Of } from '../re2.ts';
import type { Acceptor } from './acceptor.ts';
import { type FindLimit, type FoundText, findText, type TextQuestion } from './find-text.ts';
import { re2Acceptor } from './re2-acceptor.ts';

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
  /** Returns a text that is part of every text that matches: the empty text if none is known. */
  readonly literal: (pattern: string) => string;
  /** Returns a text that some acceptors accept and others do not: {@link findText}. */
  readonly find: (question: TextQuestion, limit: FindLimit) => FoundText;
}

/** Options of {@link re2Languages}. */
export interface LanguageOptions {
  /** How implementations may read regular expressions. Default: both ways. */
  readonly readings?: readonly Reading[];
}

/** What is known of a pattern. */
interface Pattern {
  readonly test: Re2;
  readonly engine: RE2JS;
  readonly acceptors: Map<Reading, Acceptor | undefined>;
}

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
  const patternOf = (pattern: string): Pattern | undefined => {
    if (!patterns.has(pattern)) patterns.set(pattern, compiled(pattern));
    return patterns.get(pattern);
  };
  return {
    readings,
    engine: (reading) => (pattern) => {
      const test = patternOf(pattern)?.test;
      return (text) => answerOf(test, text, reading === 'every' ? readings : [reading]);
    },
    acceptor: (pattern, reading) => {
      const known = patternOf(pattern);
      if (known === undefined) return undefined;
      const { acceptors, engine } = known;
      if (!acceptors.has(reading)) acceptors.set(reading, re2Acceptor(engine, reading));
      return acceptors.get(reading);
    },
    literal: (pattern) => literalIn(patternOf(pattern)?.engine.re2().prefilter ?? undefined),
    find: findText,
  };
}

function compiled(pattern: string): Pattern | undefined {
  try {
    const engine = compileRe2(pattern);
    return { test: re2Of(engine), engine, acceptors: new Map() };
  } catch {
    return undefined;
  }
}

/** Returns what all readings say about a text. */
function answerOf(test: Re2 | undefined, text: string, readings: readonly Reading[]): boolean | undefined {
  const answers = new Set(readings.map((it) => (it === 'whole' ? test?.matchesWhole(text) : test?.matches(text))));
  const [answer] = answers;
  return answers.size === 1 ? answer : undefined;
}

/** The kinds of conditions under which the engine looks at a text at all. */
const conditions = { text: 1, all: 2 } as const;

type Condition = NonNullable<ReturnType<RE2JS['re2']>['prefilter']>;

/** Returns the longest text that is part of every text that matches. */
function literalIn(condition: Condition | undefined): string {
  if (condition?.type === conditions.text) return condition.str;
  if (condition?.type !== conditions.all) return '';
  return condition.subs.map(literalIn).reduce((longest, each) => (each.length > longest.length ? each : longest), '');
}
