import { type ConcernName, concernNames } from '@policy-machinery/policy-kind';
import type { Contender } from '../requests/contender.ts';

/** Whether requests meet a concern: all of them, some of them, or none; or they do not need it, as a redirect. */
export type Protection = (typeof protections)[number];

export const protections = ['covered', 'weak', 'uncovered', 'not-needed'] as const;

/** How requests meet a concern. */
export interface MetConcern {
  /** `undefined` if it is not known. */
  readonly protection: Protection | undefined;
  /** The reason, for people: `own: SecurityPolicy shop/login jwt`. */
  readonly why: string;
  /** The deciding fields of policies, Gateways and routes, as a comparable text. Default: none. */
  readonly decidedBy?: string;
  /** The locator of the policy that causes it; `undefined` if none does. */
  readonly by: string | undefined;
}

/** Returns how the requests meet a concern that a rule takes from a listener. */
export type ConcernsAt = (requests: Pick<Contender, 'listener' | 'route' | 'rule'>, concern: ConcernName) => MetConcern;

/** The concerns that expressions read, as some requests meet them. */
export type Concerns = ReadonlyMap<ConcernName, MetConcern>;

export function concernsRead(reads: readonly (readonly string[])[]): readonly ConcernName[] {
  const names = reads.flatMap(([root, name]) => (root === 'concerns' || root === 'decidedBy' ? [name] : []));
  return names.includes(undefined) ? concernNames : concernNames.filter((concern) => names.includes(concern));
}

/** A request that no rule takes reaches no backend. */
const refused: MetConcern = { protection: 'not-needed', why: 'no rule takes the request', by: undefined };

/** Returns how the requests of a match meet some concerns. */
export function concernsMet(names: readonly ConcernName[], contender: Contender, concernsAt: ConcernsAt): Concerns {
  return new Map(names.map((name) => [name, contender.isTaken ? concernsAt(contender, name) : refused]));
}

const possible: readonly Protection[] = ['covered', 'weak', 'uncovered'];

/**
 * Returns the possible states of concerns, some of them unknown.
 *
 * @returns The ways; `undefined` if there are more.
 */
export function concernWays(concerns: Concerns, most: number): readonly Concerns[] | undefined {
  const open = [...concerns].filter(([, { protection }]) => protection === undefined);
  if (possible.length ** open.length > most) return undefined;
  let ways: readonly Concerns[] = [concerns];
  for (const [name, met] of open) {
    ways = ways.flatMap((way) => possible.map((protection) => new Map([...way, [name, { ...met, protection }]])));
  }
  return ways;
}

/** Returns the concerns of requests that are not known, with the reasons. */
export function unknownConcerns(concerns: Concerns): readonly string[] {
  return [...concerns].flatMap(([name, { protection, why }]) => (protection === undefined ? `${name} (${why})` : []));
}

export function concernFacts(concerns: Concerns): Readonly<Record<string, string>> {
  return Object.fromEntries([...concerns].map(([name, { protection = 'uncovered' }]) => [name, protection]));
}

export function decidingFacts(concerns: Concerns): Readonly<Record<string, string>> {
  return Object.fromEntries([...concerns].map(([name, { decidedBy = '' }]) => [name, decidedBy]));
}
