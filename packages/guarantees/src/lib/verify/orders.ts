import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import { creationTimeOf } from '@policy-machinery/resource';
import { type Concerns, concernWays, unknownConcerns } from './concerns.ts';
import type { Meeting, Met } from './facts.ts';

/** More orders are not tried. */
const mostOrders = 64;

type Effective = EffectivePolicy<unknown>;

/**
 * Returns the policies that requests meet in each order of the policies of unknown age.
 *
 * @param mets The policies that one request meets, or each of two. The same policies have the same order for both.
 * @returns The same list for each order: itself alone if all ages are known that decide; `undefined` if there are too many orders.
 */
function ordersOf(mets: readonly Met[]): readonly (readonly Met[])[] | undefined {
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

/** Requests with their known policies and concerns. */
type Known = Pick<Meeting, 'met' | 'concerns'>;

/**
 * Returns the policies that requests meet for each possible state of the unknown facts: for each order of policies of unknown age, and with each
 * unknown concern met or not met.
 *
 * @param requests One request, or two that are compared.
 * @returns The same list for each way; `undefined` if there are too many.
 */
export function waysOf<Request extends Known>(
  requests: readonly [Request, ...Request[]],
): readonly (readonly [Request, ...Request[]])[] | undefined {
  const orders = ordersOf(requests.map(({ met }) => met));
  const ways = requests.map(({ concerns }) => concernWays(concerns, mostOrders));
  const count = ways.reduce((product, way) => product * (way?.length ?? Number.POSITIVE_INFINITY), orders?.length ?? 0);
  if (orders === undefined || count > mostOrders) return undefined;
  const [first, ...others] = requests;
  const [ownWays = [], otherWays = [none]] = ways;
  return orders.flatMap((mets) => {
    const as = (request: Request, index: number, concerns: Concerns): Request => ({
      ...request,
      met: mets[index] ?? request.met,
      concerns,
    });
    return ownWays.flatMap((concerns) =>
      (otherWays ?? []).map((other): readonly [Request, ...Request[]] => [
        as(first, 0, concerns),
        ...others.map((each) => as(each, 1, other)),
      ]),
    );
  });
}

const none: Concerns = new Map();

export interface UnknownMeeting {
  /** Whether the ages of policies are not known, whether values of the route prevail over policies, or whether a concern is met. */
  readonly dependsOn: 'age' | 'own value' | 'concern';
  /** The policies, or the concerns with reasons. */
  readonly named: readonly string[];
}

/** Returns the unknown facts about requests that decide whether a guarantee holds. */
export function unknownIn(all: readonly Known[]): UnknownMeeting {
  const policies = undecidedIn(all.map(({ met }) => met));
  if (policies.size > 0) {
    return { dependsOn: [...policies.values()].every(Boolean) ? 'own value' : 'age', named: [...policies.keys()] };
  }
  const named = new Set(all.flatMap(({ concerns }) => unknownConcerns(concerns)));
  return { dependsOn: 'concern', named: [...named] };
}

/**
 * Returns the policies that decide about requests while facts are not known: their names, and whether their ages are
 * known, so that another fact decides.
 */
function undecidedIn(mets: readonly Met[]): ReadonlyMap<string, boolean> {
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
  return new Map(named);
}
