import { relative } from 'node:path';
import ts from 'typescript';
import { root } from '../files.ts';
import { type Package, published, umbrella } from '../packages.ts';

/** The packages whose surface is listed: `umbrella` repeats the others, and programs export nothing. */
export const listed: readonly Package[] = published.filter(
  ({ manifest, entries }) => entries.size > 0 && manifest.name !== umbrella,
);

const sourceOf = ({ folder }: Package, entry: string) => `${root}${folder}/${entry.slice('./'.length)}`;
const program = ts.createProgram(
  listed.flatMap((each) => [...each.entries.values()].map((entry) => sourceOf(each, entry))),
  compilerOptions(),
);
const checker = program.getTypeChecker();
const declarations = emitDeclarations();
const printer = ts.createPrinter({ removeComments: true });

/** The options that the packages are built with. Types are checked elsewhere. */
function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const output = {
    noEmit: false,
    emitDeclarationOnly: true,
    declarationMap: false,
    outDir: `${root}dist`,
    rootDir: root,
  };
  return { ...options, ...output, noCheck: true, stripInternal: true, stableTypeOrdering: true };
}

/** Returns the statements of the declarations of each source, by the path of the source. */
function emitDeclarations(): ReadonlyMap<string, readonly ts.Statement[]> {
  const emitted = new Map<string, readonly ts.Statement[]>();
  program.emit(undefined, (name, text, _mark, _onError, [source] = []) => {
    if (source !== undefined) {
      emitted.set(source.fileName, [...ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true).statements]);
    }
  });
  return emitted;
}

/** Returns everything that a package exports, with its types, as Markdown: a section for each entry, sorted by name. */
export function surfaceOf(each: Package): string {
  const sections = Array.from(each.entries, ([name, entry]) => {
    const lines = exportsOf(sourceOf(each, entry)).map((symbol) => declarationOf(each, symbol));
    return `## \`${name}\`\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`;
  });
  const note =
    'All exports, with their types. `npm run api` writes this file, and CI compares it: a change of it is a change for users.';
  return [`# The surface of ${each.manifest.name}\n\n${note}\n`, ...sections].join('\n');
}

function exportsOf(path: string): readonly ts.Symbol[] {
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${path} is no module`);
  return checker.getExportsOfModule(module).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns how an export is declared, or from which other package it comes. */
function declarationOf({ folder }: Package, symbol: ts.Symbol): string {
  const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const source = meant.declarations?.[0]?.getSourceFile().fileName ?? '';
  const path = relative(root, source);
  if (!path.startsWith(`${folder}/`)) return `export { ${symbol.name} } from '${packageOf(path)}';`;
  const named = (declarations.get(source) ?? []).filter((it) => namesOf(it).includes(meant.name));
  if (named.length === 0 || meant.name !== symbol.name) throw new Error(`${path} declares no ${symbol.name}`);
  return named.map((it) => printer.printNode(ts.EmitHint.Unspecified, it, it.getSourceFile())).join('\n');
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.text];
}

function packageOf(path: string): string {
  const own = published.find(({ folder }) => path.startsWith(`${folder}/`));
  return own?.manifest.name ?? /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;
}
