import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFitted } from './fitted.ts';
import { formatTable } from './table.ts';

const rows = [
  ['timeout.request', '60s', 'shop/patient', 'on HTTPRoute shop/checkout'],
  ['', '1s', 'shop/hurried', 'lost: shop/patient is older'],
  ['retries', '3', 'infra/house-rules', 'on Gateway infra/public'],
];

describe('formatFitted', () => {
  it('is the usual table where that fits', () => {
    expect(formatFitted(rows, { width: 80, indent: 2 })).toBe(formatTable(rows, { indent: 2 }));
  });

  it('breaks the last column at spaces', () => {
    const text = 'The target does not exist; create it or correct the reference';
    expect(formatFitted([['careful', text]], { width: 50 })).toMatchInlineSnapshot(`
      "careful  The target does not exist; create it or
               correct the reference"
    `);
  });

  it('gives the first column separate lines if a word of the last one is too long', () => {
    const text = 'gateway.envoyproxy.io/gatewayclass-controller refuses it: 1T is out of range.';
    expect(
      formatFitted([['BackendTrafficPolicy shop/refused', 'invalid', text]], { width: 80 }),
    ).toMatchInlineSnapshot(`
      "BackendTrafficPolicy shop/refused
        invalid  gateway.envoyproxy.io/gatewayclass-controller refuses it: 1T is out
                 of range."
    `);
  });

  it('gives the first column separate lines if little room is left, then also the others', () => {
    expect(formatFitted(rows, { width: 64 })).toMatchInlineSnapshot(`
      "timeout.request
        60s  shop/patient       on HTTPRoute shop/checkout
        1s   shop/hurried       lost: shop/patient is older
      retries
        3    infra/house-rules  on Gateway infra/public"
    `);
    expect(formatFitted(rows.slice(0, 2), { width: 32 })).toMatchInlineSnapshot(`
      "timeout.request
        60s
          shop/patient
            on HTTPRoute shop/checkout
        1s
          shop/hurried
            lost: shop/patient is
              older"
    `);
  });

  it('breaks JSON after commas, and leaves words whole', () => {
    expect(formatFitted([['[{"limit":100,"window":"1s"}]']], { width: 18 })).toBe('[{"limit":100,\n  "window":"1s"}]');
    expect(formatFitted([['a-name-that-is-long']], { width: 5 })).toBe('a-name-that-is-long');
  });

  it('keeps a kind and a name together', () => {
    expect(formatFitted([['Gateway infra/public > HTTPRoute shop/cart']], { width: 34 })).toBe(
      'Gateway infra/public >\n  HTTPRoute shop/cart',
    );
  });

  it('keeps the words before a kind with it, and gives the policy a separate line where both do not fit', () => {
    const row = ['1', 'home-automation/home-assistant', 'on HTTPRoute home-automation/home-assistant'];
    expect(formatFitted([['path', ...row]], { width: 80, indent: 4 })).toMatchInlineSnapshot(`
      "    path
            1  home-automation/home-assistant
                 on HTTPRoute home-automation/home-assistant"
    `);
  });

  it('colours each part', () => {
    expect(formatFitted([[['one two', (text) => `<${text}>`]]], { width: 4 })).toBe('<one>\n  <two>');
  });

  it('loses no word, and stays as narrow as possible', () => {
    const cell = fc.array(fc.constantFrom('a', 'bcd', 'efghij'), { maxLength: 9 }).map((words) => words.join(' '));
    const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(table, fc.integer({ min: 20, max: 60 }), (cells, width) => {
        const text = formatFitted(cells, { width });
        const wordsIn = (some: string) =>
          some
            .split(/\s+/)
            .filter((word) => word !== '')
            .sort();
        expect(wordsIn(text)).toEqual(wordsIn(cells.flat().join(' ')));
        expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
