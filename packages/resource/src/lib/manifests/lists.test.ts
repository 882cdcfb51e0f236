import { describe, expect, it } from 'vitest';
import { formatIssue } from '../../index.ts';
import { type ManifestOptions, parseManifests } from '../../manifests.ts';
import { cpuTimeOf } from '../cpu-time.fixture.ts';

const read = (text: string, options?: ManifestOptions) => {
  const lines: string[] = [];
  const { resources } = parseManifests(text, { ...options, onIssue: (issue) => lines.push(formatIssue(issue)) });
  return { lines, names: resources.map(({ metadata }) => metadata.name) };
};

const named = (name: string, spec: string) =>
  `{"apiVersion":"v1","kind":"A","metadata":{"name":"${name}"},"spec":${spec}}`;
const list = (...specs: readonly string[]) =>
  `{"apiVersion":"v1","kind":"List","items":[\n${specs.map((spec, index) => named('abcdef'.charAt(index), spec)).join(',\n')}]}`;
const yamlList = (...specs: readonly string[]) =>
  `apiVersion: v1\nkind: AList\nitems:\n${specs.map((spec, index) => `- metadata: { name: ${'abcdef'.charAt(index)} }\n  spec: ${spec}\n`).join('')}`;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('parseManifests on a faulty item of a list', () => {
  it.each([
    [
      'a __proto__ key in JSON',
      list('1', '{"x":{"__proto__":1}}', '1'),
      'manifest:3:68: error: the key __proto__ is refused; rename it (/items/1/spec/x/__proto__) [unsafe-key]',
    ],
    [
      'a __proto__ key of the item itself',
      `{"apiVersion":"v1","kind":"AList","items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"},"__proto__":{}},{"metadata":{"name":"c"}}]}`,
      'manifest:1:95: error: the key __proto__ is refused; rename it (/items/1/__proto__) [unsafe-key]',
    ],
    [
      'a __proto__ key in YAML',
      yamlList('1', '{ __proto__: 1 }', '1'),
      'manifest:7:11: error: the key __proto__ is refused; rename it (/items/1/spec/__proto__) [unsafe-key]',
    ],
    [
      'too deep nesting in JSON',
      list('1', nested(200), '1'),
      'manifest:3:64: error: nested more than 100 levels deep, or an object that contains itself; flatten it (/items/1/spec/0/0) [too-deep]',
    ],
    [
      'too deep nesting in YAML',
      yamlList('1', nested(200), '1'),
      `manifest:7:106: error: nested more than 100 levels deep; flatten it (/items/1/spec${'/0'.repeat(97)}) [too-deep]`,
    ],
    [
      'a value that is no JSON',
      list('1', '1e999', '1'),
      'manifest:3:55: error: Infinity is not a JSON value; quote it to make it a string (/items/1/spec) [no-json]',
    ],
    [
      'a key that comes twice in JSON',
      list('1', '{"x":1,"x":2}', '1'),
      'manifest:3:69: error: the key occurs twice in one object; remove one of the two (/items/1/spec) [duplicate-key]',
    ],
    [
      'a key that comes twice in YAML',
      yamlList('1', '1\n  spec: 2', '1'),
      'manifest:8:3: error: the key occurs twice in one object; remove one of the two (/items/1) [duplicate-key]',
    ],
    [
      'an alias to nothing',
      yamlList('1', '[1, *x]', '1'),
      'manifest:7:13: error: the anchor &x is missing before this alias; write the values out (/items/1/spec/1) [bad-alias]',
    ],
    [
      'a tag that means nothing',
      yamlList('1', '!vault secret', '1'),
      'manifest:7:9: error: Unresolved tag: !vault (/items/1/spec) [yaml-syntax]',
    ],
    [
      'a merge of what is no object',
      yamlList('1', '{ <<: 1 }', '1'),
      'manifest:6:3: error: Merge sources must be maps or map aliases (/items/1) [yaml-syntax]',
    ],
  ])('loses it alone for %s', (_, text, line) => {
    expect(read(text)).toEqual({ lines: [line], names: ['a', 'c'] });
  });

  it('loses only the faulty items of nested lists', () => {
    const inner = list('1', '{"__proto__":1}').replaceAll('"name":"', '"name":"x');
    expect(read(`{"kind":"List","items":[${inner},${named('z', '1')}]}`)).toEqual({
      lines: [expect.stringContaining('(/items/0/items/1/spec/__proto__) [unsafe-key]')],
      names: ['xa', 'z'],
    });
  });

  it('also loses items that repeat it by an alias, and no others', () => {
    const { lines, names } = read(yamlList('&x {p: 1, p: 2}', '[*x, *x]', '&y 3', '*y'));
    expect(names).toEqual(['c', 'd']);
    expect(lines).toEqual([
      expect.stringContaining('[duplicate-key]'),
      'manifest:7:10: error: the value of the anchor &x is faulty; correct it there (/items/1/spec/0) [bad-alias]',
    ]);
  });

  it('loses only the items with aliases that expand to too many values', () => {
    const { lines, names } = read(yamlList('&x [1, 2]', '[*x, *x, *x]', '[*x, *x]', '5'), { limits: { aliases: 8 } });
    expect(names).toEqual(['a', 'd']);
    expect(lines).toHaveLength(2);
    expect(lines.every((line) => line.includes('expand to more than 8 values'))).toBe(true);
  });

  it('refuses a list that is faulty itself', () => {
    const text = `{"kind":"List","metadata":{"__proto__":1},"items":[${named('a', '1')}]}`;
    expect(read(text)).toEqual({ lines: [expect.stringContaining('(/metadata/__proto__) [unsafe-key]')], names: [] });
  });

  it('returns the others unchanged', () => {
    const { resources } = parseManifests(yamlList('{ a: [1] }', '{ __proto__: 1 }'), { onIssue: () => {} });
    expect(resources).toEqual([{ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, spec: { a: [1] } }]);
  });

  it('survives lists in lists in lists', () => {
    const deep = `${'{"kind":"List","items":['.repeat(10_000)}${']}'.repeat(10_000)}`;
    expect(read(deep).lines).toEqual([expect.stringContaining('[too-deep]')]);
  });

  it.each([
    ['keys that come twice', yamlList(...['1']).concat('- {metadata: {name: b}, spec: {x: 1, x: 1}}\n'.repeat(10_000))],
    ['tags that mean nothing', yamlList(...['1']).concat('- {metadata: {name: b}, spec: !x 1}\n'.repeat(10_000))],
    [
      'objects that nest too deeply',
      `{"kind":"List","items":[${Array(1_000)
        .fill(named('b', nested(101)))
        .join()}]}`,
    ],
  ])('takes time that grows with the text, for many %s', (_, text) => {
    expect(cpuTimeOf(() => read(text))).toBeLessThan(20_000);
  });
});
