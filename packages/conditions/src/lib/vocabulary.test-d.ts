import { describe, expectTypeOf, it } from 'vitest';
import {
  type ConditionUpdate,
  conditionsFor,
  defineVocabulary,
  envoyGatewayVocabulary,
  gep713RewriteVocabulary,
  gep713Vocabulary,
  kgatewayVocabulary,
  kuadrantVocabulary,
  nginxGatewayFabricVocabulary,
  type PolicyOutcome,
  type Vocabulary,
} from '../index.ts';
import type { TemplateOf } from './vocabulary.ts';

describe('condition', () => {
  it('builds a condition to be set', () => {
    expectTypeOf(gep713Vocabulary.condition('Accepted', 'True', 'Accepted', '')).toEqualTypeOf<ConditionUpdate>();
  });

  it('takes only the reasons of the type and status', () => {
    gep713Vocabulary.condition('Programmed', 'False', 'Overridden', '');
    // @ts-expect-error A reason of another type.
    gep713Vocabulary.condition('Accepted', 'False', 'Overridden', '');
    // @ts-expect-error A reason of another status.
    gep713Vocabulary.condition('Accepted', 'True', 'Conflicted', '');
    // @ts-expect-error A reason of another dialect.
    gep713Vocabulary.condition('Programmed', 'True', 'PartiallyEnforced', '');
    // @ts-expect-error A reason that is only a string.
    gep713Vocabulary.condition('Accepted', 'True', 'Accepted' as string, '');
  });

  it('takes only statuses that the type has', () => {
    // @ts-expect-error GEP-713 has no Accepted=Unknown.
    gep713Vocabulary.condition('Accepted', 'Unknown', 'Accepted', '');
    // @ts-expect-error Envoy Gateway writes Merged only when it is true.
    envoyGatewayVocabulary.condition('Merged', 'False', 'Merged', '');
    // @ts-expect-error A typo.
    gep713Vocabulary.condition('Accepted', 'true', 'Accepted', '');
  });

  it('takes only types of the dialect', () => {
    gep713RewriteVocabulary.condition('PartiallyEnforced', 'True', 'PartiallyEnforced', '');
    kgatewayVocabulary.condition('Attached', 'True', 'Merged', '');
    kuadrantVocabulary.condition('Enforced', 'False', 'MissingResource', '');
    nginxGatewayFabricVocabulary.condition('Accepted', 'False', 'AncestorLimitReached', '');
    // @ts-expect-error Kuadrant's.
    gep713Vocabulary.condition('Enforced', 'True', 'Enforced', '');
    // @ts-expect-error A typo.
    gep713Vocabulary.condition('accepted', 'True', 'Accepted', '');
  });
});

describe('defineVocabulary', () => {
  const outcomes = {} as Record<PolicyOutcome, readonly (readonly ['Ready', 'True', 'Ready'])[]>;

  it('infers the words of a table', () => {
    const mine = defineVocabulary({ reasons: { Ready: { True: ['Ready'], Unknown: ['Waiting'] } }, outcomes });
    expectTypeOf(mine.types).toEqualTypeOf<readonly 'Ready'[]>();
    expectTypeOf<TemplateOf<typeof mine.reasons>>().toEqualTypeOf<
      readonly ['Ready', 'True', 'Ready'] | readonly ['Ready', 'Unknown', 'Waiting']
    >();
    mine.condition('Ready', 'Unknown', 'Waiting', '');
    // @ts-expect-error Not in the table.
    mine.condition('Ready', 'False', 'Waiting', '');
  });

  it('takes only outcomes in the words of the table, and all of them', () => {
    const reasons = { Ready: { True: ['Ready'] } } as const;
    // @ts-expect-error Not in the table.
    defineVocabulary({ reasons, outcomes: { ...outcomes, invalid: [['Ready', 'False', 'Ready']] } });
    // @ts-expect-error Not in the table.
    defineVocabulary({ reasons, outcomes, rejected: { invalid: [['Ready', 'True', 'Invalid']] } });
    // @ts-expect-error The other outcomes are missing.
    defineVocabulary({ reasons, outcomes: { enforced: [['Ready', 'True', 'Ready']] } });
  });
});

describe('Vocabulary', () => {
  it('accepts every dialect', () => {
    expectTypeOf(gep713Vocabulary).toExtend<Vocabulary>();
    expectTypeOf(envoyGatewayVocabulary).toExtend<Vocabulary>();
  });

  it('has no other outcomes', () => {
    // @ts-expect-error No outcome.
    conditionsFor(gep713Vocabulary, 'merged', { message: '' });
  });
});
