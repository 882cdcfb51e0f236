import { atomic, namedRules } from '@policy-machinery/merge';
import { PolicyMachineryError } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { type ConditionLanguage, defaultsAndOverrides, emptyListsUnset, withConditions, withUnset } from '../index.ts';

const reader = defaultsAndOverrides({
  strategies: { atomic, merge: namedRules('limits') },
  together: 'defaults-and-overrides',
});

/** A language in which a condition is the name of a field: it holds where there is such a field. */
const fieldNames: ConditionLanguage = {
  compile(expression) {
    if (!/^\w+$/.test(expression)) throw new PolicyMachineryError('invalid-condition', `"${expression}" is no name`);
    return (spec) => ({ holds: Object.hasOwn(spec, expression) });
  },
};

describe('withConditions (K-06)', () => {
  const conditional = withConditions(reader, fieldNames);

  it('takes the condition of each stanza out of its spec', () => {
    const { blocks, faults } = conditional.read({ defaults: { a: 1 }, overrides: { when: 'b', b: 2 } });
    expect(faults).toEqual([]);
    expect(blocks.map(({ spec }) => spec)).toEqual([{ a: 1 }, { b: 2 }]);
    expect(blocks.map(({ when }) => when?.({ b: 1 }))).toEqual([undefined, { holds: true }]);
  });

  it.each([
    ['faulty', 'a b', '"a b" is no name'],
    ['no text', 5, 'a condition must be a text'],
  ])('makes the policy invalid when the condition is %s', (_case, when, message) => {
    const { faults } = conditional.read({ overrides: { when, b: 2 } });
    expect(faults).toEqual([{ message, pointer: '/spec/overrides/when' }]);
  });

  it('reads the condition from another field', () => {
    const { blocks } = withConditions(reader, fieldNames, { field: 'if' }).read({ if: 'a', when: 'data' });
    expect(blocks).toMatchObject([{ spec: { when: 'data' } }]);
    expect(blocks[0]?.when?.({})).toEqual({ holds: false });
  });
});

describe('withUnset (K-07)', () => {
  it('takes paths and names out of the spec', () => {
    const { blocks, faults } = withUnset(reader).read({ limits: {}, unset: ['limits.a', 'b'] });
    expect(faults).toEqual([]);
    expect(blocks).toMatchObject([{ spec: { limits: {} }, unset: ['limits.a', 'b'] }]);
  });

  it('reads the field of the first draft of RFC 0009 (X-21)', () => {
    const { blocks } = withUnset(reader, { field: 'remove' }).read({ remove: ['a'] });
    expect(blocks).toMatchObject([{ spec: {}, unset: ['a'] }]);
  });

  it.each([['a'], [[1]], [['']], [null]])('refuses what is no list of names: %j', (unset) => {
    expect(withUnset(reader).read({ unset }).faults).toMatchObject([{ pointer: '/spec/unset' }]);
  });

  it('works inside and outside of conditions', () => {
    const spec = { overrides: { when: 'b', b: 2 }, unset: ['a'] };
    for (const both of [withUnset(withConditions(reader, fieldNames)), withConditions(withUnset(reader), fieldNames)]) {
      const { blocks, faults } = both.read(spec);
      expect(faults).toEqual([]);
      expect(blocks).toMatchObject([{ spec: { b: 2 }, unset: ['a'] }]);
    }
  });
});

describe('emptyListsUnset (M-14)', () => {
  it('takes out empty lists at any depth, and nothing else', () => {
    const { blocks } = emptyListsUnset(reader).read({ a: [], b: { c: [], d: {}, e: '' }, f: [[]] });
    expect(blocks.map(({ spec }) => spec)).toEqual([{ b: { d: {}, e: '' }, f: [[]] }]);
  });
});
