import { ratio } from './format.ts';
import { table } from './table.ts';

/** What a cluster of some size costs. */
export interface SizeCost {
  readonly nodes: number;
  /** Times in milliseconds, and memory in bytes. */
  readonly costs: Readonly<Record<string, number>>;
}

/** A cost to show, and the one that it is a multiple of. */
export interface Column {
  readonly what: string;
  readonly cost: string;
  readonly unit: string;
}

/**
 * Returns costs by size as a table: each as a multiple of `JSON.parse` or of the parsed resources, and the power of n by which it grows from the
 * previous size.
 *
 * @param sizes The smallest first, all with the same costs.
 */
export function growthTable(sizes: readonly SizeCost[], columns: readonly Column[]): string {
  const rows = sizes.map(({ nodes, costs }, index) => {
    const before = sizes[index - 1];
    const cells = columns.flatMap(({ cost, unit }) => [
      ratio(costOf(costs, cost) / costOf(costs, unit)),
      before === undefined ? '' : powerOf(nodes / before.nodes, costOf(costs, cost) / costOf(before.costs, cost)),
    ]);
    return [nodes.toLocaleString('en'), ...cells];
  });
  return table(['nodes', ...columns.flatMap(({ what }) => [what, 'growth'])], rows);
}

function costOf(costs: SizeCost['costs'], name: string): number {
  return costs[name] ?? Number.NaN;
}

function powerOf(size: number, cost: number): string {
  return `n^${(Math.log(cost) / Math.log(size)).toFixed(1)}`;
}
