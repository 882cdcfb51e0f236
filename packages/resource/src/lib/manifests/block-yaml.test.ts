import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../cpu-time.fixture.ts';
import { blockYaml } from './block-yaml.ts';
import { limitsFrom } from './limits.ts';
import { type Fail, yamlDocumentsIn } from './yaml-documents.ts';
import { yamlIn } from './yaml-text.ts';

type Read = typeof yamlIn;

/** Returns what a reader says about a text: values, and faults with their places. Empty documents are left out. */
function reading(read: Read, text: string) {
  const failures: Parameters<Fail>[] = [];
  const documents = [...read(text, limitsFrom({ depth: 6 }), (...failure) => failures.push(failure))];
  const shown = documents.filter(({ value, faults }) => faults.length > 0 || (value !== null && value !== undefined));
  return { failures, faults: shown.flatMap(({ faults }) => faults), values: shown.map(({ value }) => value) };
}

/** Lines, parts of lines, and whatever else may come between them. */
const parts = [
  ...[
    'a: b\n',
    'a:\n',
    'b: 1\n',
    '  c: d\n',
    '  e:\n',
    '    f: |\n',
    '      g\n',
    '      h: |-\n',
    '- x\n',
    '- y: z\n',
  ],
  ...[
    '  - i\n',
    '  -\n',
    '- - j\n',
    '-\n',
    '    k: l\n',
    "m: 'it''s'\n",
    'n: "a\\tb\\u00e9"\n',
    'o: {}\n',
    '- []\n',
    '# p\n',
  ],
  ...[
    'a',
    'b: ',
    ' ',
    '  ',
    '    ',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\t',
    '- ',
    '-',
    ': ',
    ':',
    '? ',
    ' #',
    '#',
    '|',
    '|-\n',
    '|+\n',
  ],
  ...[
    '|2\n',
    '>\n',
    '>-\n',
    '&a ',
    '*a',
    '!!str ',
    '!x ',
    '<<: ',
    '[',
    ']',
    '{',
    '}',
    ', ',
    '"',
    "'",
    '\\',
    '%',
    '@',
    '`',
    '~',
  ],
  ...[
    '---\n',
    '--- ',
    '---',
    '...\n',
    'yes: ',
    '010',
    '1_000',
    '.nan',
    '0x1F',
    '1e3',
    'null: ',
    '__proto__: ',
    '=',
    '"q": ',
  ],
  ...['\u00A0', '\u0085', '\u2028', '\uFEFF', 'é', '😀', '\uD800', '\\uD83D\\uDE00', '\u0000', '\\/', '\\x41', '80: '],
];

const hostile = fc.array(fc.constantFrom(...parts), { maxLength: 16 }).map((some) => some.join(''));

const scalar = fc.oneof(
  fc.constantFrom(
    ...['x', '"x"', "'x'", '10', 'yes', '~', 'a b', 'a:b', 'a#b', '-1', '--x', '{}', '[]', '"{}"', '', ' # c'],
  ),
  fc.constantFrom(
    ...['x # c', '"x" # c', "''", '"\\n"', '|', '|-', '.5', '1.10', 'http://a/b', '$x', '*', '&x', '!x', '%', '@'],
  ),
);

/** A text with correct or wrong indentation in a few places. */
const indented = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 4 }),
      fc.constantFrom('', '', '- ', '- - ', '-  '),
      fc.constantFrom('', 'a: ', 'b: ', 'c:  ', '"d": ', 'e : ', '80: ', '#'),
      scalar,
      fc.constantFrom('\n', '\n', '\n', '\n', ' \n', '\n\n', '\r\n', '\n   \n', '\n---\n', ''),
    ),
    { maxLength: 12 },
  )
  .map((lines) =>
    lines.map(([indent, dashes, key, value, end]) => `${' '.repeat(indent)}${dashes}${key}${value}${end}`).join(''),
  );

/** Documents with the values that kubectl reads. */
const documents = Object.keys(
  JSON.parse(readFileSync(new URL('../../../vectors/kubectl-yaml.json', import.meta.url), 'utf8')).documents,
);

const runs = { numRuns: 20 * Number(process.env.PROPERTY_RUNS ?? 40) };

describe('blockYaml', () => {
  it.each([
    ['what kubectl prints', 'metadata:\n  name: a\nspec:\n  ports:\n  - name: http\n    port: 80\n'],
    ['what Helm prints', '---\n# Source: a/b.yaml\nspec:\n  ports:\n    - port: 80 # http\n\n      name: "http"\n'],
    ['an applied configuration', 'a:\n  b: |\n    {"c":"d: e # f"}\n  g: 1\n'],
    ['lists in lists', '- - 1\n  -   - 2\n- a:\n  - b: {}\n'],
    ['quotes and escapes', `"a b": 'it''s'\n'c': "\\u00e9\\n" # d\n`],
    ['values of YAML 1.1', 'a: yes\n010: 0x1F\nb:\n'],
    ['CRLF line endings', 'a: b\r\nc: |\r\n  d\r\n'],
    ['nothing', '---\n# a\n'],
  ])('reads %s without the parser, to the same value', (_, text) => {
    const { value } = blockYaml(text, 6) ?? {};
    expect(value).toBeDefined();
    expect(reading(yamlDocumentsIn, text)).toEqual({ failures: [], faults: [], values: value === null ? [] : [value] });
  });

  it.each([
    ['hostile', hostile],
    ['indented', indented],
  ])('reads any %s text as the parser does, or leaves it to the parser', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const block = blockYaml(text, 6);
        if (block === undefined) return;
        const values = block.value === null ? [] : [block.value];
        expect(reading(yamlDocumentsIn, text)).toEqual({ failures: [], faults: [], values });
      }),
      runs,
    );
  });

  it.each([
    ['items on a line', '- '.repeat(1_000_000)],
    ['spaces', `a: b${' '.repeat(1_000_000)}c\n`],
    ['colons', `a: ${':'.repeat(1_000_000)}c\n`],
    ['escapes', `a: "${'\\\\'.repeat(1_000_000)}"\n`],
    ['blank lines in a block', `a: |\n  b\n${'\n'.repeat(1_000_000)}`],
  ])('takes time that grows with the text, for many %s', (_, text) => {
    expect(cpuTimeOf(() => blockYaml(text, 100))).toBeLessThan(5_000);
  });
});

describe('yamlIn', () => {
  it('reads the documents of any text without faults as the parser does', () => {
    const texts = fc.array(fc.oneof(hostile, indented, fc.constantFrom(...documents)), { maxLength: 4 });
    fc.assert(
      fc.property(texts, (all) => {
        const text = all.join('\n---\n');
        const parsed = reading(yamlDocumentsIn, text);
        if (parsed.failures.length + parsed.faults.length === 0) expect(reading(yamlIn, text)).toEqual(parsed);
      }),
      runs,
    );
  });

  it.each(['--- ]\na: 1\n', '---\na: [\n', '---\na: "\n', '---\na: 1\na: 2\n', '---\n\ta: 1\n', '---\n]\n'])(
    'reads the documents around a faulty one, and says where the fault is: %j',
    (faulty) => {
      const { failures, faults, values } = reading(yamlIn, `a: first\n${faulty}---\na: last\n`);
      expect(values.at(0)).toEqual({ a: 'first' });
      expect(values.at(-1)).toEqual({ a: 'last' });
      const places = [...failures.map(([, , offset]) => offset), ...faults.map(({ offset }) => offset)];
      expect(places.length).toBeGreaterThan(0);
      for (const offset of places) {
        expect(offset).toBeGreaterThan('a: first\n'.length);
        expect(offset).toBeLessThanOrEqual('a: first\n'.length + faulty.length);
      }
    },
  );
});
