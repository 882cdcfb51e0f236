import { describe, expect, it } from 'vitest';
import { marksOf } from './owned-write.ts';

const labelOf = (controller: string) => marksOf(controller).label[1];

describe("the label of a controller's objects", () => {
  it('is its name', () => {
    expect(labelOf('shop.example.com/limits')).toBe('shop.example.com-limits');
  });

  const long = `shop.example.com/${'a'.repeat(60)}`;
  it.each([
    [`${long}-one`, `${long}-two`],
    ['shop.example.com/a-b', 'shop.example.com/a/b'],
    ['shop.example.com/a', 'shop.example.com/a-'],
  ])("differs from another controller's of its domain: %s and %s", (one, other) => {
    expect(labelOf(one)).not.toBe(labelOf(other));
    for (const label of [one, other].map(labelOf)) expect(label).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9.-]{0,61}[a-zA-Z0-9]$/);
  });
});
