import type { JsonObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { celConditions } from './cel-conditions.ts';

const { compile } = celConditions();
const invalid = (message: string) =>
  expect.objectContaining({ code: 'invalid-condition', message: expect.stringContaining(message) });
const tooMuch = {
  error: 'the condition takes more than 10000 steps on this spec; simplify the condition or the spec',
  missing: false,
};
const numbers = (length: number) => Array.from({ length }, (_, index) => index);

describe('celConditions, of hostile conditions', () => {
  it.each([
    ['parentheses', '('.repeat(5000), '1', ')'.repeat(5000)],
    ['lists', '['.repeat(5000), '1', ']'.repeat(5000)],
    ['brackets that a string seems to close', `("]"+`.repeat(5000), '1', ')'.repeat(5000)],
    ['conditionals', 'true ? 1 : '.repeat(5000), '1', ''],
    ['sums', '1 + '.repeat(5000), '1', ''],
  ])('refuses %s that nest thousands of levels deep', (_what, before, middle, after) => {
    const expression = before + middle + after;
    expect(() => compile(expression)).toThrow(invalid(`it has ${expression.length} characters; shorten it to 1024`));
    expect(() => celConditions({ characters: 1e6 }).compile(expression)).toThrow(invalid('flatten it'));
    expect(() => celConditions({ characters: 1e6, depth: 1e6 }).compile(expression)).toThrow(invalid('flatten it'));
  });

  it('ignores brackets in strings and comments', () => {
    expect(compile(`'${'('.repeat(100)}' != "${'['.repeat(100)}" // ${'{'.repeat(100)}\n`)({})).toEqual({
      holds: true,
    });
  });

  it('refuses nested comprehensions beyond the limit, but not consecutive ones', () => {
    const nested = 'spec.a.all(x, spec.a.all(y, spec.a.all(z, true)))';
    expect(compile(nested)({ a: [1] })).toEqual({ holds: true });
    expect(() => celConditions({ comprehensions: 2 }).compile(nested)).toThrow(
      invalid('more than 2 nested comprehensions; nest fewer'),
    );
    const chained = compile(`spec.a${'.map(x, x + 1)'.repeat(6)} == [7]`);
    expect(chained({ a: [1] })).toEqual({ holds: true });
  });

  it.each<[string, JsonObject]>([
    ['spec.a.all(x, spec.a.all(y, true))', { a: numbers(2000) }],
    ['spec.a.all(x, spec.a.all(y, spec.a.all(z, true)))', { a: numbers(200) }],
    ['spec.a.all(x, spec.a.all(y, true)) || true', { a: numbers(2000) }],
    ['spec.a.all(x, x.missing)', { a: numbers(200_000) }],
    ['spec.a.map(x, x).size() > 0', { a: numbers(20_000) }],
    ['spec.a.map(x, spec.a).map(l, l.map(x, l)).all(l, l.all(m, m.all(x, true)))', { a: numbers(100) }],
    ['spec.a.all(x, [spec.a] == [spec.a.map(y, y)])', { a: numbers(1000) }],
    ['spec.a.exists(x, [-x] in [spec.a, spec.a])', { a: numbers(2000) }],
    [
      'spec.a.exists(x, spec.m[x] == 1)',
      { a: numbers(5000), m: Object.fromEntries(numbers(50_000).map((n) => [n, n])) },
    ],
    ['spec.a.all(x, spec.s.size() > 0)', { a: numbers(2000), s: 'é'.repeat(100_000) }],
    ['spec.a.all(x, spec.s.contains(spec.s + "b") || true)', { a: numbers(100), s: 'a'.repeat(100_000) }],
    ['spec.a.all(x, spec.s.matches("(x+x+)+y") || true)', { a: numbers(100), s: 'x'.repeat(100_000) }],
    ['spec.s.matches("(a|b)*a(a|b){900}$")', { s: 'ab'.repeat(50_000) }],
    ['spec.a.all(x, "a".matches("(?i)[b-\u{10fffe}]") || true)', { a: numbers(2000) }],
    [`spec.a.all(x, "a".matches("${'\\\\pL|'.repeat(100)}b"))`, { a: numbers(2000) }],
    ['spec.a.all(x, timestamp(0).getHours("Europe/Berlin") == 1)', { a: numbers(20_000) }],
    ['true', { a: numbers(1_000_000) }],
  ])('gives up on %s', (expression, spec) => {
    expect(compile(expression)(spec)).toEqual(tooMuch);
  });

  it.each([
    `["ab"]${'.map(s, s + s)'.repeat(60)} == []`,
    `[[1]]${'.map(l, [l, l])'.repeat(30)} == [[1]]${'.map(l, [l, l, l])'.repeat(20)} || true`,
  ])('refuses conditions that take too long for any spec: %s', (expression) => {
    expect(() => compile(expression)).toThrow(invalid('it takes more than 10000 steps even on an empty spec'));
  });

  it.each([
    ['a text that is not closed', `spec.a == "${'\\\\'.repeat(500)}`],
    ['many quotation marks', `spec.a == ${`"'`.repeat(500)}`],
  ])('refuses %s in bounded time', (_what, expression) => {
    expect(() => compile(expression)).toThrow(expect.objectContaining({ code: 'invalid-condition' }));
  });

  it('evaluates hostile regular expressions in bounded time', () => {
    const spec = { s: `${'a'.repeat(1_000)}!` };
    expect(compile('spec.s.matches("^(a+)+$")')(spec)).toEqual({ holds: false });
    expect(compile('spec.s.matches("^(a|a)*$") || spec.s.matches("^(a|aa)+$")')(spec)).toEqual({ holds: false });
    expect(compile('spec.s.matches("((a{30}){30}){30}")')(spec)).toMatchObject({ missing: false });
  });

  it('creates its errors without stack traces, and does not affect other errors', () => {
    const { stackTraceLimit } = Error;
    const traced: boolean[] = [];
    const condition = compile('spec.a.all(x, x.y)');
    const spec = {
      get a() {
        traced.push(new Error('made while the condition is evaluated').stack?.includes('\n') === true);
        return numbers(10);
      },
    };
    expect(condition(spec)).toHaveProperty('error');
    expect(traced).toEqual([false]);
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
    expect(new Error('made later').stack).toContain('\n');
  });

  it('runs as many steps as the limit allows', () => {
    const all = 'spec.a.all(x, x >= 0)';
    expect(celConditions({ steps: 100 }).compile(all)({ a: numbers(100) })).toHaveProperty('error');
    expect(celConditions({ steps: 10_000 }).compile(all)({ a: numbers(100) })).toEqual({ holds: true });
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('takes %s for a name like any other', (name) => {
    expect(() => compile(`${name} == 1`)).toThrow(invalid(`unknown variable ${name}`));
    expect(() => compile(`${name}(1) == 1`)).toThrow(invalid(`unknown function ${name}`));
    const reads = [`spec.${name} == 1`, `spec["${name}"] == 1`, `self.spec.${name} == 1`].map(compile);
    const missing = { error: `field not found: ${name}`, missing: true };
    expect(reads.map((condition) => condition({}))).toEqual([missing, missing, missing]);
    const spec = JSON.parse(`{"${name}": 1}`);
    expect(reads.map((condition) => condition(spec))).toEqual(Array(3).fill({ holds: true }));
    const has = compile(`has(spec.${name}) && "${name}" in spec`);
    expect([has({}), has(spec)]).toEqual([{ holds: false }, { holds: true }]);
  });

  it('reports specs that are not JSON', () => {
    const cyclic: Record<string, JsonObject> = {};
    cyclic.again = cyclic;
    const condition = compile('spec.a == 1');
    expect(condition(cyclic)).toMatchObject({ missing: false });
    expect(condition({ a: (() => 1) as never })).toEqual({
      error: 'the spec contains a value of type function, which is not JSON',
      missing: false,
    });
    expect(condition({ a: undefined as never })).toEqual({ error: 'field not found: a', missing: true });
  });

  it('shortens quotations', () => {
    const condition = compile('bool(spec.text)');
    expect(condition({ text: 'x'.repeat(10_000) })).toMatchObject({ error: expect.stringMatching(/^.{199}…$/) });
  });
});
