import type { PolicyOutcome } from '@policy-machinery/conditions';
import { describe, expect, it } from 'vitest';
import { combineOutcomes } from './outcome.ts';

describe('combineOutcomes', () => {
  it.each<[PolicyOutcome[], PolicyOutcome]>([
    [[], 'not-in-any-path'],
    [['enforced', 'enforced'], 'enforced'],
    [['enforced', 'overridden'], 'partly-enforced'],
    [['enforced', 'pending'], 'partly-enforced'],
    [['enforced', 'not-in-any-path'], 'enforced'],
    [['overridden', 'not-in-any-path'], 'overridden'],
    [['overridden', 'conflicted'], 'conflicted'],
    [['conflicted', 'invalid', 'overridden'], 'invalid'],
    [['target-not-found', 'reference-not-permitted'], 'reference-not-permitted'],
  ])('%j come to %s', (outcomes, expected) => {
    expect(combineOutcomes(outcomes)).toBe(expected);
    expect(combineOutcomes([...outcomes].reverse())).toBe(expected);
  });
});
