import { describe, expect, it } from 'vitest';
import { colorsFor } from './colors.ts';

const terminal = { isTTY: true };

describe('colorsFor', () => {
  it('has colours for a terminal', () => {
    expect(colorsFor(terminal, {}).red('red')).toContain('\u001b[');
  });

  it.each([
    ['a pipe', {}, {}],
    ['a pipe in CI', {}, { CI: 'true' }],
    ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }],
    ['a dumb terminal', terminal, { TERM: 'dumb' }],
  ])('has none for %s', (_name, stream, env) => {
    expect(colorsFor(stream, env).red('red')).toBe('red');
  });
});
