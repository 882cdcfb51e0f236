import type { Topology } from '../model/topology.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { elementsOf, type NodeAttributes } from './elements.ts';

/** A node of a drawing. */
export interface DrawnNode {
  /** A short identifier, stable for one topology: `n0`, `n1` … in the order of locators. */
  readonly id: string;
  readonly type: 'object' | 'section' | 'policy';
  readonly kind: string;
  readonly label: string;
  readonly namespace: string | undefined;
}

/** An edge of a drawing. */
export interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  readonly type: 'link' | 'contains' | 'attaches';
}

/** A drawing, grouped by namespace. Cluster-scoped nodes come first, under `undefined`. */
export interface Drawing {
  readonly groups: readonly (readonly [string | undefined, readonly DrawnNode[]])[];
  readonly edges: readonly DrawnEdge[];
}

/** Returns the drawing of a topology, for any output language. */
export function drawingOf(topology: Topology): Drawing {
  const { nodes, edges } = elementsOf(topology);
  const ids = new Map(
    Array.from(nodes.keys())
      .sort()
      .map((key, index) => [key, `n${index}`]),
  );
  const groups = new Map<string | undefined, DrawnNode[]>([[undefined, []]]);
  for (const [key, id] of ids) {
    const { type, kind, label, namespace } = nodes.get(key) as NodeAttributes;
    getOrInsert(groups, namespace, (): DrawnNode[] => []).push({ id, type, kind, label, namespace });
  }
  const idOf = (key: string): string => ids.get(key) ?? key;
  const drawn = edges
    .toSorted((a, b) => compare(a.from, b.from) || compare(a.to, b.to))
    .map(({ from, to, type }) => ({ from: idOf(from), to: idOf(to), type }));
  return {
    groups: [...groups].filter(([, group]) => group.length > 0).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    edges: drawn,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
