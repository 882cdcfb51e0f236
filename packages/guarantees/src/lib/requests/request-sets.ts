import { type Atom, type Case, cellOf } from './atoms.ts';
import type { ConcreteRequest } from './concrete-request.ts';
import type { Entry } from './entries.ts';
import { isInCell } from './least-request.ts';
import { type Cell, cellAt, meetCells } from './region.ts';
import { textsInCell } from './texts.ts';

/** Requests that the expressions of a guarantee do not distinguish: those in any of some cells, apart from others. */
export interface RequestSet {
  /** The atoms that it satisfies and does not satisfy: the same for the same requests of a guarantee. */
  readonly key: string;
  readonly cells: readonly Cell[];
  readonly except: readonly Cell[];
  /** The texts that they compare beyond the texts of the selectors. */
  readonly texts: readonly string[];
}

/** The sets of requests that a guarantee distinguishes, each once, so that answers about one can be kept by its identity. */
export class RequestSets {
  readonly #cells: readonly Cell[];
  readonly #except: readonly (readonly Cell[])[];
  readonly #sets = new Map<string, RequestSet>();

  /**
   * @param cells The requests that the guarantee is about.
   * @param except The requests of each exception.
   */
  constructor(cells: readonly Cell[], except: readonly (readonly Cell[])[]) {
    this.#cells = cells;
    this.#except = except;
  }

  /**
   * Returns the requests of a case.
   *
   * @param atoms The atoms that the requests satisfy, and those that they do not satisfy.
   * @param exceptions The places of the exceptions that apply to them.
   */
  of({ yes, no }: Pick<Case<unknown>, 'yes' | 'no'>, exceptions: readonly number[]): RequestSet {
    const key = [exceptions.join(), ...yes.map(keyOf), '', ...no.map(keyOf)].join('\n');
    const set = this.#sets.get(key) ?? { key, ...this.#make(yes, no, exceptions) };
    this.#sets.set(key, set);
    return set;
  }

  #make(yes: readonly Atom[], no: readonly Atom[], exceptions: readonly number[]): Omit<RequestSet, 'key'> {
    const within = cellOf(yes);
    return {
      cells:
        within === undefined || yes.length === 0
          ? this.#cells
          : this.#cells.flatMap((cell) => meetCells(cell, within) ?? []),
      except: [...exceptions.flatMap((place) => this.#except[place] ?? []), ...no.map(({ cell }) => cell)],
      texts: [...yes, ...no].flatMap(({ cell }) => textsInCell(cell)),
    };
  }
}

function keyOf({ key }: Atom): string {
  return key;
}

/** Returns the requests that two sets have in common. */
export function commonRequests(one: RequestSet, other: RequestSet): RequestSet {
  return {
    key: `${one.key}\n\n${other.key}`,
    cells: one.cells.flatMap((cell) => other.cells.flatMap((each) => meetCells(cell, each) ?? [])),
    except: [...one.except, ...other.except],
    texts: [...one.texts, ...other.texts],
  };
}

/** Returns whether every request of one set that a guarantee is about is in another set, as far as their keys show. */
export function isWithin({ key }: RequestSet, other: RequestSet): boolean {
  return key === other.key || other.key === keyOfAll;
}

const keyOfAll = ['', ''].join('\n');

/** Returns whether a set has all requests that a guarantee is about, because no expression distinguishes them. */
export function isWhole({ texts }: RequestSet): boolean {
  return texts.length === 0;
}

export function isInSet(request: ConcreteRequest, { cells, except }: RequestSet, entry: Entry): boolean {
  const isIn = (cell: Cell): boolean => {
    const here = cellAt(cell, entry);
    return here !== undefined && isInCell(request, here);
  };
  return cells.some(isIn) && !except.some(isIn);
}
