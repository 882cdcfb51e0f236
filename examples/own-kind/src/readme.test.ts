import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const read = (path: string): Promise<string> => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

/** The first block of a language in the README. The checks of all documents run it, and compare what it prints. */
async function blockOf(language: string): Promise<string | undefined> {
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(await read('README.md'))?.[1];
}

describe('the README', () => {
  it.each([
    ['ts', 'src/main.ts'],
    ['yaml', 'manifests/shop.yaml'],
  ])('takes %s from %s', async (language, path) => {
    expect(await blockOf(language)).toBe(await read(path));
  });

  it('says how long the program is at most', async () => {
    const lines = (await read('src/main.ts')).trimEnd().split('\n');
    const [, most] = /less than (\d+) lines/.exec(await read('README.md')) ?? [];
    expect(lines.length).toBeLessThan(Number(most));
  });
});
