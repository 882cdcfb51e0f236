import type { Policy } from '@policy-machinery/policy-kind';
import { isOwnLevel, type Level, type LevelRules, levelOf } from './level.ts';

/** More orders are not computed: four policies of unknown age have as many. */
const mostOrders = 24;

/**
 * Returns the levels of a context in each order that their policies can have, where the ages of some are not known: each may be older or newer than any
 * other.
 *
 * @param levels The levels of the context.
 * @param rules The rules for the policies of one level.
 * @param isOneContest Whether policies of different levels compete by age, too.
 * @returns The levels alone if all ages are known that decide; `undefined` if there are more than 24 orders. O(policies), and O(orders · policies) if some
 * ages are not known.
 */
export function alternativeOrders<Spec>(
  levels: readonly Level<Spec>[],
  rules: LevelRules,
  isOneContest: boolean,
): readonly (readonly Level<Spec>[])[] | undefined {
  const competing = competingIn(levels, isOneContest);
  const ageless = competing.filter(({ createdAt }) => createdAt === undefined);
  if (ageless.length === 0) return [levels];
  const times = new Set(competing.flatMap(({ createdAt }) => createdAt ?? []));
  const count = ageless.reduce((product, _, index) => product * (times.size + index + 1), 1);
  if (count > mostOrders) return undefined;
  return ordersOf([...times], ageless).map((order) => {
    const aged = agedBy(order);
    return levels.map((level) => levelWith(level, aged, rules));
  });
}

function competingIn<Spec>(levels: readonly Level<Spec>[], isOneContest: boolean): readonly Policy<Spec>[] {
  const contested = levels.filter((level) => !isOwnLevel(level) && (isOneContest || level.policies.length > 1));
  const policies = new Set(contested.flatMap((level) => level.policies));
  return policies.size < 2 ? [] : [...policies];
}

/** The oldest first: a policy of unknown age, or the time of policies of known age. */
type Order<Spec> = readonly (number | Policy<Spec>)[];

function ordersOf<Spec>(times: readonly number[], ageless: readonly Policy<Spec>[]): readonly Order<Spec>[] {
  const known: Order<Spec> = [...times].sort((a, b) => a - b);
  return ageless.reduce<readonly Order<Spec>[]>(
    (orders, policy) =>
      orders.flatMap((order) => Array.from({ length: order.length + 1 }, (_, at) => order.toSpliced(at, 0, policy))),
    [known],
  );
}

/** Returns the policies of unknown age with the age that an order gives them. */
function agedBy<Spec>(order: Order<Spec>): ReadonlyMap<Policy<Spec>, Policy<Spec>> {
  const aged = new Map<Policy<Spec>, Policy<Spec>>();
  const [first = 0] = order.filter((it) => typeof it === 'number');
  let time = first - 1;
  for (const it of order) {
    if (typeof it === 'number') {
      time = it;
      continue;
    }
    time += 1 / (order.length + 1); // Less than a second for all of them, so that the next known time is later.
    const layers: Policy<Spec>['layers'][number][] = [];
    const policy = { ...it, createdAt: time, layers };
    for (const layer of it.layers) layers.push({ ...layer, policy });
    aged.set(it, policy);
  }
  return aged;
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
