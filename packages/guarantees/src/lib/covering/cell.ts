import { type ConcernName, concernNames } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { TargetNode } from '@policy-machinery/topology';
import type { Author, Evidence } from './author.ts';
import { concernsOfConnections, notByCustomCode } from './facts.ts';
import { byStrength, type Strength } from './strength.ts';

/**
 * Whether requests meet a concern: in force by the route itself (`own`) or by an object above or behind it (`inherited`); set above and replaced
 * (`lost`); switched off (`off`); set nowhere (`none`); not known (`unknown`); or not needed, if requests reach no backend.
 */
export type CellState = 'own' | 'inherited' | 'lost' | 'off' | 'none' | 'unknown' | 'not-needed';

/** How requests meet one concern, the policies, and the reasons. */
export interface Cell {
  readonly state: CellState;
  /** How well the concern in force protects; of other states `undefined`. */
  readonly strength?: Strength;
  /** The field that decides; of `lost`, the field that lost. `undefined` if nothing is set. */
  readonly by?: Author;
  /** Of `lost`, the policy that replaces it. */
  readonly to?: Author;
  /** The fields that decide, of all policies and objects on the way. Default: none. */
  readonly rules?: readonly JsonObject[];
  /** The reason, for people. */
  readonly because?: string;
  /** The field that makes the strength less than full. */
  readonly weakener?: Author;
  /** A policy that is not needed for the answer: its protection is replaced by an equal one. */
  readonly replaces?: Author;
}

/** The cells of requests. A concern without a cell is set nowhere. */
export type Cells = ReadonlyMap<ConcernName, Cell>;

/** The facts that decide the cells of some requests. */
export interface CellsInput {
  /** The effects of policies, the listener, the route and backends. */
  readonly evidence: readonly Evidence[];
  /** The route that takes the requests. */
  readonly route: TargetNode;
  /** Whether the rule answers by itself, by a redirect or a fixed answer. */
  readonly answersItself: boolean;
  /** Whether the Gateway sees HTTP: it does not see it in TCP, UDP and TLS that it passes through. */
  readonly seesHttp: boolean;
}

const uncheckable: Cell = { state: 'none', because: 'it cannot be checked here: the Gateway does not see HTTP' };

/** Returns the cells of some requests: for each concern, the strictest field in force counts, because requests pass all of them. */
export function cellsOf(input: CellsInput): Cells {
  const byConcern = groupedBy(input.evidence, ({ concern }) => concern);
  const [custom] = byConcern.get('custom')?.filter(({ state }) => state === 'in-force') ?? [];
  const cells = new Map<ConcernName, Cell>();
  for (const concern of concernNames) {
    const cell = cellOf(byConcern.get(concern) ?? [], concern, custom, input);
    if (cell === undefined) continue;
    const rules = (byConcern.get(concern) ?? []).flatMap((each) => (each.rules === undefined ? [] : [each.rules]));
    cells.set(concern, rules.length === 0 ? cell : { ...cell, rules });
  }
  return cells;
}

function cellOf(
  evidence: readonly Evidence[],
  concern: ConcernName,
  custom: Evidence | undefined,
  { route, answersItself, seesHttp }: CellsInput,
): Cell | undefined {
  if (answersItself) return { state: 'not-needed' };
  if (!seesHttp && !concernsOfConnections.has(concern)) return uncheckable;
  const decided = inForce(evidence, route) ?? withoutForce(evidence);
  if ((decided === undefined || decided.state === 'none') && custom !== undefined && !notByCustomCode.has(concern)) {
    const because = `${custom.author.kind} ${custom.author.name} may do it: the effect of custom code is not known`;
    return concern === 'custom' ? decided : { state: 'unknown', by: custom.author, because };
  }
  return decided;
}

/** Returns the cell of a concern in force; `undefined` if it is not in force, or its strength is not known. */
function inForce(evidence: readonly Evidence[], route: TargetNode): Cell | undefined {
  const isOwn = ({ author }: Evidence): boolean => author.target.object === route;
  const [best] = evidence
    .filter(({ state }) => state === 'in-force')
    .sort((a, b) => byStrength(a.strength, b.strength) || Number(isOwn(b)) - Number(isOwn(a)));
  if (best === undefined || best.strength === 'unknown') return undefined;
  const completing = best.strength === 'optional' ? evidence.find(({ state }) => state === 'completes') : undefined;
  const replaces = best.replaces ?? evidence.find(({ state }) => state === 'lost')?.author;
  const { weakener } = best;
  return {
    state: isOwn(best) ? 'own' : 'inherited',
    strength: completing === undefined ? best.strength : 'full',
    by: best.author,
    ...(weakener === undefined || completing !== undefined ? {} : { weakener }),
    ...(best.because === undefined ? {} : { because: best.because }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

/** The states of a concern that is not in force, in the order of precedence. A certain loss precedes input that is not read. */
const withoutForceStates = ['in-force', 'off', 'lost', 'unknown', 'void'] as const;

/** Returns the cell of a concern that is not in force. */
function withoutForce(evidence: readonly Evidence[]): Cell | undefined {
  const [first] = withoutForceStates.flatMap((state) => evidence.filter((it) => it.state === state));
  if (first === undefined) return undefined;
  const { state, author: by, winner: to, because } = first;
  if (state === 'in-force' || state === 'unknown') {
    return { state: 'unknown', by, because: because ?? `the effect of ${by.kind} ${by.name} is not known` };
  }
  return {
    state: state === 'off' || state === 'lost' ? state : 'none',
    by,
    ...(to === undefined ? {} : { to }),
    ...(because === undefined ? {} : { because }),
  };
}
