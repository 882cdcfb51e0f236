import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';
import { filesOf, root } from '../files.ts';
import { doesNotCompile, type Program, writeProgram } from './programs.ts';

/** The hash of the programs and sources that last compiled without an error. */
const cache = `${root}node_modules/.cache/policy-machinery/documents`;

/** Returns the type errors of programs, in terms of their documents; and the lines that compile and should not. Remembers what has none. */
export function typeErrors(programs: readonly Program[]): readonly string[] {
  const hash = hashOf(programs);
  if (existsSync(cache) && readFileSync(cache, 'utf8') === hash) return [];
  const errors = compile(programs);
  if (errors.length === 0) {
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(cache, hash);
  }
  return errors;
}

/** Returns a hash of all that decides whether programs compile; dependencies are in the lock file. */
function hashOf(programs: readonly Program[]): string {
  const inputs = filesOf('*.ts', '*package.json', 'tsconfig.base.json', 'pnpm-lock.yaml', ':!*.test.ts');
  const hash = createHash('sha256').update(ts.version);
  for (const path of inputs) hash.update(`\0${path}\0`).update(readFileSync(root + path));
  for (const { name, checked } of programs) hash.update(`\0${name}\0${checked}`);
  return hash.digest('hex');
}

function compile(programs: readonly Program[]): readonly string[] {
  const byPath = new Map(programs.map((each) => [writeProgram(each, 'checked'), each]));
  const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  // Examples end where the reader has seen enough.
  const compiled = ts.createProgram([...byPath.keys()], { ...options, noUnusedLocals: false });

  const errors = new Set(compiled.getOptionsDiagnostics().map(textOf));
  const refused = new Set<string>();
  for (const [path, { name, checked }] of byPath) {
    const document = name.split(':')[0];
    const lines = checked.split('\n');
    // `npm run typecheck` checks the sources that they import.
    const source = compiled.getSourceFile(path);
    for (const fault of [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)]) {
      const line = fault.file?.getLineAndCharacterOfPosition(fault.start ?? 0).line ?? 0;
      const where = `${document}:${line + 1}`;
      if (doesNotCompile.test(lines[line] ?? '')) refused.add(where);
      else errors.add(`${where}: ${textOf(fault)}`);
    }
    for (const [index, text] of lines.entries()) {
      const where = `${document}:${index + 1}`;
      if (doesNotCompile.test(text) && !refused.has(where)) errors.add(`${where}: this line compiles`);
    }
  }
  return [...errors];
}

function textOf({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, '\n');
}
