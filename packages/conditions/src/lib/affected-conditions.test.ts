import { describe, expect, it } from 'vitest';
import {
  affectedConditions,
  affectedConditionType,
  affectedMark,
  ancestorLimitReached,
  kuadrantVocabulary,
  setStatusConditions,
} from '../index.ts';
import { ancestorLimitType, isAboutPolicies } from '../inner.ts';

const type = 'colors.example.com/ColorPolicyAffected';

describe('affectedConditionType', () => {
  it.each([
    ['colors.example.com', 'ColorPolicy', type],
    ['colors.example.com/gateway-controller', 'ColorPolicy', type],
    ['kuadrant.io', 'AuthPolicy', 'kuadrant.io/AuthPolicyAffected'],
  ])('of %s and %s is %s (D-01, D-02)', (domain, kind, expected) => {
    expect(affectedConditionType(domain, kind)).toBe(expected);
  });

  it.each([
    ['', 'ColorPolicy'],
    ['Example.com', 'ColorPolicy'],
    ['example.com', 'Color Policy'],
  ])('refuses the domain "%s" with the kind "%s"', (domain, kind) => {
    expect(() => affectedConditionType(domain, kind)).toThrow(
      expect.objectContaining({ code: 'invalid-condition-type' }),
    );
  });
});

describe('affectedConditions', () => {
  it('names the policies in the message, in a stable order (D-06, D-07, X-18)', () => {
    const condition = { type, status: 'True', reason: 'PolicyAffected', message: 'Affected by a/x, b/y.' };
    expect(affectedConditions(type, ['b/y', 'a/x', 'b/y'])).toEqual([condition]);
  });

  it('names a hundred policies, and counts the others', () => {
    const names = Array.from({ length: 5080 }, (_, index) => `a/p${index + 1000}`);
    const [condition] = affectedConditions(type, names);
    expect(condition?.message).toMatch(/^Affected by a\/p1000, .*, a\/p1099 and 4,980 more\.$/);
  });

  it("uses the dialect's reason", () => {
    expect(affectedConditions(type, ['a/x'], kuadrantVocabulary)).toMatchObject([{ reason: 'Accepted' }]);
  });

  it('is removed with the last policy (D-07)', () => {
    const options = { observedGeneration: 1, now: new Date(0), owned: [type] };
    const { conditions } = setStatusConditions([], affectedConditions(type, ['a/x']), options);
    expect(conditions).toMatchObject([{ type, observedGeneration: 1 }]);
    expect(setStatusConditions(conditions, affectedConditions(type, []), options).conditions).toEqual([]);
  });
});

describe('isAboutPolicies', () => {
  it.each([
    ['example.com/controller', 'example.com/TimeoutPolicyAffected', true],
    ['example.com', 'example.com/TimeoutPolicyAncestorLimitReached', true],
    ['example.com/controller', 'example.com/Paid', false],
    ['example.com/controller', 'other.example.com/TimeoutPolicyAffected', false],
    ['example.com/controller', 'Accepted', false],
  ])('for %s of %s is %s', (domain, type, expected) => {
    expect(isAboutPolicies(domain, type)).toBe(expected);
  });
});

describe('affectedMark', () => {
  it('is an annotation, or a label, and is removed with the last policy (D-05, X-17)', () => {
    expect(affectedMark(type, true)).toEqual({ metadata: { annotations: { [type]: 'true' } } });
    expect(affectedMark(type, true, 'labels')).toEqual({ metadata: { labels: { [type]: 'true' } } });
    expect(affectedMark(type, false)).toEqual({ metadata: { annotations: { [type]: null } } });
  });
});

describe('ancestorLimitReached', () => {
  it('names the policies that do not fit, and is absent if there are none (S-10, N-02)', () => {
    const type = ancestorLimitType('example.com/controller', 'TimeoutPolicy');
    expect(ancestorLimitReached(type, ['b/y', 'a/x'])).toEqual([
      {
        type: 'example.com/TimeoutPolicyAncestorLimitReached',
        status: 'True',
        reason: 'AncestorLimitReached',
        message:
          'The list of ancestors in the status of these policies is full, so do not rely on them here: a/x, b/y.',
      },
    ]);
    expect(ancestorLimitReached(type, [])).toEqual([]);
  });
});
