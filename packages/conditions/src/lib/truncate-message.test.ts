import { describe, expect, it } from 'vitest';
import { truncateMessage } from '../index.ts';

describe('truncateMessage', () => {
  it('does not change a message that is short enough (S-22)', () => {
    const message = 'x'.repeat(32_768);
    expect(truncateMessage(message)).toBe(message);
  });

  it('cuts after a whole word', () => {
    const cut = truncateMessage('shop/checkout, '.repeat(3_000));
    expect(cut.length).toBeLessThanOrEqual(32_768);
    expect(cut).toMatch(/shop\/checkout,…$/);
  });

  it('cuts within a word that is too long to omit', () => {
    expect(truncateMessage(`a ${'x'.repeat(40_000)}`)).toHaveLength(32_768);
  });

  it.each([0, 1])('cuts no character in half', (offset) => {
    const cut = truncateMessage(`${'x'.repeat(offset)}${'🦊'.repeat(20_000)}`);
    expect(cut).toMatch(/🦊…$/u);
    expect(cut.length).toBeGreaterThan(32_765);
    expect(cut.length).toBeLessThanOrEqual(32_768);
  });
});
