import { describe, expect, it } from 'vitest';
import { withoutCommands } from './no-commands.ts';

describe('text for people', () => {
  it.each([
    ['::add-mask::x', '\\u003a:add-mask::x'],
    ['a\n  ::warning::x\nb', 'a\n  \\u003a:warning::x\nb'],
    ['\u001b[31m::error::x\u001b[0m', '\u001b[31m\\u003a:error::x\u001b[0m'],
    ['##[error]x', '\\u0023#[error]x'],
    ['a ::warning::x', 'a ::warning::x'],
    ['## Heading', '## Heading'],
  ])('%j is without lines that GitHub Actions obeys', (text, expected) => {
    expect(withoutCommands(text)).toBe(expected);
  });
});
