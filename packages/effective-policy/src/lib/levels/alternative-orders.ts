import type { Policy } from '@policy-machinery/policy-kind';
import { isOwnLevel, type Level, type LevelRules, levelOf } from './level.ts';

/** More orders are not computed: four policies of unknown age have as many. */
const mostOrders = 24;

/**
 * Returns the levels of a context in each order that their policies can have, if the ages of some are not known: each may be older or newer
 * than any other.
 *
 * @param levels The levels of the context.
 * @param rules The rules for the policies of one level.
 * @param contestOf Returns the contest of the policies of a level: the policies of levels with the same value compete by age.
 * @returns The levels alone if all ages are known that decide; `undefined` if there are more than 24 orders. O(policies), and O(orders · policies) if some
 * ages are not known.
 */
export function alternativeOrders<Spec>(
  levels: readonly Level<Spec>[],
  rules: LevelRules,
  contestOf: ContestOf,
): readonly (readonly Level<Spec>[])[] | undefined {
  const competing = competingIn(levels, contestOf);
  const ageless = competing.filter(({ createdAt }) => createdAt === undefined);
  if (ageless.length === 0) return [levels];
  const datedPolicies = competing.filter(({ createdAt }) => createdAt !== undefined).sort(oldestFirst(rules));
  const count = ageless.reduce((product, _, index) => product * (datedPolicies.length + index + 1), 1);
  if (count > mostOrders) return undefined;
  return ordersOf(datedPolicies, ageless).map((order) => {
    const aged = agedBy(order);
    return levels.map((level) => levelWith(level, aged, rules));
  });
}

/** Sorts policies of known age. Policies of the same second have the order of their kind. */
function oldestFirst({ order }: LevelRules): (a: Policy<unknown>, b: Policy<unknown>) => number {
  return (a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0) || order.compare(a, b);
}

/** Returns the contest of the policies of a level: the level itself, its object, or the whole context. */
export type ContestOf = (level: Level<unknown>) => unknown;

function competingIn<Spec>(levels: readonly Level<Spec>[], contestOf: ContestOf): readonly Policy<Spec>[] {
  const contests = new Map<unknown, Set<Policy<Spec>>>();
  for (const level of levels) {
    if (isOwnLevel(level)) continue;
    const contest = contestOf(level);
    const policies = contests.get(contest) ?? new Set();
    contests.set(contest, policies);
    for (const policy of level.policies) policies.add(policy);
  }
  return [...new Set([...contests.values()].flatMap((policies) => (policies.size < 2 ? [] : [...policies])))];
}

/** Policies, the oldest first. */
type Order<Spec> = readonly Policy<Spec>[];

function ordersOf<Spec>(aged: Order<Spec>, ageless: readonly Policy<Spec>[]): readonly Order<Spec>[] {
  return ageless.reduce<readonly Order<Spec>[]>(
    (orders, policy) =>
      orders.flatMap((order) =>
        Array.from({ length: order.length + 1 }, (_, position) => order.toSpliced(position, 0, policy)),
      ),
    [aged],
  );
}

function agedBy<Spec>(order: Order<Spec>): ReadonlyMap<Policy<Spec>, Policy<Spec>> {
  return new Map(
    order.map((original, createdAt) => {
      const layers: Policy<Spec>['layers'][number][] = [];
      const policy = { ...original, createdAt, layers };
      for (const layer of original.layers) layers.push({ ...layer, policy });
      return [original, policy];
    }),
  );
}

function levelWith<Spec>(
  level: Level<Spec>,
  aged: ReadonlyMap<Policy<Spec>, Policy<Spec>>,
  rules: LevelRules,
): Level<Spec> {
  if (!level.policies.some((policy) => aged.has(policy))) return level;
  const policies = level.policies.map((policy) => aged.get(policy) ?? policy);
  return levelOf(level, policies, rules);
}
