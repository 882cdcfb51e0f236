import { describe, expect, it } from 'vitest';
import { mutantsOf, mutated } from './mutants.ts';

function sourcesFrom(source: string): readonly string[] {
  return mutantsOf(source).map((mutant) => mutated(source, mutant));
}

describe('mutantsOf', () => {
  it.each([
    ['if (a) b = 1;', ['if (!(a)) b = 1;']],
    ['x = a ? 1 : 2;', ['x = !(a) ? 1 : 2;']],
    ['list.push(1);', [';']],
    ['x = a && b;', ['x = (a || b);']],
    ['x = a && b && c;', ['x = (a && b || c);', 'x = (a || b) && c;']],
    ['x = a < b;', ['x = (a <= b);']],
    ['x = a === b;', ['x = (a !== b);']],
    ['x = a ?? b;', ['x = (a);']],
    ['x = [a, ...b];', ['x = [...b];']],
    ['x = true;', ['x = false;']],
    ['function f() { g = 1; }', ['function f() { return; }']],
  ])('changes %s', (source, expected) => {
    expect(sourcesFrom(source)).toEqual(expected);
  });

  it('leaves types and imports alone', () => {
    expect(sourcesFrom("import a from 'a'; type A = true | [B]; interface C { d: [E] } [x, y] = z;")).toEqual([]);
  });

  it('names the place and the change', () => {
    expect(mutantsOf('a;\n  b.c();')).toMatchObject([
      { line: 2, operator: 'drop a call', before: 'b.c();', after: ';' },
    ]);
  });
});
