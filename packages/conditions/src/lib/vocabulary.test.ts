import { describe, expect, it } from 'vitest';
import { defineVocabulary, gep713Vocabulary } from '../index.ts';

const { outcomes } = gep713Vocabulary;

describe('defineVocabulary', () => {
  it('makes a value that builds its conditions', () => {
    expect(gep713Vocabulary.condition('Accepted', 'False', 'Conflicted', 'shop/old holds the target.')).toEqual({
      type: 'Accepted',
      status: 'False',
      reason: 'Conflicted',
      message: 'shop/old holds the target.',
    });
    expect(gep713Vocabulary.types).toEqual(['Accepted', 'Programmed', 'ResolvedRefs']);
  });

  it('accepts types with a domain', () => {
    const { types } = defineVocabulary({
      reasons: { ...gep713Vocabulary.reasons, 'example.com/Paid': { True: ['Paid'] } },
      outcomes,
    });
    expect(types).toContain('example.com/Paid');
  });

  it.each([
    ['a type', { 'Not a type': { True: ['Fine'] } }],
    ['an empty type', { '': { True: ['Fine'] } }],
    ['a type that is too long', { ['x'.repeat(317)]: { True: ['Fine'] } }],
    ['a reason', { Fine: { True: ['shop/old'] } }],
    ['an empty reason', { Fine: { False: [''] } }],
    ['a reason that is too long', { Fine: { True: ['x'.repeat(1025)] } }],
    ['a reason that ends in a comma', { Fine: { True: ['Fine,'] } }],
  ])('refuses %s that Kubernetes refuses (X-18)', (_, more) => {
    expect(() =>
      defineVocabulary({
        reasons: { ...gep713Vocabulary.reasons, ...more } as typeof gep713Vocabulary.reasons,
        outcomes,
      }),
    ).toThrow(
      expect.objectContaining({
        code: 'invalid-vocabulary',
        issues: [expect.objectContaining({ code: 'invalid-name' })],
      }),
    );
  });

  it('reports everything that is wrong at once', () => {
    const declaration = {
      reasons: { ...gep713Vocabulary.reasons, 'a b': {} },
      outcomes: { ...outcomes, invalid: [['Accepted', 'True', 'Invalid']] },
      rejected: { invalid: [['Nowhere', 'True', 'Invalid']] },
      affectedReason: 'shop/old',
    };
    expect(() => defineVocabulary(declaration as never)).toThrow(
      [
        'The vocabulary cannot be used',
        '  error: "a b" is not a condition type; write it like a label key [invalid-name]',
        '  error: "shop/old" is not a reason; write one word that begins with a letter: PolicyConflicted [invalid-name]',
        '  error: Accepted/True/Invalid is not in the table of reasons; add it there, or use another [unknown-reason]',
        '  error: Nowhere/True/Invalid is not in the table of reasons; add it there, or use another [unknown-reason]',
      ].join('\n'),
    );
  });
});
