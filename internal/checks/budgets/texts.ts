import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { filesOf, root } from '../files.ts';
import { phrases, rateOf } from './documents.ts';
import { sourcePaths } from './sources.ts';

/** Texts in code: messages for users, and comments and titles of tests for contributors. */
export interface Texts {
  readonly messages: readonly string[];
  readonly comments: readonly string[];
  readonly titles: readonly string[];
}

/** Returns the messages and comments in a source. Literals with fewer than three words are not messages. */
export function textsIn(path: string, text: string): Omit<Texts, 'titles'> {
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

/** Returns the titles of `describe` and `it` in a test file, including titles in tables. */
export function titlesIn(path: string, text: string): readonly string[] {
  const titles: string[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:describe|it|test)\b/.test(node.expression.getText(file))) {
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
        titles.push(title.getText(file).slice(1, -1));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return titles;
}

/** Returns how often texts use the phrases that make readers stumble, per 10,000 words, rounded up. */
export function countTexts(): Readonly<Record<keyof Texts, Readonly<Record<string, number>>>> {
  const all = sourcePaths().map((path) => textsIn(path, readFileSync(root + path, 'utf8')));
  const tests = filesOf('*.test.ts', '*.e2e.ts', '*.browser.ts');
  const rates = (texts: readonly string[]) => {
    const unwanted = phrases.filter(({ isWanted }) => !isWanted);
    return Object.fromEntries(unwanted.map((phrase) => [phrase.name, Math.ceil(rateOf(phrase, texts) * 10)]));
  };
  return {
    messages: rates(all.flatMap(({ messages }) => messages)),
    comments: rates(all.flatMap(({ comments }) => comments)),
    titles: rates(tests.flatMap((path) => titlesIn(path, readFileSync(root + path, 'utf8')))),
  };
}
