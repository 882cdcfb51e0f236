import { describe, expect, it } from 'vitest';
import { countsIn } from './sources.ts';

const none = {
  lines: 0,
  'functions over 45 lines': 0,
  'named types': 0,
  exports: 0,
  casts: 0,
  'pronouns as variables': 0,
};
const linesOfCode = (count: number) => '  use();\n'.repeat(count);

describe('the counts of a source', () => {
  it.each([
    ['interfaces, type aliases and classes', 'interface A {} type B = A; const c = class {};', { 'named types': 3 }],
    ['casts, but not those to a constant', 'const a = (b as unknown as C).d!; const e = [1] as const;', { casts: 3 }],
    ['variables', 'const there = 1; let { a: known, found } = b;', { 'pronouns as variables': 3 }],
    ['parameters', 'function f(own: A, [all]: B) {}', { 'pronouns as variables': 2 }],
    ['no parameters of types', 'declare function f(own: A): B; interface C { d(all: E): F }', { 'named types': 1 }],
    ['no properties', 'const a = { there: 1, known() {} }.there;', {}],
    ['no `it` of an arrow on one line', 'const a = b.map((it) => it.c);', {}],
  ])('contain %s', (_title, text, counts) => {
    expect(countsIn('source.ts', text)).toEqual({ ...none, ...counts });
  });

  it('contain `it` of longer functions', () => {
    expect(countsIn('source.ts', 'const a = (it) => {\n  use(it);\n};\n')).toMatchObject({
      'pronouns as variables': 1,
    });
  });

  it.each([
    ['function f() {\n', '}\n'],
    ['const f = () => {\n', '};\n'],
    ['class A { f() {\n', '} }\n'],
  ])('contain functions over 45 lines: %j', (head, tail) => {
    expect(countsIn('source.ts', head + linesOfCode(43) + tail)).toMatchObject({ 'functions over 45 lines': 0 });
    expect(countsIn('source.ts', head + linesOfCode(44) + tail)).toMatchObject({ 'functions over 45 lines': 1 });
  });

  it('contain the exports of entries of packages', () => {
    const text = "export { a, type B } from './lib/a.ts';\nexport type { C } from './lib/c.ts';\n";
    expect(countsIn('packages/merge/src/index.ts', text)).toMatchObject({ exports: 3, lines: 2 });
    expect(countsIn('packages/merge/src/lib/index.ts', text)).toMatchObject({ exports: 0 });
  });
});
