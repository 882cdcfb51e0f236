import { readFileSync } from 'node:fs';
import { type Reading, re2Languages } from '@policy-machinery/cel/languages';
import { re2 } from '@policy-machinery/cel/re2';
import { describe, expect, it } from 'vitest';

/** What Go answers: a pattern alone if Go refuses it; otherwise its matches and its matches from beginning to end, four texts a digit. */
type Vector = readonly [pattern: string, found?: string, whole?: string];
const { texts, patterns } = JSON.parse(readFileSync(new URL('vectors/re2.json', import.meta.url), 'utf8')) as {
  readonly texts: readonly string[];
  readonly patterns: readonly Vector[];
};

/** What Go accepts and the engine does not, so that nothing is said about a text. */
const narrower: Readonly<Record<string, RegExp>> = {
  'long names of properties, in any letter case': /\\p\{(?:greek|Letter)\}|\\ppL/,
  'two groups of the same name': /\(\?P<n>.*\(\?P<n>/s,
  'a "{" that counts nothing and is repeated': /\{(?:[*+?{]|\?)/,
  'a "[:" in a class, without ":]"': /\[[^\]]*\[:\]/,
};

const compiled = (pattern: string) => {
  try {
    return re2(pattern);
  } catch {
    return undefined;
  }
};

/** Returns the texts for which a digit of the vector and the engine differ. */
function differences(answers: string, matches: (text: string) => boolean | undefined): readonly string[] {
  return texts.filter((text, index) => {
    const digit = Number.parseInt(answers[index >> 2] ?? '', 16);
    return matches(text) !== ((digit & (8 >> (index & 3))) !== 0);
  });
}

describe('regular expressions of RE2', () => {
  it('match the same texts as in Go', () => {
    expect(patterns.length).toBeGreaterThan(1500);
    const different = patterns.flatMap(([pattern, found, whole]) => {
      const engine = compiled(pattern);
      if (engine === undefined || found === undefined || whole === undefined) return [];
      const at = [...differences(found, engine.matches), ...differences(whole, engine.matchesWhole)];
      return at.length === 0 ? [] : [{ pattern, at }];
    });
    expect(different).toEqual([]);
  });

  it('are those that Go compiles, but for four constructs that only Go understands', () => {
    const wrong = patterns.filter(([pattern, found]) => {
      if ((compiled(pattern) === undefined) === (found === undefined)) return false;
      return found === undefined || !Object.values(narrower).some((construct) => construct.test(pattern));
    });
    expect(wrong).toEqual([]);
  });

  it('include each pattern in the CustomResourceDefinitions of 21 projects', () => {
    const url = new URL('vectors/definitions.json', import.meta.url);
    const known: readonly string[] = JSON.parse(readFileSync(url, 'utf8'));
    expect(known.filter((pattern) => compiled(pattern) === undefined)).toEqual([]);
  });

  it('have languages of the texts that Go matches', () => {
    const languages = re2Languages();
    const accepted = (pattern: string, reading: Reading) => (text: string) => {
      const acceptor = languages.acceptor(pattern, reading);
      let state = acceptor?.start;
      for (const letter of text)
        state = state === undefined ? undefined : acceptor?.next(state, letter.codePointAt(0) ?? 0);
      return state !== undefined && acceptor?.accepts(state) === true;
    };
    const known = patterns.filter(([pattern, found]) => found !== undefined && languages.acceptor(pattern, 'part'));
    expect(known.length).toBeGreaterThan(1400);
    const different = known.flatMap(([pattern, found = '', whole = '']) => {
      const at = [...differences(found, accepted(pattern, 'part')), ...differences(whole, accepted(pattern, 'whole'))];
      return at.length === 0 ? [] : [{ pattern, at }];
    });
    expect(different).toEqual([]);
  });

  it('lead to the same state for characters that no division separates', () => {
    const languages = re2Languages();
    const letters = [...Array(0x250).keys(), 0x37f, 0x3b1, 0x212a, 0x4e2d, 0x1f600];
    const wrong = patterns.flatMap(([pattern]) => {
      const acceptor = languages.acceptor(pattern, 'whole');
      if (acceptor === undefined) return [];
      const { start, next, divisions } = acceptor;
      const first = (letter: number): number => Math.max(0, ...divisions.filter((division) => division <= letter));
      const known = new Map<number, number | undefined>();
      return letters.flatMap((letter) => {
        const range = first(letter);
        if (!known.has(range)) known.set(range, next(start, letter));
        return known.get(range) === next(start, letter) ? [] : [`${pattern} ${letter}`];
      });
    });
    expect(wrong).toEqual([]);
  });
});
