import { describe, expect, it } from 'vitest';
import { withDefaults } from './with-defaults.ts';

interface Options {
  readonly width?: number | undefined;
  readonly color?: string | undefined;
}

describe('options with defaults', () => {
  it.each<[string, Options, object]>([
    ['is absent', {}, { width: 80 }],
    ['is undefined', { width: undefined }, { width: 80 }],
    ['is given', { width: 40, color: 'red' }, { width: 40, color: 'red' }],
    ['has no default and is undefined', { color: undefined }, { width: 80, color: undefined }],
  ])('have the right value if a property %s', (_, options, expected) => {
    expect(withDefaults(options, { width: 80 })).toStrictEqual(expected);
  });
});
