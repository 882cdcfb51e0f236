import { atomic, namedRules, shallow } from '@policy-machinery/merge';
import { PolicyMachineryError } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import {
  bareSpec,
  type ConditionLanguage,
  defaultsAndOverrides,
  emptyListsUnset,
  guardedRules,
  withConditions,
  withUnset,
} from '../../index.ts';

const reader = defaultsAndOverrides({
  strategies: { atomic, merge: namedRules('/limits') },
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

  it('removes the condition of each stanza from its spec', () => {
    const { layers, faults } = conditional.read({ defaults: { a: 1 }, overrides: { when: 'b', b: 2 } });
    expect(faults).toEqual([]);
    expect(layers.map(({ spec }) => spec)).toEqual([{ a: 1 }, { b: 2 }]);
    expect(layers.map(({ when }) => when?.({ b: 1 }))).toEqual([undefined, { holds: true }]);
  });

  it.each([
    ['faulty', 'a b', '"a b" is no name'],
    ['no text', 5, 'a condition must be a string'],
  ])('makes the policy invalid when the condition is %s', (_case, when, message) => {
    const { faults } = conditional.read({ overrides: { when, b: 2 } });
    expect(faults).toEqual([{ message, pointer: '/spec/overrides/when' }]);
  });

  it('reads the condition from another field', () => {
    const { layers } = withConditions(reader, fieldNames, { field: 'if' }).read({ if: 'a', when: 'data' });
    expect(layers).toMatchObject([{ spec: { when: 'data' } }]);
    expect(layers[0]?.when?.({})).toEqual({ holds: false });
  });
});

describe('withConditions on the result', () => {
  const reader2 = withConditions(reader, fieldNames, { field: 'whenResult', on: 'result' });

  it('records the subject of the condition of each stanza', () => {
    const both = withConditions(reader2, fieldNames);
    const { layers, faults } = both.read({ defaults: { when: 'a', a: 1 }, overrides: { whenResult: 'b', b: 2 } });
    expect(faults).toEqual([]);
    expect(layers.map(({ spec, whenOn = 'below' }) => [spec, whenOn])).toEqual([
      [{ a: 1 }, 'below'],
      [{ b: 2 }, 'result'],
    ]);
  });

  it('refuses such a condition on defaults, and a second one', () => {
    expect(reader2.read({ defaults: { whenResult: 'a' } }).faults).toEqual([
      {
        message:
          'defaults cannot have a condition on the result; put the fields into overrides, or leave the condition out',
        pointer: '/spec/defaults/whenResult',
      },
    ]);
    expect(withConditions(reader2, fieldNames).read({ overrides: { whenResult: 'a', when: 'b' } }).faults).toEqual([
      { message: 'there is another condition beside this one; keep one of them', pointer: '/spec/overrides/when' },
    ]);
  });
});

describe('withUnset (K-07)', () => {
  it('removes paths and names from the spec', () => {
    const { layers, faults } = withUnset(reader).read({ limits: {}, unset: ['limits.a', 'b'] });
    expect(faults).toEqual([]);
    expect(layers).toMatchObject([{ spec: { limits: {} }, unset: ['limits.a', 'b'] }]);
  });

  it('reads the field of the first draft of RFC 0009 (X-21)', () => {
    const { layers } = withUnset(reader, { field: 'remove' }).read({ remove: ['a'] });
    expect(layers).toMatchObject([{ spec: {}, unset: ['a'] }]);
  });

  it.each([['a'], [[1]], [['']], [null]])('refuses values that are not lists of names: %j', (unset) => {
    expect(withUnset(reader).read({ unset }).faults).toMatchObject([{ pointer: '/spec/unset' }]);
  });

  it('refuses names that are longer than 1024 characters', () => {
    const { faults } = withUnset(reader).read({ unset: ['a', 'b'.repeat(1024), 'c'.repeat(1025)] });
    expect(faults).toEqual([{ message: 'a name has more than 1024 characters; shorten it', pointer: '/spec/unset/2' }]);
  });

  it('works inside and outside of conditions', () => {
    const spec = { overrides: { when: 'b', b: 2 }, unset: ['a'] };
    for (const both of [withUnset(withConditions(reader, fieldNames)), withConditions(withUnset(reader), fieldNames)]) {
      const { layers, faults } = both.read(spec);
      expect(faults).toEqual([]);
      expect(layers).toMatchObject([{ spec: { b: 2 }, unset: ['a'] }]);
    }
  });
});

describe('emptyListsUnset (M-14)', () => {
  it('removes only empty lists, at any depth', () => {
    const { layers } = emptyListsUnset(reader).read({ a: [], b: { c: [], d: {}, e: '' }, f: [[]] });
    expect(layers.map(({ spec }) => spec)).toEqual([{ b: { d: {}, e: '' }, f: [[]] }]);
  });
});

describe('guardedRules', () => {
  const guarded = guardedRules(reader, { field: 'guard', rules: ['/limits', '/rules/*'] });
  const rules = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`r${index}`, {}]));

  it('accepts as many conditions in all rules as a spec may have values', () => {
    const guard = Array.from({ length: 99 }, (_, index) => index); // A hundred values with the list.
    const spec = { guard, limits: rules(400), rules: { a: rules(300), b: rules(300) } };
    const { layers, faults } = guarded.read(spec);
    expect(faults).toEqual([]);
    expect(layers).toMatchObject([{ spec: { limits: { r399: { guard } }, rules: { b: { r299: { guard } } } } }]);
  });

  it('refuses more, because their size is a product', () => {
    const guard = Array.from({ length: 100 }, (_, index) => index);
    const { faults } = guarded.read({
      defaults: { guard, limits: rules(400), rules: { a: rules(300), b: rules(300) } },
    });
    const message = 'repeated in each of its 1000 rules, these conditions have more than 100000 values; write fewer';
    expect(faults).toEqual([{ message, pointer: '/spec/defaults/guard' }]);
  });

  it('does not move conditions without rules', () => {
    const guard = Array.from({ length: 5000 }, (_, index) => index);
    expect(guarded.read({ guard })).toMatchObject({ layers: [{ spec: { guard } }], faults: [] });
  });
});

describe('a strategy that policies cannot select', () => {
  it.each([
    ['the words for messages', { called: 'field by field' }, 'field by field'],
    ['no name', {}, undefined],
  ])('has %s', (_what, options, name) => {
    const reader = bareSpec({ strategies: { own: shallow }, strategyField: false, ...options });
    expect(reader.read({ size: 1 }).layers).toEqual([
      expect.objectContaining({ strategy: shallow, ...(name === undefined ? {} : { dialectName: name }) }),
    ]);
  });
});
