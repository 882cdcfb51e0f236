import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesOf, root } from '../files.ts';

/** Returns the optional properties of an interface that do not accept `undefined`. */
function strictProperties({ members }: ts.InterfaceDeclaration): readonly string[] {
  return members.flatMap((member) => {
    if (!ts.isPropertySignature(member) || member.questionToken === undefined || member.type === undefined) return [];
    return /\bundefined$/.test(member.type.getText()) ? [] : [member.name.getText()];
  });
}

/** Returns the exported interfaces of options and definitions in a file that have such properties. */
function strictInputs(path: string): readonly string[] {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.ES2023, true);
  return source.statements.flatMap((statement) => {
    if (!ts.isInterfaceDeclaration(statement) || !/(Options|Definition)$/.test(statement.name.text)) return [];
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    return isExported && strictProperties(statement).length > 0 ? [`${path.split('/')[1]}:${statement.name.text}`] : [];
  });
}

describe('options and definitions', () => {
  it('accept undefined where they are optional', () => {
    const files = filesOf('packages/*/src/*.ts').filter((path) => !/\.(test|fixture)\.ts$/.test(path));
    expect(files.flatMap(strictInputs)).toEqual([]);
  });
});
