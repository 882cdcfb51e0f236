import type { CelTest } from '@policy-machinery/cel';
import { type Cell, everything, meetCells } from './region.ts';

/** A question about a request that its match does not answer: whether it is in a cell with one condition. */
export interface Atom {
  /** The same for the same question. */
  readonly key: string;
  readonly cell: Cell;
  /** Whether it asks about more than the host, so that connections without HTTP do not match. */
  readonly isAboutHttp: boolean;
}

/** Answers whether requests satisfy an atom. */
export type Ask = (atom: Atom) => boolean;

export function atomOf({ part, name, operator, value }: CelTest): Atom {
  const asked = { part, name: part === 'header' ? name.toLowerCase() : name, operator, value };
  const cell = { ...everything, ...conditionOf(asked) };
  return { key: JSON.stringify(Object.values(asked)), cell, isAboutHttp: part !== 'host' };
}

/** Returns the condition of a test. The test whether a header is absent is the opposite of the condition that it is present: see {@link isAbsence}. */
function conditionOf({ part, name, operator, value }: Omit<CelTest, 'variable'>): Partial<Cell> {
  const values = new Map([[name, value ?? undefined]]);
  switch (part) {
    case 'host':
      return { hostname: value?.toLowerCase() };
    case 'path':
      return { path: { type: operator === 'under' ? 'PathPrefix' : 'Exact', value: value ?? '/' } };
    case 'method':
      return { method: value ?? undefined };
    case 'header':
      return { headers: values };
    default:
      return { query: values };
  }
}

/** Returns whether a test asks if a part is absent, so that it passes if requests do not satisfy its atom. */
export function isAbsence({ value }: CelTest): boolean {
  return value === null;
}

/** One of the cases that a function distinguishes, with its result for the requests of the case. */
export interface Case<Result> {
  readonly result: Result;
  /** The atoms that its requests satisfy. */
  readonly yes: readonly Atom[];
  readonly no: readonly Atom[];
}

/** More cases are not distinguished. */
export const mostCases = 1000;

/**
 * Calls a function for each way to answer the atoms that it asks about.
 *
 * @param run The function. For the same answers, it must ask about the same atoms in the same order.
 * @returns The cases, which together cover all requests; some may have none. `undefined` if there are more than {@link mostCases}.
 */
export function casesOf<Result>(run: (ask: Ask) => Result): readonly Case<Result>[] | undefined {
  const cases: Case<Result>[] = [];
  const due: Pick<Case<Result>, 'yes' | 'no'>[] = [{ yes: [], no: [] }];
  for (let next = due.pop(); next !== undefined; next = due.pop()) {
    if (cases.length === mostCases) return undefined;
    const { yes, no } = next;
    const answers = new Map([
      ...yes.map(({ key }) => [key, true] as const),
      ...no.map(({ key }) => [key, false] as const),
    ]);
    const within = cellOf(yes) ?? everything;
    const asked: Atom[] = [];
    const result = run((atom) => {
      const answer = answers.get(atom.key);
      if (answer !== undefined) return answer;
      answers.set(atom.key, false);
      if (meetCells(within, atom.cell) !== undefined) asked.push(atom);
      return false;
    });
    cases.push({ result, yes, no: [...no, ...asked] });
    due.push(...asked.map((atom, index) => ({ yes: [...yes, atom], no: [...no, ...asked.slice(0, index)] })));
  }
  return cases;
}

/** Returns the cell of the requests that satisfy all of some atoms; `undefined` if it is empty. */
export function cellOf(atoms: readonly Atom[]): Cell | undefined {
  let cell: Cell | undefined = everything;
  for (const atom of atoms) cell = cell && meetCells(cell, atom.cell);
  return cell;
}
