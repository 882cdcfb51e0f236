import type { Expr } from './parse-condition.ts';

/**
 * The type of a value, as far as known: `any` if it depends on the data, a scalar, one of some strings, a list or map of values of one type,
 * or an object with known fields.
 */
export type CelType =
  | 'any'
  | 'bool'
  | 'int'
  | 'number'
  | 'string'
  | { readonly oneOf: readonly string[] }
  | { readonly list: CelType }
  | { readonly map: CelType }
  | { readonly fields: Readonly<Record<string, CelType>> };

/** The variables of an expression, with their types. */
export type CelVariables = Readonly<Record<string, CelType>>;

/** Returns the remedy for a name that does not exist, by the names that do. */
export type Advice = (names: readonly string[], unknown: string) => string;

/** Reports a fault of a part of an expression; never returns. */
export type Refuse = (expr: Expr, reason: string) => never;

/** The operators that compare two values, the operators for equality, and the types of numbers. */
const comparisons = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);
const equalities = new Set(['_==_', '_!=_']);
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
        return { type: constantType(exprKind.value.constantKind), path: undefined };
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
    const listed = name === '@in' && args[1]?.exprKind.case === 'listExpr' ? args[1].exprKind.value.elements : [];
    const equal = equalities.has(name)
      ? [values.slice(-2)]
      : listed.map((it) => [values.at(-2), this.valueOf(it, scope)]);
    for (const pair of equal) refuseImpossible(expr, pair, this.#refuse);
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
    const isOfValues = !isScalar(type) && !('fields' in type);
    return { type: isOfValues ? valuesType(type) : 'any', path: undefined };
  }

  #fieldOf(expr: Expr, value: Value, field: string): Value {
    const { type, path } = value;
    const refuse = (reason: string) => this.#refuse(expr, `${nameIn(value)} ${reason}`);
    const pathOfField = path && [...path, field];
    if (type === 'any') return { type, path: pathOfField };
    if (isScalar(type)) return refuse(`is a ${scalarOf(type)}, which does not have the field ${shown(field)}`);
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
  if (left.type === 'any' || right.type === 'any' || !isScalar(left.type) || !isScalar(right.type)) return;
  const [one, other] = [scalarOf(left.type), scalarOf(right.type)];
  if (one !== other && !(numbers.has(one) && numbers.has(other))) {
    refuse(expr, `${nameIn(left)} is a ${one}, and ${nameIn(right)} a ${other}; compare values of one type`);
  }
}

/** Refuses to compare a value of a path with a string that it never is. */
function refuseImpossible(expr: Expr, pair: readonly (Value | undefined)[], refuse: Refuse): void {
  const of = pair.find((it) => it?.path !== undefined);
  const [allowed, others] = [of, pair.find((it) => it !== of)].map((it) => stringsOf(it?.type));
  if (of === undefined || allowed === undefined || others?.some((it) => allowed.includes(it)) !== false) return;
  const quoted = [...others.slice(0, 1), ...allowed].map((it) => shown(JSON.stringify(it)));
  refuse(expr, `${nameIn(of)} is never ${quoted[0]}; use ${quoted.slice(1).join(', ')}`);
}

function stringsOf(type: CelType | undefined): readonly string[] | undefined {
  return typeof type === 'object' && 'oneOf' in type ? type.oneOf : undefined;
}

type Scalar = Extract<CelType, string> | { readonly oneOf: readonly string[] };

function isScalar(type: CelType): type is Scalar {
  return typeof type === 'string' || 'oneOf' in type;
}

function scalarOf(type: Scalar): Extract<CelType, string> {
  return typeof type === 'string' ? type : 'string';
}

function nameIn({ path }: Value): string {
  return path === undefined ? 'the value' : shown(path.join('.'));
}

function shown(name: string): string {
  return name.length > 200 ? `${name.slice(0, 199)}…` : name;
}

function itemType(type: CelType): CelType {
  if (isScalar(type)) return 'any';
  return 'list' in type ? type.list : 'string';
}

function valuesType(type: { readonly list: CelType } | { readonly map: CelType }): CelType {
  return 'list' in type ? type.list : type.map;
}

function constantType({ case: kind, value }: Form<'constExpr'>['constantKind']): CelType {
  if (kind === 'boolValue') return 'bool';
  if (kind === 'int64Value') return 'int';
  if (kind === 'doubleValue') return 'number';
  return kind === 'stringValue' ? { oneOf: [value] } : 'any';
}

/** Returns a constant key as a string. */
function constantIn(expr: Expr | undefined): string | undefined {
  const constant = expr?.exprKind.case === 'constExpr' ? expr.exprKind.value.constantKind : undefined;
  return constant?.value === undefined ? undefined : String(constant.value);
}
