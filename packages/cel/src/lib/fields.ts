import type { Expr } from './parse-condition.ts';

/**
 * The type of a value, as far as known: `any` if it depends on the data, a scalar, a list or map of values of one type, or an object
 * with known fields.
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

/** Returns the remedy for a name that does not exist, by the names that do. */
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
 * @param advice The remedy for an unknown field.
 * @returns The paths that the expression reads from its variables, each from the variable to the last field that is known by name: `policies`,
 * `AuthPolicy`, `spec`, `rules`. Of a field that only `has` reads, no value is read: its path has `''` at the end.
 */
export function readFields(
  root: Expr,
  variables: CelVariables,
  refuse: Refuse,
  advice: Advice,
): readonly (readonly string[])[] {
  const reader = new Reader(refuse, advice);
  const scope = new Map(Object.entries(variables).map(([name, type]) => [name, { type, path: [name] }]));
  reader.read(reader.valueOf(root, scope));
  return [...reader.reads.values()];
}

interface Value {
  readonly type: CelType;
  /** The path from a variable; `undefined` for other values. */
  readonly path: readonly string[] | undefined;
}

type Variables = ReadonlyMap<string, Value>;

const unknown: Value = { type: 'any', path: undefined };

type ExprKind = Expr['exprKind'];

/** The content of an expression of one form. */
type Form<Case extends ExprKind['case']> =
  Extract<ExprKind, { readonly case: Case }> extends { readonly value: infer Content } ? Content : never;

/** Returns the values of the parts of an expression, and records the paths that are read. */
class Reader {
  readonly reads = new Map<string, readonly string[]>();
  readonly #refuse: Refuse;
  readonly #advice: Advice;

  constructor(refuse: Refuse, advice: Advice) {
    this.#refuse = refuse;
    this.#advice = advice;
  }

  /** Records a value that is read as a whole. */
  read({ path }: Value): void {
    if (path !== undefined) this.reads.set(path.join('\n'), path);
  }

  valueOf(expr: Expr | undefined, scope: Variables): Value {
    if (expr === undefined) return unknown;
    const { exprKind } = expr;
    switch (exprKind.case) {
      case 'identExpr':
        return scope.get(exprKind.value.name) ?? unknown;
      case 'constExpr':
        return { type: constantType(exprKind.value.constantKind.case), path: undefined };
      case 'selectExpr':
        return this.#selected(expr, exprKind.value, scope);
      case 'listExpr':
        return this.#readAll(exprKind.value.elements, scope);
      case 'structExpr':
        return this.#readAll(exprKind.value.entries.flatMap(partsOfEntry), scope);
      case 'comprehensionExpr':
        return this.#comprehension(exprKind.value, scope);
      case 'callExpr':
        return this.#call(expr, exprKind.value, scope);
      default:
        return unknown;
    }
  }

  #readAll(parts: readonly (Expr | undefined)[], scope: Variables): Value {
    for (const part of parts) this.read(this.valueOf(part, scope));
    return unknown;
  }

  #selected(expr: Expr, { operand, field, testOnly }: Form<'selectExpr'>, scope: Variables): Value {
    const selected = this.#fieldOf(expr, this.valueOf(operand, scope), field);
    return testOnly ? { type: 'bool', path: selected.path && [...selected.path, ''] } : selected;
  }

  #comprehension(comprehension: Form<'comprehensionExpr'>, scope: Variables): Value {
    const { iterRange, accuInit, iterVar, accuVar, loopCondition, loopStep, result } = comprehension;
    const range = this.valueOf(iterRange, scope);
    const item: Value = { type: itemType(range.type), path: undefined };
    this.read(range);
    this.#readAll([accuInit], scope);
    this.#readAll([loopCondition, loopStep], new Map([...scope, [iterVar, item], [accuVar, unknown]]));
    return this.#readAll([result], new Map([...scope, [accuVar, unknown]]));
  }

  #call(expr: Expr, { function: name, target, args }: Form<'callExpr'>, scope: Variables): Value {
    if (name === '_[_]') return this.#indexed(expr, args, scope);
    const key = name === '@in' ? constantIn(args[0]) : undefined;
    if (key !== undefined) return this.#contained(expr, this.valueOf(args[1], scope), key);
    const values = [target, ...args].map((part) => this.valueOf(part, scope));
    for (const value of values) this.read(value);
    if (comparisons.has(name)) refuseMixed(expr, values.slice(-2), this.#refuse);
    return unknown;
  }

  /** Reads whether an object has a field: `"a" in object` is `has(object.a)`. */
  #contained(expr: Expr, container: Value, key: string): Value {
    const { type } = container;
    const isObject = typeof type === 'object' && 'fields' in type;
    const { path } = isObject ? this.#fieldOf(expr, container, key) : container;
    this.read({ type: 'bool', path: isObject && path !== undefined ? [...path, ''] : path });
    return unknown;
  }

  #indexed(expr: Expr, [container, index]: readonly (Expr | undefined)[], scope: Variables): Value {
    const value = this.valueOf(container, scope);
    const { type } = value;
    const key = constantIn(index);
    if (key !== undefined && !(typeof type === 'object' && 'list' in type)) return this.#fieldOf(expr, value, key);
    this.read(value);
    this.#readAll([index], scope);
    return { type: typeof type === 'object' && !('fields' in type) ? valuesType(type) : 'any', path: undefined };
  }

  #fieldOf(expr: Expr, value: Value, field: string): Value {
    const { type, path } = value;
    const refuse = (reason: string) => this.#refuse(expr, `${nameIn(value)} ${reason}`);
    const pathOfField = path && [...path, field];
    if (type === 'any') return { type, path: pathOfField };
    if (typeof type === 'string') return refuse(`is a ${type}, which does not have the field ${shown(field)}`);
    if ('map' in type) return { type: type.map, path: pathOfField };
    if ('list' in type) return refuse(`is a list, which does not have the field ${shown(field)}; use all or exists`);
    const fieldType = Object.hasOwn(type.fields, field) ? type.fields[field] : undefined;
    if (fieldType !== undefined) return { type: fieldType, path: pathOfField };
    return refuse(`does not have the field ${shown(field)}; ${this.#advice(Object.keys(type.fields), field)}`);
  }
}

function partsOfEntry({ keyKind, value }: Form<'structExpr'>['entries'][number]): readonly (Expr | undefined)[] {
  return [keyKind.case === 'mapKey' ? keyKind.value : undefined, value];
}

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
