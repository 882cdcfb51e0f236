import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { format, inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { root } from '../files.ts';
import { declaredExamples } from './declared-examples.ts';
import { documents } from './markdown.ts';
import { type Program, type Reports, type Run, readPrograms, writeProgram } from './programs.ts';
import { typeErrors } from './type-errors.ts';

const withBlocks = documents().filter(({ blocks }) => blocks.length > 0);
const read = withBlocks.map(readPrograms);
const programs = read.flatMap((each) => each.programs);
const examples = declaredExamples();
const dataBlocks = withBlocks.flatMap(({ path, blocks }) =>
  blocks
    .filter(({ language }) => language === 'yaml' || language === 'json')
    .map((block) => [`${path}:${block.line}`, block] as const),
);

/** Whether a comment such as `3`, `3: because …` or `{ a: 1, … }` tells what there is, line breaks aside. */
function tells(said: string, shown: string): boolean {
  const [comment, text] = [said, shown].map((each) => each.trim().replaceAll(/\s+/g, ' ')) as [string, string];
  const parts = comment.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(text) || comment.startsWith(`${text}: `);
}

/** Runs a program in a folder with its files, or at the root; returns what its last block printed and was wrong about. */
async function run(program: Program, { files }: Run, count: number) {
  const printed: string[] = [];
  const wrong: string[] = [];
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...values) => void printed.push(`${format(...values)}\n`));
  }
  let since = 0;
  const compare = (line: number, said: string, shown: string) => {
    if (!tells(said, shown)) wrong.push(`line ${line} says ${said}, and it is ${shown}`);
  };
  const reports: Reports = {
    begin() {
      printed.length = 0;
      wrong.length = 0;
    },
    value: (line, said, value) => compare(line, said, inspect(value, { breakLength: 1000, compact: 100, depth: 100 })),
    print() {
      since = printed.length;
    },
    printed: (line, said) => compare(line, said, printed.slice(since).join('')),
  };
  vi.stubGlobal('docs', reports);

  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-docs-'));
  try {
    for (const { name, text } of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    process.chdir(files.length > 0 ? folder : root);
    await import(/* @vite-ignore */ `${writeProgram(program, 'runnable')}?run=${count}`);
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
  return { printed: printed.join(''), wrong };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('blocks', () => {
  it('name their language', () => {
    expect(read.flatMap(({ faults }) => faults)).toEqual([]);
  });
});

describe('ts blocks', () => {
  it('compile, but for the lines that say that they do not; so do the examples of declarations', () => {
    expect(examples.length).toBeGreaterThan(50);
    expect(typeErrors([...programs, ...examples])).toEqual([]);
  });

  it.each(programs.map((program) => [program.name, program] as const))(
    '%s runs, with the output in the document',
    async (_name, program) => {
      for (const [count, each] of program.runs.entries()) {
        const { printed, wrong } = await run(program, each, count);
        expect(wrong).toEqual([]);
        if (each.output !== undefined) expect(printed.trimEnd()).toBe(each.output.trimEnd());
      }
    },
  );
});

describe('yaml and json blocks', () => {
  it.each(dataBlocks)('%s can be read', (_name, { language, code }) => {
    if (language === 'json') expect(() => JSON.parse(code)).not.toThrow();
    else expect(parseAllDocuments(code).flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  });
});

describe('excerpts', () => {
  const excerpts = withBlocks.flatMap(({ path, blocks }) =>
    blocks.flatMap(({ line, code, comment = '' }) => {
      const file = /^excerpt of (\S+)$/.exec(comment)?.[1];
      return file === undefined ? [] : [[`${path}:${line}`, file, code] as const];
    }),
  );

  it.each(excerpts)('%s stands in %s', (_name, file, code) => {
    expect(readFileSync(root + file, 'utf8')).toContain(code);
  });
});
