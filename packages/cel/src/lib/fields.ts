import type { Expr } from './parse-condition.ts';

/**
 * The type of a value, as far as it is known: `any` if it depends on the data, a scalar, a list or map of values of one type, or an object with
 * known fields.
 */
export type CelType =
  | 'any'
  | 'bool'
  | 'int'
  | 'number'
  | 'string'
  | { readonly list: CelType }
  | { readonly map: CelType }
  | { readonly fields: Readonly<Record<string, CelType>> };

/** The variables of an expression, with their types. */
export type CelVariables = Readonly<Record<string, CelType>>;

/** Says what to do about a name that does not exist, by the names that do. */
export type Advice = (names: readonly string[], unknown: string) => string;

/** Reports a fault of a part of an expression; never returns. */
export type Refuse = (expr: Expr, reason: string) => never;

/** The operators that compare two values, and the scalars that each can hold. */
const comparisons = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);
const numbers: ReadonlySet<CelType> = new Set(['int', 'number']);

/**
 * Checks that an expression reads only fields that the types have, and compares values only with values of their type.
 *
 * @param root The expression.
 * @param variables The types of the variables.
 * @param refuse Reports a fault.
 * @param advice What to do about an unknown field.
 * @returns The paths that the expression reads from its variables, each from the variable to the last field that is known by name: `policies`,
 * `AuthPolicy`, `spec`, `rules`. Of a field that only `has` reads, no value is read: its path has `''` at the end.
 */
export function readFields(
  root: Expr,
  variables: CelVariables,
  refuse: Refuse,
  advice: Advice,
): readonly (readonly string[])[] {
  const reads = new Map<string, readonly string[]>();
  const scope = new Map(Object.entries(variables).map(([name, type]) => [name, { type, path: [name] }]));

  const visit = (expr: Expr | undefined, known: Variables): Value => {
    return expr === undefined ? unknown : valueIn(expr, known);
  };
  const all = (parts: readonly (Expr | undefined)[], known: Variables): void => {
    for (const part of parts) read(visit(part, known));
  };
  /** Records a value that is read as a whole. */
  const read = ({ path }: Value): void => {
    if (path !== undefined) reads.set(path.join('\n'), path);
  };
  const fieldOf = (expr: Expr, of: Value, field: string): Value => {
    const { type, path } = of;
    if (type === 'any') return { type, path: path && [...path, field] };
    if (typeof type === 'string') return refuse(expr, `${nameIn(of)} is a ${type}, and has no field ${shown(field)}`);
    if ('map' in type) return { type: type.map, path: path && [...path, field] };
    if ('list' in type)
      return refuse(expr, `${nameIn(of)} is a list, and has no field ${shown(field)}; use all or exists`);
    const found = Object.hasOwn(type.fields, field) ? type.fields[field] : undefined;
    if (found === undefined) {
      return refuse(expr, `${nameIn(of)} has no field ${shown(field)}; ${advice(Object.keys(type.fields), field)}`);
    }
    return { type: found, path: path && [...path, field] };
  };

  const valueIn = (expr: Expr, known: Variables): Value => {
    const { exprKind } = expr;
    switch (exprKind.case) {
      case 'identExpr':
        return known.get(exprKind.value.name) ?? unknown;
      case 'constExpr':
        return { type: constantType(exprKind.value.constantKind.case), path: undefined };
      case 'selectExpr': {
        const { operand, field, testOnly } = exprKind.value;
        const found = fieldOf(expr, visit(operand, known), field);
        return testOnly ? { type: 'bool', path: found.path && [...found.path, ''] } : found;
      }
      case 'listExpr':
        all(exprKind.value.elements, known);
        return unknown;
      case 'structExpr':
        for (const { keyKind, value } of exprKind.value.entries) {
          all([keyKind.case === 'mapKey' ? keyKind.value : undefined, value], known);
        }
        return unknown;
      case 'comprehensionExpr': {
        const { iterRange, accuInit, iterVar, accuVar, loopCondition, loopStep, result } = exprKind.value;
        const range = visit(iterRange, known);
        read(range);
        all([accuInit], known);
        const inner = new Map([
          ...known,
          [iterVar, { type: itemType(range.type), path: undefined }],
          [accuVar, unknown],
        ]);
        all([loopCondition, loopStep], inner);
        all([result], new Map([...known, [accuVar, unknown]]));
        return unknown;
      }
      case 'callExpr': {
        const { function: name, target, args } = exprKind.value;
        if (name === '_[_]') return indexed(expr, args, known);
        const values = [target, ...args].map((part) => visit(part, known));
        values.forEach(read);
        if (comparisons.has(name)) refuseMixed(expr, values.slice(-2), refuse);
        return unknown;
      }
      default:
        return unknown;
    }
  };
  const indexed = (expr: Expr, [container, index]: readonly (Expr | undefined)[], known: Variables): Value => {
    const of = visit(container, known);
    const key = constantIn(index);
    if (key !== undefined && !(typeof of.type === 'object' && 'list' in of.type)) return fieldOf(expr, of, key);
    read(of);
    all([index], known);
    return {
      type: typeof of.type === 'object' && !('fields' in of.type) ? valuesType(of.type) : 'any',
      path: undefined,
    };
  };

  read(visit(root, scope));
  return [...reads.values()];
}

interface Value {
  readonly type: CelType;
  /** The path from a variable; `undefined` for other values. */
  readonly path: readonly string[] | undefined;
}

type Variables = ReadonlyMap<string, Value>;

const unknown: Value = { type: 'any', path: undefined };

function refuseMixed(expr: Expr, [left, right]: readonly Value[], refuse: Refuse): void {
  if (left === undefined || right === undefined) return;
  const isScalar = ({ type }: Value): boolean => typeof type === 'string' && type !== 'any';
  if (!isScalar(left) || !isScalar(right) || left.type === right.type) return;
  if (numbers.has(left.type) && numbers.has(right.type)) return;
  refuse(
    expr,
    `${nameIn(left)} is a ${String(left.type)}, and ${nameIn(right)} a ${String(right.type)}; compare values of one type`,
  );
}

function nameIn({ path }: Value): string {
  return path === undefined ? 'the value' : shown(path.join('.'));
}

function shown(name: string): string {
  return name.length > 200 ? `${name.slice(0, 199)}…` : name;
}

function itemType(type: CelType): CelType {
  if (typeof type === 'string') return 'any';
  return 'list' in type ? type.list : 'string';
}

function valuesType(type: { readonly list: CelType } | { readonly map: CelType }): CelType {
  return 'list' in type ? type.list : type.map;
}

function constantType(kind: string | undefined): CelType {
  if (kind === 'boolValue') return 'bool';
  if (kind === 'int64Value') return 'int';
  if (kind === 'doubleValue') return 'number';
  return kind === 'stringValue' ? 'string' : 'any';
}

/** Returns a constant key as a string. */
function constantIn(expr: Expr | undefined): string | undefined {
  const constant = expr?.exprKind.case === 'constExpr' ? expr.exprKind.value.constantKind : undefined;
  return constant?.value === undefined ? undefined : String(constant.value);
}
