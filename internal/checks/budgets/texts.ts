import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { root } from '../files.ts';
import { phrases, rateOf } from './documents.ts';
import { sourcePaths } from './sources.ts';

/** Texts in sources: messages for users, and comments for contributors. */
export interface Texts {
  readonly messages: readonly string[];
  readonly comments: readonly string[];
}

/** Returns the texts in a source. Literals with fewer than three words are not messages. */
export function textsIn(path: string, text: string): Texts {
  const messages: string[] = [];
  const comments = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ];
    for (const { pos, end } of ranges) comments.set(pos, text.slice(pos, end));
    if (ts.isStringLiteralLike(node)) messages.push(node.text);
    if (ts.isTemplateExpression(node)) {
      messages.push([node.head, ...node.templateSpans.map(({ literal }) => literal)].map((it) => it.text).join('…'));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true));
  return { messages: messages.filter((it) => it.trim().split(/\s+/).length > 2), comments: [...comments.values()] };
}

/** Returns how often sources use the phrases that make readers stumble, in messages and comments, per 10,000 words, rounded up. */
export function countTexts(): Readonly<Record<keyof Texts, Readonly<Record<string, number>>>> {
  const all = sourcePaths().map((path) => textsIn(path, readFileSync(root + path, 'utf8')));
  const rates = (texts: readonly string[]) => {
    const unwanted = phrases.filter(({ isWanted }) => !isWanted);
    return Object.fromEntries(unwanted.map((phrase) => [phrase.name, Math.ceil(rateOf(phrase, texts) * 10)]));
  };
  return {
    messages: rates(all.flatMap(({ messages }) => messages)),
    comments: rates(all.flatMap(({ comments }) => comments)),
  };
}
