/** Counts by group and name: `{ packages: { casts: 150 } }`. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** An addition to a budget. */
export interface Raise {
  readonly group: string;
  readonly name: string;
  readonly by: number;
  readonly reason: string;
}

/** The content of `budgets.json`. */
export interface Budgets {
  /** The highest counts, without raises. They only fall. A name that is missing has 0. */
  readonly budgets: Counts;
  readonly raises: readonly Raise[];
}

/** A count above its budget. */
export interface Excess {
  readonly group: string;
  readonly name: string;
  readonly count: number;
  readonly limit: number;
}

/** Returns a budget, with its raises. */
export function limitOf(group: string, name: string, { budgets, raises }: Budgets): number {
  const additions = raises.filter((raise) => raise.group === group && raise.name === name).map(({ by }) => by);
  return additions.reduce((sum, by) => sum + by, budgets[group]?.[name] ?? 0);
}

/** Returns the counts above their budgets. */
export function excesses(budgets: Budgets, counts: Counts): readonly Excess[] {
  return Object.entries(counts)
    .flatMap(([group, byName]) => Object.entries(byName).map(([name, count]) => ({ group, name, count })))
    .map((counted) => ({ ...counted, limit: limitOf(counted.group, counted.name, budgets) }))
    .filter(({ count, limit }) => count > limit);
}

/** Returns the budgets with a raise for each count above its budget. */
export function raised(budgets: Budgets, counts: Counts, reason: string): Budgets {
  const added = excesses(budgets, counts).map(({ group, name, count, limit }) => {
    return { group, name, by: count - limit, reason };
  });
  return { ...budgets, raises: [...budgets.raises, ...added] };
}

/**
 * Returns the budgets after a count: each falls to the count, its newest raises first. A name that does not count any
 * more loses its budget. A group that was not counted keeps its budgets.
 */
export function lowered(budgets: Budgets, counts: Counts): Budgets {
  const unused = new Map<string, number>();
  const lower = (group: string, name: string, by: number): number => {
    const key = JSON.stringify([group, name]);
    const count = counts[group] === undefined ? Number.POSITIVE_INFINITY : (counts[group][name] ?? 0);
    const rest = unused.get(key) ?? Math.max(0, limitOf(group, name, budgets) - count);
    unused.set(key, Math.max(0, rest - by));
    return Math.max(0, by - rest);
  };
  const raises = budgets.raises
    .toReversed()
    .map((raise) => ({ ...raise, by: lower(raise.group, raise.name, raise.by) }));
  const limits = Object.entries(budgets.budgets).map(([group, byName]) => {
    const names = Object.keys(byName).filter((name) => counts[group] === undefined || name in counts[group]);
    return [group, Object.fromEntries(names.map((name) => [name, lower(group, name, byName[name] ?? 0)]))] as const;
  });
  return { budgets: Object.fromEntries(limits), raises: raises.filter(({ by }) => by > 0).toReversed() };
}

/** Returns the budgets that are higher than in an earlier version, as `packages: casts`. A new group may have any. */
export function risen(earlier: Budgets, { budgets }: Budgets): readonly string[] {
  return Object.entries(budgets).flatMap(([group, byName]) => {
    const earlierByName = earlier.budgets[group];
    if (earlierByName === undefined) return [];
    const names = Object.keys(byName).filter((name) => (byName[name] ?? 0) > (earlierByName[name] ?? 0));
    return names.map((name) => `${group}: ${name}`);
  });
}
