import type { NodeId, Run } from './report-data.ts';

/** Joins consecutive targets that share a list. */
export function runsOf(lists: Iterable<readonly [node: NodeId, list: number]>): readonly Run[] {
  const runs: [first: NodeId, length: number, list: number][] = [];
  for (const [node, list] of lists) {
    const last = runs.at(-1);
    if (last !== undefined && last[2] === list && last[0] + last[1] === node) last[1] += 1;
    else runs.push([node, 1, list]);
  }
  return runs;
}

/** Returns the list of each target of some runs. */
export function listsOf(runs: readonly Run[]): ReadonlyMap<NodeId, number> {
  const lists = new Map<NodeId, number>();
  for (const [first, length, list] of runs) {
    for (let node = first; node < first + length; node += 1) lists.set(node, list);
  }
  return lists;
}
