import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatIssue, type Issue } from '../../index.ts';
import { parseManifests } from '../../manifests.ts';
import { cpuTimeOf } from '../cpu-time.fixture.ts';
import { issuesIn, service } from './issues.fixture.ts';

const times = (count: number, text: string) => text.repeat(count);

describe('parseManifests on syntax errors', () => {
  it.each([
    [
      'manifest:4:10: error: Flow map in block collection must be sufficiently indented and end with a } [yaml-syntax]',
      `${service()}spec: {a:`,
    ],
    ['manifest:4:7: error: Unresolved tag: !vault [yaml-syntax]', `${service()}spec: !vault secret\n`],
    ['manifest:4:8: error: a key is a list or an object; write a string [yaml-syntax]', `${service()}spec: {[a]: b}\n`],
    [
      'manifest:4:8: error: the anchor &b is missing before this alias; write the values out [bad-alias]',
      `${service()}spec: [*b, &b c]\n`,
    ],
    [
      'manifest:4:14: error: the key occurs twice in one object; remove one of the two [duplicate-key]',
      `${service()}spec: {a: 1, a: 2}\n`,
    ],
    [
      'manifest:4:15: error: the key occurs twice in one object; remove one of the two [duplicate-key]',
      `${service()}spec: {80: 1, "80": 2}\n`,
    ],
    [
      'manifest:2:24: error: the key occurs twice in one object; remove one of the two [duplicate-key]',
      '{"apiVersion":"v1","kind":"A",\n"metadata":{"name":"a","name":"b"}}',
    ],
    ['manifest:1:1: error: a directive, which kubectl refuses; remove it [yaml-syntax]', `%what\n---\n${service()}`],
    ['manifest:1:1: error: a directive, which kubectl refuses; remove it [yaml-syntax]', '%YAML 1.1\n'],
    [
      'manifest:4:1: error: text after ---, which kubectl refuses; begin a line with it [yaml-syntax]',
      `${service()}--- ${'{a: 1}'}\n---\n${service('b')}`,
    ],
    [
      'manifest:5:1: error: kubectl does not read beyond "..."; write "---" in its place [yaml-syntax]',
      `${service()}...\n${service('b')}`,
    ],
    [
      'manifest:4:6: error: kubectl does not read beyond this line; end the previous one with a line feed [yaml-syntax]',
      `${service()}x: 1\u2028---\n${service('b')}`,
    ],
    [
      'manifest:4:8: error: a control character, which kubectl refuses; remove it [yaml-syntax]',
      `${service()}spec: "\u0007"\n---\n${service('b')}`,
    ],
    ['manifest:5:1: error: a tab indents the line; use spaces [yaml-syntax]', `${service()}spec:\n\ta: 1\n`],
  ])('reports %s', (line, text) => {
    expect(issuesIn(text)).toEqual([line]);
  });

  it.each([
    ['an action for a value', 3, 'kind: Service\nmetadata:\n  name: {{ .Values.name }}\n'],
    ['an action on a line of its own', 2, 'ports:\n{{- range .Values.ports }}\n- port: {{ .port }}\n{{- end }}\n'],
  ])('reports a template once, with the remedy, and reads the other documents: %s', (_, line, text) => {
    expect(issuesIn(`${text}---\n${service()}`)).toEqual([
      expect.stringMatching(new RegExp(`^manifest:${line}:.* a template, .*helm template.* \\[yaml-syntax\\]$`)),
    ]);
  });

  it('reports a merge of a value that is not an object, at its document', () => {
    expect(issuesIn(`${service()}---\n${service('b')}spec: {<<: a}\n`)).toEqual([
      'manifest:4:1: error: Merge sources must be maps or map aliases [yaml-syntax]',
    ]);
  });

  it('reports values outside JSON', () => {
    expect(issuesIn(`${service()}spec: {a: .nan, b: -.inf}\n`)).toEqual([
      'manifest:4:8: error: NaN is not a JSON value; quote it to make it a string (/spec/a) [no-json]',
      'manifest:4:17: error: -Infinity is not a JSON value; quote it to make it a string (/spec/b) [no-json]',
    ]);
    expect(issuesIn(`${service()}spec: [2024-05-01, !!set {a}]\n`)).toEqual([
      'manifest:4:26: error: Set is not a JSON value; quote it to make it a string (/spec/1) [no-json]',
    ]);
    expect(issuesIn('{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"spec":1e999}')).toEqual([
      'manifest:1:55: error: Infinity is not a JSON value; quote it to make it a string (/spec) [no-json]',
    ]);
  });
});

describe('parseManifests on __proto__ keys', () => {
  it.each([
    [
      'manifest:4:8: error: the key __proto__ is refused; rename it (/spec/__proto__)',
      `${service()}spec: {__proto__: {a: 1}}\n`,
    ],
    [
      'manifest:4:10: error: the key __proto__ is refused; rename it (/spec/0/__proto__)',
      `${service()}spec: [ {"__proto__": 1}]\n`,
    ],
    ['manifest:4:1: error: the key __proto__ is refused; rename it (/__proto__)', `${service()}__proto__: {spec: 1}\n`],
    [
      'manifest:3:30: error: the key __proto__ is refused; rename it (/metadata/labels/__proto__)',
      'apiVersion: v1\nkind: A\nmetadata: {name: a, labels: {__proto__: b}}\n',
    ],
    [
      'manifest:4:1: error: the key __proto__ is refused; rename it (/spec/__proto__)',
      `${service()}spec: {<<: {__proto__: 1}}\n`,
    ],
    [
      'manifest:2:15: error: the key __proto__ is refused; rename it (/spec/0/a/__proto__)',
      '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},\n"spec":[{"a":{"__proto__":{"b":1}}}]}',
    ],
    [
      'manifest:2:9: error: the key __proto__ is refused; rename it (/spec/__proto__)',
      '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},\n"spec":{"\\u005f_proto__":1}}',
    ],
    [
      'manifest:1:44: error: the key __proto__ is refused; rename it (/items/0/__proto__)',
      '{"apiVersion":"v1","kind":"List","items":[{"__proto__":1}]}',
    ],
  ])('reports %s', (line, text) => {
    expect(issuesIn(text)).toEqual([`${line} [unsafe-key]`]);
    expect({}).not.toHaveProperty('a');
  });
});

describe('parseManifests on nesting', () => {
  const deep = 10_000;
  it.each([
    ['manifest:4:106', 'YAML lists', `${service()}spec: ${times(deep, '[')}${times(deep, ']')}`],
    ['manifest:4:106', 'YAML lists without an end', `${service()}spec: ${times(deep, '[')}`],
    ['manifest:4:403', 'YAML objects', `${service()}spec: ${times(deep, '{a: ')}${times(deep, '}')}`],
    ['manifest:1:201', 'YAML items', `${times(deep, '- ')}a`],
    ['manifest:1:201', 'YAML keys', `${times(deep, '? ')}a`],
    [
      'manifest:1:73',
      'JSON',
      `{"apiVersion":"v1","kind":"Service","metadata":{"name":"cart"},"spec":${times(deep, '[')}${times(deep, ']')}}`,
    ],
  ])('reports at %s a value 10,000 levels deep, in %s', (position, _, text) => {
    const [line, ...more] = issuesIn(text);
    expect(line).toMatch(/ error: nested more than 100 levels deep.* \[too-deep\]$/);
    expect(line?.split(' ')[0]).toBe(`${position}:`);
    expect(more).toEqual([]);
  });

  it('applies a custom limit, in YAML as in JSON', () => {
    const nested = (levels: number) => times(levels - 1, '[') + times(levels - 1, ']');
    const texts = (levels: number) => [
      `${service()}spec: ${nested(levels)}\n`,
      `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"spec":${nested(levels)}}`,
    ];
    for (const text of texts(10)) expect(issuesIn(text, { limits: { depth: 10 } })).toEqual([]);
    for (const text of texts(11)) expect(issuesIn(text, { limits: { depth: 10 } })).toHaveLength(1);
    for (const text of texts(100)) expect(issuesIn(text)).toEqual([]);
    for (const text of texts(101)) expect(issuesIn(text)).toHaveLength(1);
  });

  it('counts the levels behind aliases', () => {
    const text = `${service()}spec:\n  a: &a [[[1]]]\n  b: &b [[[*a]]]\n  c: [[[*b]]]\n`;
    expect(issuesIn(text, { limits: { depth: 12 } })).toEqual([]);
    expect(issuesIn(text, { limits: { depth: 10 } })).toEqual([
      'manifest:7:7: error: nested more than 10 levels deep, or an object that contains itself; flatten it (/spec/c/0) [too-deep]',
    ]);
  });
});

describe('parseManifests on aliases', () => {
  const bomb = ['  a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [index, name] of [...'bcdefghi'].entries()) {
    const alias = `*${'abcdefgh'[index]}`;
    bomb.push(`  ${name}: &${name} [${Array(9).fill(alias).join(', ')}]`);
  }

  it.each([
    [
      'manifest:8:10: error: the aliases expand to more than 1000 values',
      'a bomb',
      `${service()}spec:\n${bomb.join('\n')}\n`,
    ],
    [
      'manifest:6:11: error: the aliases expand to more than 1000 values',
      'one long list',
      `${service()}spec:\n  a: &a [${times(500, 'x,')}]\n  b: [*a, *a, *a]\n`,
    ],
    [
      'manifest:6:22: error: the aliases expand to more than 1000 values',
      'merged objects',
      `${service()}spec:\n  a: &a {${Array.from({ length: 600 }, (_, key) => `k${key}: 1`)}}\n  b: [{<<: *a}, {<<: *a}]\n`,
    ],
    ['manifest:4:11: error: the anchor &a contains itself', 'a list in itself', `${service()}spec: &a [*a]\n`],
    [
      'manifest:4:18: error: the anchor &a contains itself',
      'an object in itself',
      `${service()}spec: &a {b: {c: *a}}\n`,
    ],
    [
      'manifest:4:15: error: the anchor &a contains itself',
      'an object merged into itself',
      `${service()}spec: &a {<<: *a, b: 1}\n`,
    ],
  ])('reports %s in %s', (line, _, text) => {
    expect(issuesIn(text)).toEqual([expect.stringContaining(`${line}; write `)]);
  });

  it('reports each alias inside its own anchor', () => {
    expect(issuesIn(`${service()}spec: &a {x: *a, y: [*a, *a]}\n`)).toHaveLength(3);
  });

  it('counts each document on its own', () => {
    const text = (name: string) => `${service(name)}spec:\n  a: &a [${times(300, 'x,')}]\n  b: [*a, *a, *a]\n`;
    expect(issuesIn(`${text('a')}---\n${text('b')}`)).toEqual([]);
  });

  it('applies a custom limit', () => {
    const text = `${service()}spec: [&a [1, 2, 3], *a, *a]\n`;
    expect(issuesIn(text, { limits: { aliases: 8 } })).toEqual([]);
    expect(issuesIn(text, { limits: { aliases: 7 } })).toHaveLength(1);
  });
});

describe('parseManifests on size', () => {
  it('refuses a text beyond limits.characters', () => {
    expect(issuesIn(service(), { limits: { characters: 10 } })).toEqual([
      'manifest:1:1: error: the text has 54 characters, more than the 10 allowed; split it [too-large]',
    ]);
  });

  it('refuses a YAML document beyond limits.yamlCharacters, and names its line', () => {
    const text = `${service()}---\n${service('b')}spec: ${times(100, 'x')}\n---\n${service('c')}`;
    expect(issuesIn(text, { limits: { yamlCharacters: 200 } })).toEqual([]);
    expect(issuesIn(text, { limits: { yamlCharacters: 100 } })).toEqual([
      expect.stringMatching(
        /^manifest:4:1: error: the document has more than the 100 characters that are read as YAML; .* \[too-large\]$/,
      ),
    ]);
  });

  it('keeps a default where a limit is undefined', () => {
    const limits = { depth: undefined, characters: undefined } as object;
    expect(issuesIn(`${service()}spec: ${times(200, '[')}${times(200, ']')}`, { limits })).toHaveLength(1);
  });

  it.each([
    ['keys', `${service()}spec:\n${Array.from({ length: 20_000 }, (_, key) => `  k${key}: 1`).join('\n')}`],
    ['faults', `${service()}spec:\n${Array.from({ length: 2_000 }, (_, key) => `  k${key}: .nan`).join('\n')}`],
    ['stray brackets', times(50_000, ']')],
    ['anchors', times(10_000, '&a ')],
    [
      'duplicates in a list',
      `kind: List\nitems:\n${times(1_000, `- {apiVersion: v1, kind: A, metadata: {name: a}}\n`)}`,
    ],
    ['duplicate documents', times(1_000, `${service()}---\n`)],
    ['null items', `{"kind":"List","items":[${times(50_000, 'null,')}null]}`],
    ['one long string', `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"spec":"${times(1_000_000, '\\\\')}"}`],
  ])('takes time that grows with the text, for many %s', (_, text) => {
    expect(cpuTimeOf(() => issuesIn(text))).toBeLessThan(10_000);
  });
});

describe('parseManifests on any text', () => {
  it('returns valid resources, or throws its own error', () => {
    const fragments = fc.constantFrom(
      ...[
        'apiVersion: v1',
        'kind: Service',
        'kind: List',
        'items:',
        'metadata:',
        '{name: a}',
        'name: a',
        '- ',
        '  ',
        '\n',
        '\r\n',
      ],
      ...[
        '&a ',
        '*a',
        '<<: ',
        '!!set ',
        '!x ',
        '? ',
        ': ',
        '[',
        ']',
        '{',
        '}',
        '"',
        "'",
        '|',
        '>',
        '#',
        '%',
        '---\n',
        '...\n',
        '\t',
        ',',
      ],
      ...['__proto__: ', '.nan', 'null', '1e999', '\uFEFF', '\u0000', '\\', '"a":', '{"a":1,"a":2}'],
    );
    const texts = fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          texts.map((text) => `${service()}spec: ${text}`),
        ),
        (text) => {
          for (const line of issuesIn(text)) expect(line).toMatch(/^manifest:\d+:\d+: error: [\s\S]* \[[a-z-]+\]$/);

          const issues: Issue[] = [];
          const { resources } = parseManifests(text, { onIssue: (issue) => issues.push(issue) });
          expect(JSON.parse(JSON.stringify(resources))).toEqual(resources);
          expect(issues.map(formatIssue)).toEqual(issuesIn(text));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
