import { readFileSync } from 'node:fs';
import { filesOf, root } from '../files.ts';

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

/** Returns the text of each page: documents for users and contributors. Records of exports and changes are not pages. */
export function readPages(): ReadonlyMap<string, string> {
  const paths = filesOf('*.md', ':!*/api.md', ':!*CHANGELOG.md', ':!CODE_OF_CONDUCT.md', ':!.changeset', ':!.github');
  return new Map(paths.map((path) => [path, readFileSync(root + path, 'utf8')]));
}

/** Pages that programs write from data, as they write `api.md`: `npm run docs:systems`, and the test of the findings. */
const generatedPages: readonly string[] = ['docs/systems.md', 'docs/findings.md'];

/** Returns the number of words of each page that people write, code included. */
export function countWords(pages: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const written = Array.from(pages).filter(([path]) => !generatedPages.includes(path));
  return new Map(written.map(([path, text]) => [path, wordsOf(text)]));
}

/** Returns the number of words of a text. */
export function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/** Returns how often a phrase occurs on some pages, per 1,000 words, without code and comments. */
export function rateOf({ pattern }: Phrase, pages: Iterable<string>): number {
  const prose = Array.from(pages, (text) => text.replaceAll(/```[\s\S]*?```|<!--[\s\S]*?-->/g, '')).join('\n');
  const words = prose.split(/\s+/).filter((word) => /[A-Za-z]/.test(word)).length;
  return ((prose.match(pattern)?.length ?? 0) / words) * 1000;
}
