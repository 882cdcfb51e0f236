import { describe, expect, it } from 'vitest';
import { findStatusCondition, isStatusConditionFalse, isStatusConditionTrue } from '../index.ts';
import { stored } from './conditions.fixture.ts';

describe('findStatusCondition', () => {
  it('finds the first condition of a type', () => {
    const accepted = stored({ type: 'Accepted' });
    const again = stored({ type: 'Accepted', status: 'False' });
    expect(findStatusCondition([stored({ type: 'Ready' }), accepted, again], 'Accepted')).toBe(accepted);
    expect(findStatusCondition([accepted], 'Programmed')).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['no list', { type: 'Accepted' }],
    ['null', null],
    ['a list of other things', [null, 'Accepted', 1, ['Accepted']]],
    ['a condition with an unknown status', [stored({ type: 'Accepted', status: 'Yes' as never })]],
    ['a condition without a reason', [{ ...stored({ type: 'Accepted' }), reason: undefined }]],
  ])('finds nothing in %s', (_, conditions) => {
    expect(findStatusCondition(conditions, 'Accepted')).toBeUndefined();
  });
});

describe('isStatusConditionTrue, isStatusConditionFalse', () => {
  it.each([
    ['True', true, false],
    ['False', false, true],
    ['Unknown', false, false],
  ] as const)('tell whether the status is %s', (status, isTrue, isFalse) => {
    const conditions = [stored({ type: 'Accepted', status })];
    expect(isStatusConditionTrue(conditions, 'Accepted')).toBe(isTrue);
    expect(isStatusConditionFalse(conditions, 'Accepted')).toBe(isFalse);
  });

  it('are both false for a missing condition', () => {
    expect(isStatusConditionTrue([], 'Accepted')).toBe(false);
    expect(isStatusConditionFalse([], 'Accepted')).toBe(false);
  });
});
