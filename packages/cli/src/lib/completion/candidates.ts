import { printable } from '@policy-machinery/resource';

/** The handling of candidates in the shell: the bits of Cobra's protocol. */
export const directives = { default: 0, noSpace: 2, noFiles: 4 } as const;

export interface Candidates {
  readonly words: readonly { readonly word: string; readonly description?: string }[];
  /** The sum of some {@link directives}. */
  readonly directive: number;
}

/** No candidates but the files that the shell knows itself. */
export const filesOnly: Candidates = { words: [], directive: directives.default };

/** Returns whether a word means itself in every shell. */
function isPlain(word: string): boolean {
  return /^[\w./:@%+=,-]*$/.test(word);
}

/** Returns words as candidates, without files. */
export function candidatesOf(words: Iterable<string>): Candidates {
  return { words: [...words].map((word) => ({ word })), directive: directives.noFiles };
}

/** Returns words as candidates to which more can be added. */
export function unfinished(words: Iterable<string>): Candidates {
  return { ...candidatesOf(words), directive: directives.noFiles + directives.noSpace };
}

/**
 * Writes candidates as Cobra does: one on each line, with a tab before its description, and the directive at the end.
 *
 * @param beginning The beginning of the word. Candidates that begin otherwise are left out.
 * @param isQuoted Whether the script that reads the answer quotes words. If not, words that a shell may evaluate are left out: names come
 * from files and clusters, and belong to others.
 * @returns The text.
 */
export function protocolText({ words, directive }: Candidates, beginning: string, isQuoted: boolean): string {
  const lines = words
    .filter(({ word }) => word.startsWith(beginning) && word === printable(word) && (isQuoted || isPlain(word)))
    .map(({ word, description }) => (description === undefined ? word : `${word}\t${description}`));
  return [...lines, `:${directive}`, ''].join('\n');
}
