import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { root } from '../files.ts';
import { published } from '../packages.ts';

const entries = published.flatMap(({ folder, entries }) =>
  Array.from(
    entries,
    ([name, source]) => [name, `${root}${folder}/dist/${source.slice('./src/'.length, -'.ts'.length)}`] as const,
  ),
);

const program = ts.createProgram(
  entries.map(([, path]) => `${path}.d.ts`),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, noEmit: true, types: ['node'] },
);
const checker = program.getTypeChecker();

/** The names that the declarations of an entry export as values. */
function declaredValues(path: string): readonly string[] {
  const file = program.getSourceFile(`${path}.d.ts`);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${path}.d.ts is no module`);
  return checker
    .getExportsOfModule(module)
    .filter((symbol) => !isTypeOnly(symbol) && isValue(symbol))
    .map(({ name }) => name)
    .sort();
}

function isTypeOnly({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((it) => ts.isExportSpecifier(it) && (it.isTypeOnly || it.parent.parent.isTypeOnly));
}

function isValue(symbol: ts.Symbol): boolean {
  const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return (meant.flags & ts.SymbolFlags.Value) !== 0;
}

/** The classes among the exports, with whether their constructor is public. */
function classes(path: string): readonly (readonly [name: string, isOpen: boolean])[] {
  const file = program.getSourceFile(`${path}.d.ts`);
  return [...(file?.statements ?? [])].filter(ts.isClassDeclaration).map(({ name, members }) => {
    const constructors = members.filter(ts.isConstructorDeclaration);
    const isHidden = (it: ts.ConstructorDeclaration) =>
      it.modifiers?.some(
        ({ kind }) => kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.ProtectedKeyword,
      );
    return [name?.text ?? '', !(constructors.length > 0 && constructors.every(isHidden))];
  });
}

/** The classes that are there to be constructed. */
const open = ['CheckFailure', 'PolicyMachineryError', 'StatusError', 'TransportError'];

describe('all declarations', () => {
  it('compile with strict alone, without exactOptionalPropertyTypes', () => {
    const faults = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
    expect(faults).toEqual([]);
  });
});

describe.each(entries)('the declarations of %s', (_name, path) => {
  it('export the values of the code', async () => {
    const code: object = await import(/* @vite-ignore */ pathToFileURL(`${path}.js`).href);
    expect(declaredValues(path)).toEqual(Object.keys(code).sort());
  });

  it('import nothing that needs an optional peer, unless they use it', () => {
    const text = program.getSourceFile(`${path}.d.ts`)?.text ?? '';
    expect(text.match(/^import '.*(?:prom-client|opentelemetry).*$/gm) ?? []).toEqual([]);
  });

  it('hide the constructors of results of functions', () => {
    const all = classes(path).filter(([name]) => !open.includes(name));
    expect(all.filter(([, isOpen]) => isOpen)).toEqual([]);
  });

  it('hold nothing that is internal', () => {
    const text = program.getSourceFile(`${path}.d.ts`)?.text ?? '';
    expect(text.match(/@(?:internal|private)\b.*/g) ?? []).toEqual([]);
  });
});
