import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { filesOf, root } from '../files.ts';
import { published, umbrella } from '../packages.ts';
import type { Program } from './programs.ts';

/** What examples use without an import: `export declare const topology: Topology`, and names of other packages. */
const world = 'internal/checks/docs/example-world.ts';

/** Returns the `ts` examples of declarations, with imports of all that they do not declare. */
export function declaredExamples(): readonly Program[] {
  const entries = entriesByName();
  const sources = filesOf('packages/*/src/**/*.ts').filter((path) => !/\.(test|test-d|fixture)\.ts$/.test(path));
  return sources.flatMap((path) => {
    const text = readFileSync(root + path, 'utf8');
    return [...text.matchAll(/@example\n((?:\s*\*(?!\/).*\n)+)/g)].flatMap(({ index, 1: comment = '' }) => {
      const code = /```ts\n([^`]*(?:`(?!``)[^`]*)*)```/.exec(comment.replaceAll(/^\s*\* ?/gm, ''))?.[1];
      if (code === undefined) return [];
      const line = text.slice(0, index).split('\n').length;
      return [programOf(path, line, code, entries)];
    });
  });
}

function programOf(path: string, line: number, code: string, entries: ReadonlyMap<string, readonly string[]>): Program {
  const own = path.split('/').slice(0, 2).join('/').replace('packages/', '@policy-machinery/');
  const imports = namesIn(code).flatMap((name) => {
    const modules = entries.get(name) ?? [];
    const module = modules.find((it) => it === own || it.startsWith(`${own}/`)) ?? modules[0];
    return module === undefined ? [] : [`import { ${name} } from '${module}';`];
  });
  // The example begins two lines below its tag.
  const checked = `${'\n'.repeat(line)}${imports.join(' ')} export {};\n${code}`;
  return { name: `${path}:${line}`, checked, runnable: '', runs: [] };
}

/** Returns the names that some code uses and neither declares nor imports. */
function namesIn(code: string): readonly string[] {
  const [used, declared] = [new Set<string>(), new Set<string>()];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isMember(node)) (isDeclared(node) ? declared : used).add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('example.ts', code, ts.ScriptTarget.ES2023, true));
  return [...used].filter((name) => !declared.has(name));
}

/** Returns whether a name belongs to a field instead of a variable. */
function isMember(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === name;
  if (ts.isBindingElement(parent)) return parent.propertyName === name;
  return (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === name;
}

function isDeclared(name: ts.Identifier): boolean {
  const { parent } = name;
  const isNamed = ts.isVariableDeclaration(parent) || ts.isBindingElement(parent) || ts.isParameter(parent);
  return (isNamed && parent.name === name) || ts.isImportSpecifier(parent);
}

/** Returns the modules that export each name. */
function entriesByName(): ReadonlyMap<string, readonly string[]> {
  const modules = published
    .filter(({ manifest }) => manifest.name !== umbrella)
    .flatMap(({ folder, entries }) => [...entries].map(([name, source]) => [name, `${folder}/${source}`] as const));
  const byName = new Map<string, string[]>([['z', ['zod']]]);
  for (const [module, path] of [...modules, [root + world, world] as const]) {
    for (const name of exportsIn(readFileSync(root + path, 'utf8'))) {
      byName.set(name, [...(byName.get(name) ?? []), module]);
    }
  }
  return byName;
}

function exportsIn(text: string): readonly string[] {
  const listed = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) => names.split(','));
  const declared = [...text.matchAll(/export (?:declare )?(?:const|function|class) (\w+)/g)].map(
    ([, name = '']) => name,
  );
  return [...listed.map((name) => name.trim().replace(/^type |^.* as /g, '')), ...declared].filter(
    (name) => name !== '',
  );
}
