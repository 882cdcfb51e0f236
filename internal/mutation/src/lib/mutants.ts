import ts from 'typescript';

/** A change of one place in a source. */
export interface Mutant {
  readonly line: number;
  readonly operator: string;
  /** What stands there, on one line. */
  readonly before: string;
  readonly after: string;
  readonly start: number;
  readonly end: number;
}

/** Returns all mutants of a source, in the order of their places. */
export function mutantsOf(source: string): readonly Mutant[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const add = (operator: string, node: ts.Node, after: string): void => {
    const start = node.getStart(file);
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    mutants.push({ line, operator, before: node.getText(file), after, start, end: node.end });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) return;
    for (const [operator, changed, after] of changesOf(node, file)) add(operator, changed, after);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

/** Returns the source with a mutant. */
export function mutated(source: string, { start, end, after }: Mutant): string {
  return source.slice(0, start) + after + source.slice(end);
}

type Change = readonly [operator: string, node: ts.Node, after: string];

const swapped: ReadonlyMap<ts.SyntaxKind, readonly [operator: string, token: string]> = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, ['swap && and ||', '||']],
  [ts.SyntaxKind.BarBarToken, ['swap && and ||', '&&']],
  [ts.SyntaxKind.LessThanToken, ['shift a comparison by one', '<=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['shift a comparison by one', '<']],
  [ts.SyntaxKind.GreaterThanToken, ['shift a comparison by one', '>=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['shift a comparison by one', '>']],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['negate a comparison', '!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['negate a comparison', '===']],
]);

function changesOf(node: ts.Node, file: ts.SourceFile): readonly Change[] {
  const text = (it: ts.Node): string => it.getText(file);
  if (ts.isIfStatement(node)) return [['negate a condition', node.expression, `!(${text(node.expression)})`]];
  if (ts.isConditionalExpression(node)) return [['negate a condition', node.condition, `!(${text(node.condition)})`]];
  if (ts.isExpressionStatement(node)) return isCall(node.expression) ? [['drop a call', node, ';']] : [];
  if (ts.isBinaryExpression(node)) {
    if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
      return [['drop a default', node, `(${text(node.left)})`]];
    }
    const [operator, token] = swapped.get(node.operatorToken.kind) ?? [];
    if (operator === undefined || token === undefined) return [];
    return [[operator, node, `(${text(node.left)} ${token} ${text(node.right)})`]];
  }
  if (ts.isBlock(node) && ts.isFunctionLike(node.parent) && node.statements.length > 0) {
    return [['return early', node, '{ return; }']];
  }
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && isValue(node)) {
    return [['drop an element', node, `[${node.elements.slice(1).map(text).join(', ')}]`]];
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [['swap true and false', node, 'false']];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [['swap true and false', node, 'true']];
  return [];
}

/** Returns whether an expression is a call that can be left out. */
function isCall(expression: ts.Expression): boolean {
  return ts.isCallExpression(expression) && expression.expression.kind !== ts.SyntaxKind.SuperKeyword;
}

/** Returns whether a list is a value, and no pattern that is assigned to. */
function isValue(node: ts.ArrayLiteralExpression): boolean {
  return !(ts.isBinaryExpression(node.parent) && node.parent.left === node);
}
