import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';
import { root } from '../files.ts';
import type { CodeBlock, Document } from './markdown.ts';

/** A file that a program finds in its working directory: a block that begins with its name in a comment. */
export interface NamedFile {
  readonly name: string;
  readonly text: string;
}

/** One run of a program. */
export interface Run {
  readonly files: readonly NamedFile[];
  /** What the last block of the program prints, if the document says so. */
  readonly output?: string;
}

/** A `ts` block, after the blocks that it continues. */
export interface Program {
  /** The document and the line of the block. */
  readonly name: string;
  /** What is type-checked. Every line has the number that it has in the document. */
  readonly checked: string;
  /** The same as it is run: it tells `globalThis.docs` where its last block begins, and what comments say. */
  readonly runnable: string;
  readonly runs: readonly Run[];
}

/** What the runnable programs report to. */
export interface Reports {
  /** The last block begins. */
  begin(): void;
  /** What a statement gives, and is said to give. */
  value(line: number, said: string, value: unknown): void;
  /** A statement begins that is said to print something. */
  print(): void;
  /** What it is said to print. */
  printed(line: number, said: string): void;
}

interface Chain {
  readonly blocks: readonly CodeBlock[];
  readonly runs: Run[];
}

/** What a block goes on from, by the comment before it. */
const continued: Readonly<Record<string, (chains: readonly Chain[]) => Chain | undefined>> = {
  continues: (chains) => chains.at(-1),
  'continues the example': (chains) => chains[0],
};

const outputLanguages: readonly string[] = ['text', 'mermaid'];
const notTypeScript: readonly string[] = ['typescript', 'js', 'javascript', 'tsx', 'jsx', 'mjs', 'cjs'];
/** The end of a line that is there to show an error of the compiler. */
export const doesNotCompile = /\/\/ does not compile$/;

/** Returns the programs of a document, and what is wrong with its blocks before any of them is run. */
export function readPrograms(document: Document): { programs: readonly Program[]; faults: readonly string[] } {
  const faults: string[] = [];
  const chains: Chain[] = [];
  const files: NamedFile[] = [];
  for (const block of document.blocks) {
    const where = `${document.path}:${block.line}`;
    const chain = chains.at(-1);
    if (notTypeScript.includes(block.language)) faults.push(`${where}: write ts, not ${block.language}`);
    if (block.language === 'ts') {
      const before = continued[block.comment ?? '']?.(chains);
      if (block.comment?.startsWith('continue') && before === undefined) {
        faults.push(`${where}: "${block.comment}" names no block before it`);
      }
      chains.push({ blocks: [...(before?.blocks ?? []), block], runs: [] });
    } else if (block.language === 'yaml') {
      const name = /^# (\S+\.ya?ml)\n/.exec(block.code)?.[1];
      if (name !== undefined) files.push({ name, text: block.code });
    } else if (outputLanguages.includes(block.language) && !block.comment?.startsWith('excerpt of ')) {
      const printing = chain?.blocks.at(-1)?.section === block.section ? chain : undefined;
      if (printing !== undefined) printing.runs.push({ files: [...files], output: block.code });
      else {
        faults.push(`${where}: no ts block in this section prints it; name no language, or what it is an excerpt of`);
      }
    }
  }
  const programs = chains.map(({ blocks, runs }) => program(document, blocks, runs.length > 0 ? runs : [{ files }]));
  return { programs, faults };
}

function program({ path }: Document, blocks: readonly CodeBlock[], runs: readonly Run[]): Program {
  const last = blocks.at(-1) as CodeBlock;
  const lines: string[] = [];
  for (const { line, code } of blocks) {
    while (lines.length < line - 1) lines.push('');
    lines.push(...code.trimEnd().split('\n'));
  }
  const checked = `${lines.join('\n')}\nexport {};\n`;
  const ran = lines.map((line) => (doesNotCompile.test(line) ? '' : line));
  ran[last.line - 2] = 'globalThis.docs.begin();';
  return { name: `${path}:${last.line}`, checked, runnable: withReports(ran.join('\n')), runs };
}

/** Reports what statements give or print whose comment says so: `f(x); // 3`, or `console.log(x); // 3`. */
function withReports(code: string): string {
  const file = ts.createSourceFile('block.ts', code, ts.ScriptTarget.Latest);
  const edits = file.statements.flatMap((statement) => {
    const text = statement.getText(file);
    const prints = /^(console\.|for )/.test(text);
    if (!prints && !ts.isExpressionStatement(statement)) return [];
    const comment = prints ? /^\s?\/\/ (.*(?:\n\/\/ .*)*)/ : /^ \/\/ (.*)/;
    const said = comment.exec(code.slice(statement.end))?.[1]?.replaceAll('\n// ', ' ');
    if (said === undefined) return [];
    const line = file.getLineAndCharacterOfPosition(statement.end).line + 1;
    const report = `${line}, ${JSON.stringify(said)}`;
    const edit = prints
      ? `globalThis.docs.print(); ${text} globalThis.docs.printed(${report});`
      : `globalThis.docs.value(${report}, ${text.replace(/;$/, '')});`;
    return [{ start: statement.getStart(file), end: statement.end, edit }];
  });
  return edits.reduceRight((text, { start, end, edit }) => text.slice(0, start) + edit + text.slice(end), code);
}

/** The folder, ignored by Git, in which programs stand so that they find the packages. */
const folder = `${root}internal/checks/docs/.programs/`;

/** Writes a form of a program, for the compiler or the runner, and returns the path of its module. */
export function writeProgram(program: Program, form: 'checked' | 'runnable'): string {
  const path = `${folder}${program.name.replace(':', '.')}.${form}.ts`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, program[form]);
  return path;
}
