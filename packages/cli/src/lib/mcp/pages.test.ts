import { describe, expect, it } from 'vitest';
import { Pages } from './pages.ts';

const footer = /\[(\d+) more lines?: call "more" with the cursor "(.*)"\]\n$/;

/** Reads all pages of a text, and returns each without its footer. */
function readAll(pages: Pages, text: string): readonly string[] {
  const read = [pages.first(text)];
  for (let cursor = footer.exec(read.at(-1) ?? ''); cursor !== null; cursor = footer.exec(read.at(-1) ?? '')) {
    read.push(pages.next(cursor[2] ?? '') ?? 'no such page');
  }
  return read.map((page) => page.replace(footer, ''));
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index} of ${count}\n`).join('');

describe('an answer', () => {
  it('that is short has one page, unchanged', () => {
    expect(new Pages().first('nothing\n')).toBe('nothing\n');
  });

  it('that is long has pages of whole lines, which are the answer when put together', () => {
    const read = readAll(new Pages(), lines(500));
    expect(read.length).toBeGreaterThan(4);
    expect(read.join('')).toBe(lines(500));
    for (const page of read) expect(page.length).toBeLessThanOrEqual(1700);
  });

  it('says how many lines there are besides', () => {
    const page = new Pages().first(lines(500));
    const shown = page.split('\n').length - 2;
    expect(footer.exec(page)?.[1]).toBe(String(500 - shown));
  });

  it('has its longest lines cut, and loses nothing', () => {
    const long = `${'x'.repeat(4000)}\nend\n`;
    expect(readAll(new Pages(), long).join('').replaceAll('\n', '')).toBe(`${'x'.repeat(4000)}end`);
  });

  it('has pages while a few others are asked for, and no longer', () => {
    const pages = new Pages();
    const cursor = footer.exec(pages.first(lines(500)))?.[2] ?? '';
    for (let count = 0; count < 15; count += 1) pages.first(lines(500));
    expect(pages.next(cursor)).toContain('line');
    pages.first(lines(500));
    expect(pages.next(cursor)).toBeUndefined();
  });

  it.each(['', '1', '1:', '1:0', '1:-5', '1:1.5', '1:99999999', '2:10', 'x:y', '1:NaN', '__proto__:1'])(
    'lacks a page at the cursor %j',
    (cursor) => {
      const pages = new Pages();
      pages.first(lines(500));
      expect(pages.next(cursor)).toBeUndefined();
    },
  );
});
