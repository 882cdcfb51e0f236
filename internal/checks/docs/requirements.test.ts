import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesOf, root } from '../files.ts';

const page = 'docs/requirements.md';

/** The numbers of requirements in a text: `T-10`, `X-11b`. */
function numbersIn(text: string): readonly string[] {
  return text.match(/\b[PTHCMSDAKGENXIO]-\d\d[a-z]?\b/g) ?? [];
}

const rows = readFileSync(root + page, 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]-/.test(line));
const defined = rows.map((row) => row.split(' | ')[0]?.slice(2) ?? '');

const cited = new Map<string, string>();
for (const path of filesOf('*.md', '*.ts'))
  if (path !== page) for (const number of numbersIn(readFileSync(root + path, 'utf8'))) cited.set(number, path);

describe(page, () => {
  it('defines each requirement once, with its source', () => {
    expect(new Set(defined).size).toBe(defined.length);
    for (const row of rows) expect(row).toMatch(/^\| [A-Z]-\d\d[a-z]? \| \S.* \| \S.* \|$/);
  });

  it('defines each requirement that is cited', () => {
    expect([...cited].filter(([number]) => !defined.includes(number))).toEqual([]);
  });

  it('defines no requirement that is not cited', () => {
    expect(defined.filter((number) => !cited.has(number))).toEqual([]);
  });
});
