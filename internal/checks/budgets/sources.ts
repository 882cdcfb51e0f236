import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { filesOf, root } from '../files.ts';
import { published, umbrella } from '../packages.ts';

/** Names that point to a value instead of saying what it is. */
const pronouns = new Set('after all at before found gone here it known left meant now one own there told'.split(' '));

/** The files that name the exports of packages. */
const entryFiles = new Set(
  published
    .filter(({ manifest }) => manifest.name !== umbrella)
    .flatMap(({ folder, entries }) =>
      Array.from(entries.values(), (source) => `${folder}/${source.slice('./'.length)}`),
    ),
);

/** The counts in sources, and the nodes that each one counts. */
const countedNodes = {
  'functions over 45 lines': (node) => ts.isFunctionLike(node) && linesOf(node) > 45,
  'named types': (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassLike(node),
  exports: (node) => ts.isExportSpecifier(node) && entryFiles.has(node.getSourceFile().fileName),
  casts: (node) => (ts.isAsExpression(node) ? !ts.isConstTypeReference(node.type) : ts.isNonNullExpression(node)),
  'pronouns as variables': isPronoun,
} satisfies Readonly<Record<string, (node: ts.Node) => boolean>>;

/** Counts in sources. */
export type SourceCounts = Readonly<Record<'lines' | keyof typeof countedNodes, number>>;

/** Returns whether sources have a count of this name. */
export function isSourceCount(name: string): name is keyof SourceCounts {
  return name === 'lines' || name in countedNodes;
}

/** Returns the sources of packages, without tests, fixtures and generated files. */
export function sourcePaths(): readonly string[] {
  const generated = [':!packages/schemas/src/lib/data', ':!packages/report/src/lib/page-assets.ts'];
  const paths = filesOf('packages/*/src/*.ts', 'packages/report/page/*.ts', ...generated);
  return paths.filter((path) => !/\.(?:test|test-d|fixture)\.ts$/.test(path));
}

/** Returns the counts of each source, by path. */
export function countSources(): ReadonlyMap<string, SourceCounts> {
  return new Map(sourcePaths().map((path) => [path, countsIn(path, readFileSync(root + path, 'utf8'))]));
}

/** Returns the counts of a text, from one parse. Exports count in the files that packages name as their entries. */
export function countsIn(path: string, text: string): SourceCounts {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true));
  const countOf = (name: keyof typeof countedNodes) => nodes.filter(countedNodes[name]).length;
  return {
    lines: text.split('\n').length - 1,
    'functions over 45 lines': countOf('functions over 45 lines'),
    'named types': countOf('named types'),
    exports: countOf('exports'),
    casts: countOf('casts'),
    'pronouns as variables': countOf('pronouns as variables'),
  };
}

function linesOf(node: ts.Node): number {
  const source = node.getSourceFile();
  const line = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  return line(node.end) - line(node.getStart(source)) + 1;
}

/** Returns whether a node declares a variable by a pronoun. As the parameter of an arrow on one line, `it` is idiomatic. */
function isPronoun(node: ts.Node): boolean {
  if (!ts.isVariableDeclaration(node) && !ts.isBindingElement(node) && !ts.isParameter(node)) return false;
  if (!ts.isIdentifier(node.name) || !pronouns.has(node.name.text)) return false;
  if (!ts.isParameter(node)) return true;
  const { parent } = node;
  const isIdiomatic = node.name.text === 'it' && ts.isArrowFunction(parent) && linesOf(parent) === 1;
  return 'body' in parent && parent.body !== undefined && !isIdiomatic;
}
