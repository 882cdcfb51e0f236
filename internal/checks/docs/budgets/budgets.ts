import { readFileSync } from 'node:fs';
import { filesOf, root } from '../../files.ts';

/** A budget that was raised. */
export interface Raise {
  /** A page, or the name of a phrase. */
  readonly of: string;
  readonly by: number;
  readonly reason: string;
}

/** The content of `budgets.json`. */
export interface Budgets {
  /** The most words of each page, code included. A page that is missing has none. */
  readonly words: Readonly<Record<string, number>>;
  /** The most occurrences of each phrase on all pages, code excluded; for a wanted phrase, the fewest per 1,000 words. */
  readonly phrases: Readonly<Record<string, number>>;
  /** Each adds to a budget, with the reason. For a new page, it is the budget. */
  readonly raises: readonly Raise[];
}

/** A phrase that is counted on all pages. */
export interface Phrase {
  readonly name: string;
  readonly pattern: RegExp;
  /** How often native speakers use it in the documents of comparable projects, per 1,000 words. */
  readonly goal: number;
  /** Whether readers need it: the goal is the fewest, instead of the most. */
  readonly isWanted?: boolean;
}

const prepositions = 'of with to for in on by from at under through after before against below above';

/** Phrases that make readers stumble, and phrases that address readers. */
export const phrases: readonly Phrase[] = [
  { name: 'what', pattern: /\bwhat\b/gi, goal: 1.5 },
  { name: 'is no', pattern: /\b(?:is|are|has|have) no\b/gi, goal: 0.5 },
  { name: 'of which', pattern: new RegExp(`\\b(?:${prepositions.replaceAll(' ', '|')}) which\\b`, 'gi'), goal: 0.1 },
  { name: 'that of', pattern: /\b(?:those|that) of\b/gi, goal: 0.1 },
  { name: 'whose', pattern: /\b(?:whose|whom)\b/gi, goal: 0.2 },
  { name: 'of its own', pattern: /\b(?:of (?:its|their|his) own|as (?:it is|they are))\b/gi, goal: 0.1 },
  { name: 'since', pattern: /\bsince\b/gi, goal: 0.2 },
  { name: 'for example', pattern: /\b(?:for example|e\.g\.)/gi, goal: 0.8, isWanted: true },
  { name: 'must', pattern: /\b(?:must|should|needs? to)\b/gi, goal: 2, isWanted: true },
  { name: 'you can', pattern: /\byou can\b/gi, goal: 0.8, isWanted: true },
];

/** The text of each page: documents for users and contributors. Records of exports and changes are not pages. */
export function readPages(): ReadonlyMap<string, string> {
  const paths = filesOf('*.md', ':!*/api.md', ':!*CHANGELOG.md', ':!CODE_OF_CONDUCT.md', ':!.changeset', ':!.github');
  return new Map(paths.map((path) => [path, readFileSync(root + path, 'utf8')]));
}

/** Returns the number of words of a page, code included. */
export function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/** Occurrences of a phrase. */
export interface Occurrences {
  readonly count: number;
  /** Per 1,000 words. */
  readonly rate: number;
}

/** Returns how often a phrase occurs on some pages, without code and comments. */
export function occurrencesOf({ pattern }: Phrase, pages: Iterable<string>): Occurrences {
  const prose = Array.from(pages, (text) => text.replaceAll(/```[\s\S]*?```|<!--[\s\S]*?-->/g, '')).join('\n');
  const words = prose.split(/\s+/).filter((word) => /[A-Za-z]/.test(word)).length;
  const count = prose.match(pattern)?.length ?? 0;
  return { count, rate: (count / words) * 1000 };
}

/** Whether a phrase is within its limit. An unwanted phrase may also be within its goal, so that a new page needs no raise. */
export function isWithin(limit: number, { isWanted, goal }: Phrase, { count, rate }: Occurrences): boolean {
  return isWanted ? rate >= limit : count <= limit || rate <= goal;
}

/** Returns a budget, with its raises. */
export function limitOf(name: string, { words, phrases: limits, raises }: Budgets): number {
  const added = raises.filter((raise) => raise.of === name).map(({ by }) => by);
  return added.reduce((sum, by) => sum + by, words[name] ?? limits[name] ?? 0);
}

/** Returns the budgets after a count: each falls to the present count. The limit of a wanted phrase rises, up to its goal. */
export function lowered(budgets: Budgets, pages: ReadonlyMap<string, string>): Budgets {
  const words = Array.from(pages, ([path, text]) => [path, Math.min(limitOf(path, budgets), wordsOf(text))] as const);
  const limits = phrases.map(
    (phrase) => [phrase.name, limitAfter(phrase, limitOf(phrase.name, budgets), pages)] as const,
  );
  return { words: Object.fromEntries(words), phrases: Object.fromEntries(limits), raises: [] };
}

function limitAfter(phrase: Phrase, limit: number, pages: ReadonlyMap<string, string>): number {
  const { count, rate } = occurrencesOf(phrase, pages.values());
  if (phrase.isWanted) return Math.max(limit, Math.min(phrase.goal, Math.floor(rate * 10) / 10));
  return Math.min(limit, count);
}
