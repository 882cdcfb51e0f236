import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { re2 } from '../re2.ts';
import type { Acceptor } from './acceptor.ts';
import { findText } from './find-text.ts';
import { type Reading, re2Languages } from './re2-languages.ts';

const runs = Number(process.env.PROPERTY_RUNS ?? 40);
const printable = [[0x20, 0x7e]] as const;
const moves = 1_000_000;

/** Returns a text that some patterns match and others do not. */
function find(all: readonly string[], none: readonly string[], reading: Reading = 'whole') {
  const { acceptor, find } = re2Languages();
  const [some, others] = [all, none].map((patterns) => patterns.map((it) => acceptor(it, reading) as Acceptor));
  const found = find({ all: some ?? [], none: others ?? [], characters: printable }, { moves });
  return typeof found === 'string' ? found : found.text;
}

describe('findText', () => {
  it.each([
    [['/a/.*'], [], '/a/'],
    [['/a/.*'], ['/a/'], '/a/a'],
    [['/a/[0-9]+'], ['/a/0.*', '/a/1'], '/a/2'],
    [['[a-z]+', '.{3}'], ['a.*', '.a.'], 'bbb'],
    [['a|b'], ['a', '[bc]'], 'none'],
    [['/a/b/.*'], ['/a/.*'], 'none'],
    [['a*'], [], 'a'],
    [['|b?c?'], ['.+'], ''],
    [['(?i)k'], ['k'], 'K'],
    [['^a$'], ['a\\b'], 'none'],
    [['.*\\bcat\\b.*', '.{5}'], ['cat.*'], '-catA'],
    [['\\x{e9}'], [], 'none'],
  ])('finds a shortest text that %j match and %j do not: %j', (all, none, text) => {
    const found = find(all, none);
    expect(found.length).toBe(text.length);
    if (text !== 'none') for (const it of all) expect(re2(it).matchesWhole(found)).toBe(true);
    for (const it of none) expect(re2(it).matchesWhole(found)).toBe(false);
  });

  it('reads expressions as matching any part of a text', () => {
    expect([find(['a', 'b'], ['ab'], 'part'), find(['^a', 'b$'], [], 'part')]).toEqual(['ba', 'ab']);
    expect(find(['/a/b/'], ['/a/'], 'part')).toBe('none');
  });

  it('does not answer beyond its limit, nor if an expression has too many states', () => {
    const { acceptor } = re2Languages();
    const question = (pattern: string) => ({
      all: [acceptor(pattern, 'whole') as Acceptor],
      none: [],
      characters: printable,
    });
    expect(findText(question('[ab]*c{9}'), { moves: 50 })).toBe('unknown');
    expect(findText(question('[ab]*a[ab]{500}c{999}'), { moves: Number.POSITIVE_INFINITY })).toBe('unknown');
  });
});

/** Random patterns over two letters. */
const patterns = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('a', 'b', '.', '[^a]', '^', '$', '\\b', '\\B', '(?i:A)', ''),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
    fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}')).map(([one, times]) => `(?:${one})${times}`),
  ),
})).pattern;

const texts = fc.array(fc.constantFrom('a', 'b', 'A', '-'), { maxLength: 5 }).map((it) => it.join(''));

const alphabet = [...'abA-'];

/** All texts of at most four characters. */
const allTexts = [...Array(5).keys()].flatMap((length) =>
  [...Array(alphabet.length ** length).keys()].map((number) =>
    [...Array(length).keys()]
      .map((place) => alphabet[Math.floor(number / alphabet.length ** place) % alphabet.length])
      .join(''),
  ),
);

describe('the languages of RE2', () => {
  const languages = re2Languages();

  it.each(['whole', 'part'] as const)('have the texts that the engine matches, for a match of the %s', (reading) => {
    const property = fc.property(patterns, texts, (pattern, text) => {
      const acceptor = languages.acceptor(pattern, reading) as Acceptor;
      let state: number | undefined = acceptor.start;
      for (const letter of text) state = state === undefined ? undefined : acceptor.next(state, letter.charCodeAt(0));
      const isAccepted = state !== undefined && acceptor.accepts(state);
      expect(isAccepted).toBe(languages.engine(reading)(pattern)(text));
    });
    fc.assert(property, { numRuns: 10 * runs });
  });

  it.each(['whole', 'part'] as const)(
    'have a text that one pattern matches and another does not if an enumeration finds one, for a match of the %s',
    (reading) => {
      const property = fc.property(patterns, patterns, (one, other) => {
        const [own, others] = [one, other].map((it) => languages.acceptor(it, reading) as Acceptor) as [
          Acceptor,
          Acceptor,
        ];
        const characters = alphabet.map((it) => [it.charCodeAt(0), it.charCodeAt(0)] as const);
        const found = findText({ all: [own], none: [others], characters }, { moves });
        const isDifferent = (text: string): boolean =>
          languages.engine(reading)(one)(text) === true && languages.engine(reading)(other)(text) === false;
        if (typeof found === 'string') expect(allTexts.filter(isDifferent)).toEqual([]);
        else expect(isDifferent(found.text)).toBe(true);
      });
      fc.assert(property, { numRuns: runs });
    },
  );

  it.each([['whole'], ['part'], ['whole', 'part']] as const)(
    'find all patterns that may match a text at once: %s',
    (...readings) => {
      const { candidates, engine } = re2Languages({ readings });
      const property = fc.property(
        fc.array(patterns, { minLength: 1, maxLength: 6 }),
        fc.array(texts, { minLength: 1, maxLength: 6 }),
        (some, asked) => {
          const find = candidates(some);
          for (const text of asked) {
            const expected = some.flatMap((pattern, index) =>
              readings.some((it) => engine(it)(pattern)(text)) ? index : [],
            );
            expect(find(text)).toEqual(expected);
          }
        },
      );
      fc.assert(property, { numRuns: 2 * runs });
    },
  );

  it('find a pattern that is not decided for every text', () => {
    const patterns = ['a', 'a(?=b)', '(?i)é', '[ab]*a[ab]{900}x{900}y'];
    expect(languages.candidates(patterns)('c')).toEqual([1, 2]);
    const changing = Array.from({ length: 1000 }, (_, number) => number.toString(2)).join('');
    const text = changing.replaceAll('0', 'a').replaceAll('1', 'b');
    expect(languages.candidates(patterns)(text)).toEqual([0, 1, 2, 3]);
  });

  it('have a literal text that is part of each of their texts', () => {
    const property = fc.property(patterns, texts, (pattern, text) => {
      if (languages.engine('part')(pattern)(text)) expect(text).toContain(languages.literal(pattern));
    });
    fc.assert(property, { numRuns: 10 * runs });
    expect(['/tenant-17/.*', '(?:/a)+x?yyy', '.*-17$', 'a|b', '(?i)abc'].map(languages.literal)).toEqual([
      '/tenant-17/',
      'yyy',
      '-17',
      '',
      '',
    ]);
  });

  it('answer for every reading where these agree', () => {
    const test = languages.engine('every')('a+');
    expect(['aa', 'b', 'ab'].map(test)).toEqual([true, false, undefined]);
    expect(re2Languages({ readings: ['whole'] }).engine('every')('a+')('ab')).toBe(false);
  });

  it('do not answer for expressions that RE2 does not understand', () => {
    expect(languages.acceptor('a(?=b)', 'whole')).toBeUndefined();
    expect(languages.engine('every')('a(?=b)')('ab')).toBeUndefined();
    expect(languages.literal('a(?=b)')).toBe('');
    expect(languages.acceptor('(?i)é', 'whole')).toBeUndefined();
  });
});
