import type { Expr } from './parse-condition.ts';

/** Returns the call of a function. Arguments that are `undefined` are left out. */
export function call(name: string, args: readonly (Expr | undefined)[]): Expr {
  const value = { $typeName: 'cel.expr.Expr.Call', function: name, args: present(args) } as const;
  return { $typeName: 'cel.expr.Expr', id: 0n, exprKind: { case: 'callExpr', value } };
}

export function int(value: number): Expr {
  return constant({ case: 'int64Value', value: BigInt(value) });
}

export function text(value: string): Expr {
  return constant({ case: 'stringValue', value });
}

type Constant = Extract<Expr['exprKind'], { readonly case: 'constExpr' }>['value'];

function constant(constantKind: Constant['constantKind']): Expr {
  const value = { $typeName: 'cel.expr.Constant', constantKind } as const;
  return { $typeName: 'cel.expr.Expr', id: 0n, exprKind: { case: 'constExpr', value } };
}

export const present = (parts: readonly (Expr | undefined)[]): Expr[] => parts.filter((part) => part !== undefined);
