import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LabelRequirement, matchesSelector, PolicyMachineryError, parseSelector } from '../index.ts';
import { cpuTimeOf } from './cpu-time.fixture.ts';

describe('parseSelector', () => {
  it.each<[string, LabelRequirement]>([
    ['env=prod', { key: 'env', operator: 'In', values: ['prod'] }],
    ['env == prod', { key: 'env', operator: 'In', values: ['prod'] }],
    ['env=', { key: 'env', operator: 'In', values: [''] }],
    ['env != prod', { key: 'env', operator: 'NotIn', values: ['prod'] }],
    ['env in (dev, prod)', { key: 'env', operator: 'In', values: ['dev', 'prod'] }],
    ['env in(dev,\n prod)', { key: 'env', operator: 'In', values: ['dev', 'prod'] }],
    ['env in ()', { key: 'env', operator: 'In', values: [''] }],
    ['env notin (dev,,qa)', { key: 'env', operator: 'NotIn', values: ['dev', '', 'qa'] }],
    ['env', { key: 'env', operator: 'Exists' }],
    ['! env', { key: 'env', operator: 'DoesNotExist' }],
    ['replicas > 2', { key: 'replicas', operator: 'Gt', values: ['2'] }],
    ['replicas<-2', { key: 'replicas', operator: 'Lt', values: ['-2'] }],
    ['app.kubernetes.io/name=cart', { key: 'app.kubernetes.io/name', operator: 'In', values: ['cart'] }],
    ['in', { key: 'in', operator: 'Exists' }],
  ])('reads %j', (text, requirement) => {
    expect(parseSelector(text).matchExpressions).toEqual([expect.objectContaining(requirement)]);
  });

  it('splits at commas, but not between parentheses', () => {
    const { matchExpressions } = parseSelector(' env=prod, tier in (web, api) ,!canary');
    expect(matchExpressions?.map(({ key }) => key)).toEqual(['env', 'tier', 'canary']);
  });

  it.each(['', '  '])('selects everything with the text %j', (text) => {
    expect(matchesSelector(parseSelector(text))).toBe(true);
  });

  it.each([
    ',',
    'a,',
    ',a',
    'a,,b',
    'a b',
    '=prod',
    '!',
    '!a=b',
    'a===b',
    'a=b=c',
    'a in b',
    'a in (b',
    'a in b)',
    'a in ((b))',
    'a in (b) c',
    'a > b',
    'a > 1.5',
    'a/b/c',
    'A.b/c',
    '-a',
    'a-',
    'a=-b',
    'a in (b c)',
  ])('refuses %j', (text) => {
    expect(() => parseSelector(text)).toThrow(PolicyMachineryError);
    expect(() => parseSelector(text)).toThrow(/^Invalid label selector: /);
  });

  const size = 100_000;
  it.each([
    ['one long word', `${'a'.repeat(size)}!`],
    ['many keys', `${'a,'.repeat(size / 2)}!!`],
    ['a long blank', `a${' '.repeat(size)}!`],
    ['blanks around an operator', `a${' '.repeat(size / 2)}in${' '.repeat(size / 2)}x`],
    ['open parentheses', '('.repeat(size)],
    ['commas behind an open parenthesis', `a in (${','.repeat(size)}`],
    ['dots and dashes', `${'a.'.repeat(size / 2)}/${'-'.repeat(size / 2)}`],
    ['a value that ends badly', `a=b${'-'.repeat(size)}`],
    ['many operators', 'a in '.repeat(size / 5)],
  ])('refuses 100 kB of %s in no time', (_, text) => {
    const refuse = () => expect(() => parseSelector(text)).toThrow(PolicyMachineryError);
    expect(cpuTimeOf(refuse)).toBeLessThan(2_000);
  });

  it('agrees with the object form, and with a naive reading', () => {
    const word = fc.constantFrom<string[]>('a', 'b', '1', '2', '');
    const key = fc.constantFrom<string[]>('x', 'y', 'example.com/z');
    const conditions = fc.oneof(
      fc.record({ key, values: fc.array(word, { minLength: 1, maxLength: 3 }) }).map(({ key, values }) => ({
        text: `${key} in (${values.join(', ')})`,
        object: { key, operator: 'In' as const, values },
        holds: (value?: string) => value !== undefined && values.includes(value),
      })),
      fc.record({ key, values: fc.array(word, { minLength: 1, maxLength: 3 }) }).map(({ key, values }) => ({
        text: `${key} notin (${values.join(',')})`,
        object: { key, operator: 'NotIn' as const, values },
        holds: (value?: string) => value === undefined || !values.includes(value),
      })),
      fc.record({ key, value: word }).map(({ key, value: expected }) => ({
        text: `${key} = ${expected}`,
        object: { key, operator: 'In' as const, values: [expected] },
        holds: (value?: string) => value === expected,
      })),
      fc.record({ key, value: word }).map(({ key, value: unwanted }) => ({
        text: `${key}!=${unwanted}`,
        object: { key, operator: 'NotIn' as const, values: [unwanted] },
        holds: (value?: string) => value !== unwanted,
      })),
      key.map((key) => ({
        text: key,
        object: { key, operator: 'Exists' as const, values: [] },
        holds: (value?: string) => value !== undefined,
      })),
      key.map((key) => ({
        text: `!${key}`,
        object: { key, operator: 'DoesNotExist' as const, values: [] },
        holds: (value?: string) => value === undefined,
      })),
      fc.record({ key, bound: fc.integer({ min: -1, max: 3 }) }).map(({ key, bound }) => ({
        text: `${key}>${bound}`,
        object: { key, operator: 'Gt' as const, values: [String(bound)] },
        holds: (value?: string) => /^\d$/.test(value ?? '') && Number(value) > bound,
      })),
    );
    fc.assert(
      fc.property(fc.array(conditions, { minLength: 1, maxLength: 4 }), fc.dictionary(key, word), (all, labels) => {
        const expected = all.every(({ object, holds }) => holds(labels[object.key]));
        expect(matchesSelector(parseSelector(all.map(({ text }) => text).join(',')), labels)).toBe(expected);
        expect(matchesSelector({ matchExpressions: all.map(({ object }) => object) }, labels)).toBe(expected);
      }),
    );
  });
});
