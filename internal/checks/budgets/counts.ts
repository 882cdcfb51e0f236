import type { Counts } from './budgets.ts';
import { countWords, readPages } from './documents.ts';
import { countSources, type SourceCounts } from './sources.ts';
import { countTexts } from './texts.ts';

/** The sources of each group. */
const groups: Readonly<Record<string, RegExp>> = {
  engine: /^packages\/(?:topology|effective-policy|policy-status)\//,
  packages: /^packages\//,
};

/** Returns the counts in sources and pages: sums of groups of packages, the words of each page, and the phrases in texts. */
export function countAll(): Counts {
  const sources = countSources();
  const sums = Object.entries(groups).map(([group, pattern]) => {
    const counted = Array.from(sources).filter(([path]) => pattern.test(path));
    return [group, sumOf(counted.map(([, counts]) => counts))] as const;
  });
  return { ...Object.fromEntries(sums), words: Object.fromEntries(countWords(readPages())), ...countTexts() };
}

/** Returns sums by name. Lines are rounded up to hundreds, so that the next fix does not need a raise. */
function sumOf(all: readonly SourceCounts[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  return { ...sums, lines: Math.ceil((sums.lines ?? 0) / 100) * 100 };
}

/** Returns whether the sources of a group contain a path. */
export function isIn(group: string, path: string): boolean {
  return groups[group]?.test(path) ?? false;
}
