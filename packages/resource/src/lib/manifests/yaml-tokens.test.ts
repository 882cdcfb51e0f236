import { describe, expect, it } from 'vitest';
import { type ManifestOptions, parseManifests } from '../../manifests.ts';
import { cpuTimeOf } from '../cpu-time.fixture.ts';
import { issuesIn, service } from './issues.fixture.ts';

const specs = (text: string, options?: ManifestOptions) =>
  parseManifests(text, options).resources.map(({ spec }) => spec);

/** Each is read to the same value by sigs.k8s.io/yaml and by PyYAML. */
const readable: readonly (readonly [string, string, unknown])[] = [
  ['in double quotes', 'spec:\n  a: "x\n  y"\n', { a: 'x y' }],
  ['in single quotes', "spec:\n  a: 'x\n  it''s\n  y'\n  b: 1\n", { a: "x it's y", b: 1 }],
  ['less indented than the key', 'spec:\n  a: "x\n y"\n  b: 1\n', { a: 'x y', b: 1 }],
  ['at column 0', 'spec:\n  a: "x\ny"\n  b: 1\n', { a: 'x y', b: 1 }],
  ['below a key of the document', 'spec: "x\ny"\n', 'x y'],
  ['with blank lines', "spec:\n  a: 'x\n\n\n  y'\n  b: 1\n", { a: 'x\n\ny', b: 1 }],
  ['with what elsewhere is a comment', 'spec:\n  a: "x\n# y\n  z" # c\n# d\n  b: 1\n', { a: 'x # y z', b: 1 }],
  ['with what elsewhere is a key', 'spec:\n  a: "x\n  b: y"\n  c: 1\n', { a: 'x b: y', c: 1 }],
  ['with escapes', 'spec:\n  a: "x\\"\n  \\ty\\\n  z\\\\"\n  b: 1\n', { a: 'x" \tyz\\', b: 1 }],
  ['with CRLF line endings', 'spec:\r\n  a: "x\r\n  y"\r\n  b: 1\r\n', { a: 'x y', b: 1 }],
  ['in a list', 'spec:\n- "x\ny"\n- z: \'1\n  2\'\n  b: 3\n', ['x y', { z: '1 2', b: 3 }]],
  ['in lists in lists', 'spec:\n- - "x\ny"\n  - z\n- b\n', [['x y', 'z'], 'b']],
  ['in a line of its own', 'spec:\n  a:\n    "x\n y"\n  b: 1\n', { a: 'x y', b: 1 }],
  ['with an anchor', 'spec:\n  a: &a "x\ny"\n  b: *a\n', { a: 'x y', b: 'x y' }],
  ['in a flow mapping', 'spec:\n  a: {b: "x\ny", "c":1}\n  d: 1\n', { a: { b: 'x y', c: 1 }, d: 1 }],
  ['in a flow sequence', "spec:\n  a: [['x\ny'], {b: 'z\n'}]\n  d: 1\n", { a: [['x y'], { b: 'z ' }], d: 1 }],
  ['one after the other', 'spec:\n  a: "x\n  y"\n  b: \'x\n  y\'\n  c: ["x\ny"]\n', { a: 'x y', b: 'x y', c: ['x y'] }],
  ['in a flow collection itself', 'spec: {\na: 1,\n"b":2,\nc: [\n1,\n2\n]\n}\n', { a: 1, b: 2, c: [1, 2] }],
  ['in a list as a flow collection', 'spec:\n- [\n1, # one\n\n2\n]\n- {\n  a: x\n  y\n}\n', [[1, 2], { a: 'x y' }]],
];

/** None of these is read by sigs.k8s.io/yaml. */
const unreadable: readonly (readonly [string, string])[] = [
  ['without an end', 'spec:\n  a: "x\n  y\n'],
  ['with an escaped quote as their end', "spec:\n  a: 'x''\n"],
  ['with an escaped double quote as their end', 'spec:\n  a: "x\\"'],
  ['with an escaped quote as their end, across documents', "spec:\n  a: 'x\n---\nb: c''"],
  ['in a list after a key with a question mark, without a colon', 'spec:\n  ? a\n  - "b"\n'],
  ['across documents', 'spec:\n  a: "x\n---\ny"\n'],
  ['across the end of a document', "spec:\n  a: 'x\n...\ny'\n"],
  ['in a line of its own that is not indented', 'spec:\n  a:\n  "x\n  y"\n  b: 1\n'],
  ['as a key', 'spec:\n  "x\n  y": 1\n'],
  ['with something behind it', 'spec:\n  a: "x\n  y" z\n'],
  ['with a value behind it', 'spec:\n  a: "x\n  y": z\n'],
  ['in a flow collection without an end', 'spec: {\na: 1,\nb: 2\n'],
  ['in a flow collection across documents', 'spec: [\n1,\n---\n2]\n'],
  ['without quotes', 'spec:\n  a: x\n  y\n  b: 1\n'],
];

describe('parseManifests on lines that are not indented', () => {
  it.each(readable)('reads them in quotes %s', (_, text, spec) => {
    expect(specs(`${service()}${text}`)).toEqual([spec]);
    expect(specs(`${service('a')}${text}---\n${service('b')}${text}`)).toEqual([spec, spec]);
  });

  it.each(unreadable)('refuses them %s', (_, text) => {
    expect(issuesIn(`${service()}${text}`)).toContainEqual(expect.stringContaining('[yaml-syntax]'));
  });

  it.each(unreadable.slice(1))('reads the documents around them %s', (_, text) => {
    const { resources } = parseManifests(`${service('a')}---\n${service('x')}${text}\n---\n${service('b')}`, {
      onIssue: () => {},
    });
    const names = resources.map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name !== 'x')).toEqual(['a', 'b']);
  });

  it('finds the positions of values after them', () => {
    const manifests = parseManifests({
      source: 'f',
      text: `${service()}spec:\n  a: "x\ny"\n  b: [\n1,\n2]\n  c: 1\n---\n${service('b')}spec:\n  a: 'x\ny'\n`,
    });
    const [first, second] = manifests.resources;
    expect(first && manifests.positionOf(first, '/spec/a')).toMatchObject({ line: 5, column: 3 });
    expect(first && manifests.positionOf(first, '/spec/b/1')).toMatchObject({ line: 9, column: 1 });
    expect(first && manifests.positionOf(first, '/spec/c')).toMatchObject({ line: 10, column: 3 });
    expect(second && manifests.positionOf(second, '/spec/a')).toMatchObject({ line: 16, column: 3 });
  });

  it.each([
    ['quoted scalars', (count: number) => `${service()}spec:\n${'- "x\ny"\n'.repeat(count)}`],
    ['flow collections', (count: number) => `${service()}spec:\n${'- [\n1]\n'.repeat(count)}`],
    ['brackets and quotes', (count: number) => `${service()}spec: ${'[\n"x\ny"\n'.repeat(count)}`],
    ['quotes without an end', (count: number) => `${service()}spec:\n${'- "x\n\\"y\n'.repeat(count)}`],
  ])('takes time that grows with the text, for many %s', (_, text) => {
    expect(cpuTimeOf(() => issuesIn(text(50_000)))).toBeLessThan(20_000);
  });
});
