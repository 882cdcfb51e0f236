import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import { creationTimeOf } from '@policy-machinery/resource';
import type { Met } from './facts.ts';

/** More orders are not tried. */
const mostOrders = 64;

type Effective = EffectivePolicy<unknown>;

/**
 * Returns what requests meet in each order of the policies of unknown age.
 *
 * @param mets What one request meets, or each of two. The same policies have the same order for both.
 * @returns The same list for each order: itself alone if all ages are known that decide; `undefined` if there are too many orders.
 */
export function ordersOf(mets: readonly Met[]): readonly (readonly Met[])[] | undefined {
  let orders: readonly ReadonlyMap<object, Effective>[] = [new Map()];
  for (const policy of mets.flatMap((met) => [...met.values()])) {
    const { alternatives, key } = policy;
    if (alternatives === undefined || orders.length * alternatives.length > mostOrders) return undefined;
    if (alternatives.length < 2 || orders[0]?.has(key)) continue;
    orders = orders.flatMap((order) => alternatives.map((it) => new Map([...order, [key, it]])));
  }
  if (orders.length < 2) return [mets];
  return orders.map((order) =>
    mets.map((met) => new Map([...met].map(([name, policy]) => [name, order.get(policy.key) ?? policy]))),
  );
}

/** A policy that may be in force or not: by its age, or by a value that a target sets itself. */
export interface Undecided {
  /** Its kind and name: `SecurityPolicy a/one`. */
  readonly name: string;
  /** Whether its age is known, so that another fact decides. */
  readonly isAged: boolean;
}

/** Returns the policies that decide what requests meet, if facts are not known. */
export function undecidedIn(mets: readonly Met[]): readonly Undecided[] {
  const named = mets.flatMap((met) =>
    [...met].flatMap(([kind, { alternatives, shares }]) => {
      if (alternatives?.length === 1) return [];
      const undecided = shares.filter(({ outcome }) => outcome === 'undecided');
      const ageless = shares.filter(({ policy }) => creationTimeOf(policy.resource) === undefined);
      return (undecided.length > 0 ? undecided : ageless).map(({ policy: { name, createdAt } }) => {
        return [`${kind} ${name}`, createdAt !== undefined] as const;
      });
    }),
  );
  return Array.from(new Map(named), ([name, isAged]) => ({ name, isAged }));
}
