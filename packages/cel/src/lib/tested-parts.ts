import { call, text } from './build.ts';
import type { Refuse } from './fields.ts';
import type { Expr } from './parse-condition.ts';

/** A part of a variable that expressions can test, and not read: `request.path`, `request.header("h")`. */
export interface CelPart {
  /** A value that it may have, for messages: `/cart`. */
  readonly example: string;
  /** A value for its method `under`, such as a prefix of paths: `/admin`. Default: it does not have the method. */
  readonly under?: string;
  /** The name of one of several such parts: `x-team` for `request.header("x-team")`. One that is absent is `null`. Default: there is only one. */
  readonly named?: string;
  /**
   * Returns the fault of a value of a test, with the remedy.
   *
   * @param test The test. A constant value is checked when the expression is compiled.
   */
  readonly fault?: (test: CelTest) => string | undefined;
}

/** A variable with parts that expressions test. */
export interface CelTested {
  readonly parts: Readonly<Record<string, CelPart>>;
  /** The advice for parts that do not exist, by their names. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** A test that an expression makes: whether a part equals a value, or is under it. */
export interface CelTest {
  readonly variable: string;
  readonly part: string;
  /** The name of the part, if it is one of several; otherwise empty. */
  readonly name: string;
  readonly operator: '==' | 'under';
  /** The value; `null` for the test whether the part is absent. */
  readonly value: string | null;
}

/** The variables with parts that expressions test. */
export type CelTestedVariables = Readonly<Record<string, CelTested>>;

/** The function that {@link replaceTests} inserts. No expression can name it. */
export const testFunction = '@test';

/**
 * Replaces the tests in an expression by calls of {@link testFunction}, in place.
 *
 * @param root The expression.
 * @param tested The variables with parts that it may test.
 * @param refuse Reports a fault: any other use of such a variable.
 */
export function replaceTests(root: Expr, tested: CelTestedVariables, refuse: Refuse): void {
  const visit = (expr: Expr | undefined, hidden: ReadonlySet<string>): void => {
    if (expr === undefined) return;
    const partOf = (it: Expr | undefined): Part | undefined => partIn(it, tested, hidden, refuse);
    const found = testIn(expr, partOf);
    if (found !== undefined) {
      checkConstants(expr, found, refuse);
      for (const operand of [found.part.name, found.value]) visit(operand, hidden);
      expr.exprKind = callOf(found).exprKind;
      return;
    }
    const misused = partOf(expr);
    if (misused !== undefined) refuse(expr, misuseOf(misused));
    const variable = identifierIn(expr, hidden) ?? '';
    if (Object.hasOwn(tested, variable))
      refuse(
        expr,
        `only parts of ${variable} can be tested, such as ${variable}.${Object.keys(tested[variable]?.parts ?? {})[0]}`,
      );
    for (const [part, names] of partsOf(expr))
      visit(part, names.length === 0 ? hidden : new Set([...hidden, ...names]));
  };
  visit(root, new Set());
}

interface Part {
  readonly variable: string;
  readonly key: string;
  readonly part: CelPart;
  readonly name: Expr | undefined;
}

interface Test {
  readonly part: Part;
  readonly operator: '==' | '!=' | 'in' | 'under';
  readonly value: Expr;
}

const equalities = { '_==_': '==', '_!=_': '!=' } as const;

function testIn({ exprKind }: Expr, partOf: (expr: Expr | undefined) => Part | undefined): Test | undefined {
  if (exprKind.case !== 'callExpr') return undefined;
  const { function: name, target, args } = exprKind.value;
  const [first, second] = args;
  if (name === 'under' && args.length === 1 && first !== undefined) {
    const part = partOf(target);
    return part?.part.under === undefined ? undefined : { part, operator: 'under', value: first };
  }
  if (first === undefined || second === undefined) return undefined;
  if (name === '@in') {
    const part = partOf(first);
    return part && { part, operator: 'in', value: second };
  }
  if (name !== '_==_' && name !== '_!=_') return undefined;
  const [left, right] = [partOf(first), partOf(second)];
  if (left !== undefined) return { part: left, operator: equalities[name], value: second };
  return right && { part: right, operator: equalities[name], value: first };
}

/** Returns the part that an expression names; `undefined` if it names no part. */
function partIn(
  expr: Expr | undefined,
  tested: CelTestedVariables,
  hidden: ReadonlySet<string>,
  refuse: Refuse,
): Part | undefined {
  const { exprKind } = expr ?? {};
  const isSelect = exprKind?.case === 'selectExpr';
  if (expr === undefined || (!isSelect && exprKind?.case !== 'callExpr')) return undefined;
  const key = isSelect ? exprKind.value.field : exprKind.value.function;
  const variable = identifierIn(isSelect ? exprKind.value.operand : exprKind.value.target, hidden);
  const parts = variable !== undefined && Object.hasOwn(tested, variable) ? tested[variable] : undefined;
  if (variable === undefined || parts === undefined) return undefined;
  const part = Object.hasOwn(parts.parts, key) ? parts.parts[key] : undefined;
  if (part === undefined) return refuse(expr, unknownPart(variable, key, parts));
  const [name] = isSelect ? [] : exprKind.value.args;
  const found: Part = { variable, key, part, name };
  const isWritten = isSelect ? part.named === undefined && !exprKind.value.testOnly : part.named !== undefined;
  return isWritten && (isSelect || exprKind.value.args.length === 1) ? found : refuse(expr, misuseOf(found));
}

function identifierIn(expr: Expr | undefined, hidden: ReadonlySet<string>): string | undefined {
  const name = expr?.exprKind.case === 'identExpr' ? expr.exprKind.value.name : undefined;
  return name === undefined || hidden.has(name) ? undefined : name;
}

function unknownPart(variable: string, key: string, { parts, instead = {} }: CelTested): string {
  const remedy = Object.hasOwn(instead, key) ? instead[key] : undefined;
  return `${variable} does not have ${key}; use ${remedy ?? Object.keys(parts).join(', ')}`;
}

/** Returns the remedy for another use of a part. */
function misuseOf({ variable, key, part: { example, under, named } }: Part): string {
  const part = `${variable}.${key}${named === undefined ? '' : `(${JSON.stringify(named)})`}`;
  const value = JSON.stringify(example);
  const forms = [
    `${part} == ${value}`,
    `${part} in [${value}]`,
    ...(under === undefined ? [] : [`${part}.under(${JSON.stringify(under)})`]),
    ...(named === undefined ? [] : [`${part} != null`]),
  ];
  return `${variable}.${key} can only be tested; write ${forms.join(', ')}`;
}

function checkConstants(expr: Expr, { part, operator, value }: Test, refuse: Refuse): void {
  const { variable, key, name } = part;
  const { exprKind } = value;
  const values = operator === 'in' && exprKind.case === 'listExpr' ? exprKind.value.elements : [value];
  for (const each of values) {
    const constant = each.exprKind.case === 'constExpr' ? each.exprKind.value.constantKind : undefined;
    if (constant === undefined) continue;
    const ofTest = constant.case === 'nullValue' ? null : constant.value;
    const test = { variable, part: key, name: textIn(name), operator: operator === 'under' ? operator : '==' } as const;
    checkedTest({ ...test, value: ofTest }, part.part, (fault) => refuse(expr, fault));
  }
}

/**
 * Returns a test if its part can be compared with its value.
 *
 * @param test The test. Its value may be anything.
 * @param part The part.
 * @param refuse Reports a fault of the value.
 */
export function checkedTest(test: Unchecked, part: CelPart, refuse: (fault: string) => never): CelTest {
  const { variable, part: key, operator, value } = test;
  const isAbsence = value === null && part.named !== undefined && operator === '==';
  const read = typeof value === 'string' || isAbsence ? value : undefined;
  if (typeof read !== 'string' && read !== null) {
    return refuse(`${variable}.${key} is a string; compare it with a string`);
  }
  const checked = { ...test, value: read };
  const fault = part.fault?.(checked);
  return fault === undefined ? checked : refuse(fault);
}

type Unchecked = Omit<CelTest, 'value'> & { readonly value: unknown };

function textIn(expr: Expr | undefined): string {
  const constant = expr?.exprKind.case === 'constExpr' ? expr.exprKind.value.constantKind : undefined;
  return constant?.case === 'stringValue' ? constant.value : '';
}

function callOf({ part: { variable, key, name }, operator, value }: Test) {
  const isNegated = operator === '!=';
  const test = call(testFunction, [
    text(variable),
    text(key),
    name ?? text(''),
    text(isNegated ? '==' : operator),
    value,
  ]);
  return isNegated ? call('!_', [test]) : test;
}

/** Returns the parts of an expression, each with the names that hide variables there. */
function partsOf({ exprKind }: Expr): readonly (readonly [Expr | undefined, readonly string[]])[] {
  const plain = (parts: readonly (Expr | undefined)[]) => parts.map((part) => [part, []] as const);
  switch (exprKind.case) {
    case 'selectExpr':
      return plain([exprKind.value.operand]);
    case 'callExpr':
      return plain([exprKind.value.target, ...exprKind.value.args]);
    case 'listExpr':
      return plain(exprKind.value.elements);
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) =>
        plain([keyKind.case === 'mapKey' ? keyKind.value : undefined, value]),
      );
    case 'comprehensionExpr': {
      const { iterRange, accuInit, iterVar, accuVar, loopCondition, loopStep, result } = exprKind.value;
      const inner = [loopCondition, loopStep].map((part) => [part, [iterVar, accuVar]] as const);
      return [...plain([iterRange, accuInit]), ...inner, [result, [accuVar]]];
    }
    default:
      return [];
  }
}
