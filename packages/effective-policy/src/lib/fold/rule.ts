import type { ConflictOrder } from '@policy-machinery/conflict';
import type { StrategyName } from '@policy-machinery/merge';
import type { OrderedPolicy } from '@policy-machinery/policy-kind';
import { creationTimeOf } from '@policy-machinery/resource';
import type { ContextLayer } from './context-layer.ts';

/** Why one of two layers prevailed over the other. */
export type Rule =
  | 'more-specific'
  | 'less-specific'
  | 'override-over-default'
  | 'older'
  | 'newer'
  | 'first-by-name'
  | 'last-by-name'
  | 'age-not-known'
  | 'greater-weight'
  | 'lesser-weight'
  | 'first-in-order'
  | 'last-in-order'
  | 'condition-not-met'
  | 'same-policy';

/** Each rule as the end of a sentence that begins with the winner. */
const reasons: Readonly<Record<Rule, string>> = {
  'more-specific': 'is more specific',
  'less-specific': 'is less specific and prevails',
  'override-over-default': 'overrides, the other is a default',
  older: 'is older',
  newer: 'is the newer one, and older defaults yield to it',
  'first-by-name': 'is as old and first by name',
  'last-by-name': 'is as old and last by name, and the defaults of the first yield to it',
  'age-not-known': 'prevails or not by age, and the ages are not known',
  'greater-weight': 'has the greater weight',
  'lesser-weight': 'has the lesser weight, and the defaults of the greater yield to it',
  'first-in-order': 'is first in the order of its kind',
  'last-in-order': 'is later in the order of its kind, and the defaults of the first yield to it',
  'condition-not-met': 'does not meet the condition of the other',
  'same-policy': 'is of the same policy and prevails',
};

/** The winner and the reason of a loss. */
export interface RuledLoss {
  readonly winners: readonly ContextLayer<unknown>[];
  readonly rule: Rule;
  /** Why the strategy applied, in the system's words. */
  readonly because?: string | undefined;
}

/**
 * Says why a layer prevailed over another.
 *
 * @param loss A loss, or its rule alone.
 * @returns For a loss the whole clause: `shop/patient is older`, with the system's own description of its strategy: `shop/checkout is more specific, and
 * mergeType is not set`; or `its condition does not hold` without a winner. For a rule the
 * end of a sentence that begins with the policy that won: `is older`.
 */
export function describeRule(loss: Rule | RuledLoss): string {
  if (typeof loss === 'string') return reasons[loss];
  const { winners, rule, because } = loss;
  const names = new Set(winners.map(({ policy }) => policy.name));
  if (names.size > 0)
    return `${[...names].join(' with ')} ${reasons[rule]}${because === undefined ? '' : `, and ${because}`}`;
  return rule === 'condition-not-met' ? 'its condition does not hold: no policy below meets it' : 'it is removed';
}

/**
 * Names the strategy of a loss: in GEP-713's words, or in the words of its dialect if GEP-713 calls it Custom, unless the reason already has that name.
 *
 * @returns `Patch overrides`, or the `field by field` of NGINX Gateway Fabric.
 */
export function describeStrategy({ strategy, dialectName, because }: StrategyOfLoss): string {
  if (strategy !== 'Custom' || dialectName === undefined) return strategy;
  return because?.endsWith(` is ${dialectName}`) === true ? strategy : dialectName;
}

export interface StrategyOfLoss {
  readonly strategy: StrategyName;
  readonly dialectName: string | undefined;
  /** Why the strategy applied, in the system's words: `mergeType is StrategicMerge`. */
  readonly because?: string | undefined;
}

/** Returns the rule that let one layer prevail over another. */
export type RuleBetween = <Spec>(winner: ContextLayer<Spec>, loser: ContextLayer<Spec>) => Rule;

export type LevelOrder = ConflictOrder<OrderedPolicy>;

/** Returns the rules that compare by level, by stanza, then by the order of the policies. */
export function ruleBy(order: LevelOrder): RuleBetween {
  return (winner, loser) => {
    if (winner.depth !== loser.depth) return winner.depth > loser.depth ? 'more-specific' : 'less-specific';
    if (winner.stanza === 'overrides' && loser.stanza === 'defaults') return 'override-over-default';
    return winner.policy === loser.policy ? 'same-policy' : ruleByOrder(order)(winner, loser);
  };
}

/** The names of the established policy and of the other, by the rule that decided. */
const orderRules: Readonly<Record<string, readonly [established: Rule, challenger: Rule]>> = {
  age: ['older', 'newer'],
  name: ['first-by-name', 'last-by-name'],
  weight: ['greater-weight', 'lesser-weight'],
};

/** Returns the rules that compare by the order of the policies alone. */
export function ruleByOrder(order: LevelOrder): RuleBetween {
  return (winner, loser) => {
    if (isByUnknownAge(order, winner.policy, loser.policy)) return 'age-not-known';
    const { established, rule = '' } = order.rank(winner.policy, loser.policy);
    const [first, last] = orderRules[rule] ?? ['first-in-order', 'last-in-order'];
    return established === winner.policy ? first : last;
  };
}

/** Returns whether an order decides between two policies by their ages, and one age is not known. */
function isByUnknownAge(order: LevelOrder, a: OrderedPolicy, b: OrderedPolicy): boolean {
  if ([a, b].every(({ resource }) => creationTimeOf(resource) !== undefined)) return false;
  return order.rank({ ...a, createdAt: 0 }, { ...b, createdAt: 1 }).rule === 'age';
}
