import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesOf, root } from '../files.ts';

const page = 'docs/requirements.md';

/** The numbers of requirements in a text: `T-10`, `X-11b`. */
function numbersIn(text: string): readonly string[] {
  return text.match(/\b[PTHCMSDAKGENXIO]-\d\d[a-z]?\b/g) ?? [];
}

/** Returns the rows of a page that begin with a number. */
function rowsOf(path: string): readonly string[] {
  return readFileSync(root + path, 'utf8')
    .split('\n')
    .filter((line) => /^\| [A-Z]-/.test(line));
}

function numberOf(row: string): string {
  return row.split(' | ')[0]?.slice(2) ?? '';
}

const rows = rowsOf(page);
const defined = rows.map(numberOf);
/** Their questions and rules are in docs/semantics.md. */
const contradictions = rows.filter((row) => row.startsWith('| X-'));

const cited = new Map<string, string>();
for (const path of filesOf('*.md', '*.ts'))
  if (path !== page) for (const number of numbersIn(readFileSync(root + path, 'utf8'))) cited.set(number, path);

describe(page, () => {
  it('defines each requirement once, with its source', () => {
    expect(new Set(defined).size).toBe(defined.length);
    const requirements = rows.filter((row) => !contradictions.includes(row));
    for (const row of requirements) expect(row).toMatch(/^\| [A-Z]-\d\d[a-z]? \| \S.* \| \S.* \|$/);
    for (const row of contradictions) expect(row).toMatch(/^\| X-\d\d[a-z]? \| \S[^|]* \|$/);
  });

  it('has the sources of each contradiction that docs/semantics.md decides, and of no other', () => {
    expect(contradictions).not.toEqual([]);
    expect(contradictions.map(numberOf).toSorted()).toEqual(
      rowsOf('docs/semantics.md')
        .map(numberOf)
        .filter((number) => number.startsWith('X-'))
        .toSorted(),
    );
  });

  it('defines each requirement that is cited', () => {
    expect([...cited].filter(([number]) => !defined.includes(number))).toEqual([]);
  });

  it('defines no requirement that is not cited', () => {
    expect(defined.filter((number) => !cited.has(number))).toEqual([]);
  });
});
