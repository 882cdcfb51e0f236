import { describe, expect, it } from 'vitest';
import { readPolicyUnderTest } from '../../index.ts';
import { merged } from '../conformance.fixture.ts';

describe('readPolicyUnderTest', () => {
  it('fills in defaults', () => {
    expect(readPolicyUnderTest(merged.file)).toMatchObject({
      policy: { plural: 'colorpolicies' },
      rendering: 'ancestors',
      referenceGrants: true,
      affectedConditions: true,
      strategies: { atomicDefaults: { stanza: 'defaults' } },
    });
  });

  it.each([
    ['another kind', /PolicyUnderTest/, 'ColorPolicyUnderTest', /its kind must be PolicyUnderTest/],
    ['no group', /group: colors.example.com, /, '', /policy\.group must be a text/],
    ['a controller name without a path', /colors.example.com\/controller/, 'colors', /colors/],
    ['no targets', /targets: .*/, '', /targets must list at least one/],
    ['an unknown target', /HTTPRoute/, 'Pod', /"Pod" is not a target/],
    ['a missing spec', /two: /, 'deux: ', /specs\.two must be an object/],
    ['an unknown strategy', /atomicDefaults/, 'deepDefaults', /"deepDefaults" is not a strategy/],
    ['no strategies', /strategies:[\s\S]*/, 'strategies: {}', /must have at least one/],
    ['an unknown rendering', /referenceGrants: true/, 'rendering: nowhere', /rendering must be/],
  ])('refuses %s', (_what, found, replacement, message) => {
    expect(merged.file).toMatch(found);
    expect(() => readPolicyUnderTest(merged.file.replace(found, replacement))).toThrow(message);
  });
});
