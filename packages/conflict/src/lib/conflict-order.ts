import type { KubernetesObject } from '@policy-machinery/resource';

/** The facts about a policy that decide when it meets another. */
export interface Contender {
  /** The specificity of the policy's target: 0 is the least specific level of the context. */
  readonly level: number;
  /** Creation time in whole seconds. A policy without a time counts as the newest. */
  readonly createdAt: number | undefined;
  /** `namespace/name`. */
  readonly name: string;
}

/** One criterion: negative when the first is established over the second, positive when the second is, 0 on a tie. */
export interface ConflictRule<Item> {
  readonly name: string;
  /** Compares two items. Must always return the same result for the same items. */
  readonly compare: (a: Item, b: Item) => number;
}

/** The established item, the challenger, and the rule that decided. */
export interface Ranking<Item> {
  readonly established: Item;
  readonly challenger: Item;
  /** Name of the rule; `undefined` if no rule distinguishes the two, and then the first counts as established. */
  readonly rule: string | undefined;
}

/** Rules in order: each rule breaks the ties of the rules before it. */
export interface ConflictOrder<Item> {
  /** Compares for sorting: established first. */
  readonly compare: (a: Item, b: Item) => number;
  /** Returns which of two items is established. */
  readonly rank: <A extends Item, B extends Item>(a: A, b: B) => Ranking<A | B>;
}

/** The less specific policy is established. */
export const byLevel: ConflictRule<Pick<Contender, 'level'>> = {
  name: 'level',
  compare: (a, b) => a.level - b.level,
};

/** The older policy is established, by whole seconds. */
export const byAge: ConflictRule<Pick<Contender, 'createdAt'>> = {
  name: 'age',
  compare: (a, b) => compareNumbers(a.createdAt ?? Number.POSITIVE_INFINITY, b.createdAt ?? Number.POSITIVE_INFINITY),
};

/** The policy with the first `namespace/name` is established, by code units of UTF-16: the same in every locale. */
export const byName: ConflictRule<Pick<Contender, 'name'>> = {
  name: 'name',
  compare: (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)),
};

/**
 * Returns the rule that establishes the policy with the greater weight. A weight is an integer of 32 bits in an annotation, and
 * may be negative.
 *
 * @param annotation The annotation: `kgateway.dev/policy-weight`.
 * @returns The rule. A policy without the annotation, or with something else in it, has the weight 0.
 */
export function byWeight(annotation: string): ConflictRule<{ readonly resource: KubernetesObject }> {
  const weightOf = ({ resource }: { readonly resource: KubernetesObject }): number => {
    const text = resource.metadata.annotations?.[annotation];
    return text !== undefined && isWeight(text) ? Number(text) : 0;
  };
  return { name: 'weight', compare: (a, b) => compareNumbers(weightOf(b), weightOf(a)) };
}

/**
 * Returns whether a text is a weight: an integer of 32 bits.
 *
 * @param text The value of an annotation: `-10`.
 */
export function isWeight(text: string): boolean {
  return /^[+-]?\d+$/.test(text) && Math.abs(Number(text) + 0.5) < 2 ** 31;
}

/** An item that several rules can compare: it has the facts that each of them reads. */
export type ComparedBy<Rule> = (Rule extends ConflictRule<infer Item> ? (item: Item) => void : never) extends (
  item: infer Item,
) => void
  ? Item
  : never;

/**
 * Combines rules into one order.
 *
 * @param rules The rules, in order of precedence.
 * @returns The order. It is total if its last rule distinguishes all policies, as {@link byName} does within one kind.
 * @example
 * ```ts
 * const order = conflictOrder(byAge, byName);
 * order.rank({ createdAt: 10, name: 'a/x' }, { createdAt: 5, name: 'a/y' }).rule; // 'age'
 * ```
 */
export function conflictOrder<Item>(...rules: readonly ConflictRule<Item>[]): ConflictOrder<Item>;
export function conflictOrder<Rules extends readonly ConflictRule<never>[]>(
  ...rules: Rules
): ConflictOrder<ComparedBy<Rules[number]>>;
export function conflictOrder<Item>(...rules: readonly ConflictRule<Item>[]): ConflictOrder<Item> {
  return {
    compare(a, b) {
      for (const rule of rules) {
        const order = rule.compare(a, b);
        if (order !== 0) return order;
      }
      return 0;
    },
    rank(a, b) {
      for (const rule of rules) {
        const order = rule.compare(a, b);
        if (order < 0) return { established: a, challenger: b, rule: rule.name };
        if (order > 0) return { established: b, challenger: a, rule: rule.name };
      }
      return { established: a, challenger: b, rule: undefined };
    },
  };
}

function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : Number(a > b);
}
