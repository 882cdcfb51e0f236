import type { Topology } from '../model/topology.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { type Edge, elementsOf, type NodeAttributes } from './elements.ts';

/** How a language of drawings writes its parts, each as a line. */
export interface DrawingLanguage {
  readonly begin: readonly string[];
  readonly end: readonly string[];
  /** @param id A short identifier, stable for one topology: `n0`, `n1` … in the order of locators. */
  readonly node: (id: string, node: NodeAttributes) => string;
  readonly edge: (from: string, to: string, type: Edge['type']) => string;
  /** Returns the lines before the nodes of a namespace. `index`: its place among all groups. */
  readonly beginNamespace: (namespace: string, index: number) => readonly string[];
  readonly endNamespace: string;
}

/** Draws a topology, grouped by namespace. Cluster-scoped nodes come first. */
export function draw(topology: Topology, language: DrawingLanguage): string {
  const { nodes, edges } = elementsOf(topology);
  const ids = new Map(
    Array.from(nodes.keys())
      .sort()
      .map((key, index) => [key, `n${index}`]),
  );
  const groups = new Map<string | undefined, string[]>();
  for (const [key, id] of ids) {
    const node = nodes.get(key) as NodeAttributes;
    getOrInsert(groups, node.namespace, (): string[] => []).push(language.node(id, node));
  }
  const lines = [...language.begin];
  const inOrder = [...groups].sort(([a = ''], [b = '']) => compare(a, b));
  for (const [index, [namespace, drawn]] of inOrder.entries()) {
    if (namespace === undefined) for (const line of drawn) lines.push(`  ${line}`);
    else {
      for (const line of language.beginNamespace(namespace, index)) lines.push(`  ${line}`);
      for (const line of drawn) lines.push(`    ${line}`);
      lines.push(`  ${language.endNamespace}`);
    }
  }
  const idOf = (key: string): string => ids.get(key) ?? key;
  for (const { from, to, type } of edges.toSorted((a, b) => compare(a.from, b.from) || compare(a.to, b.to))) {
    lines.push(`  ${language.edge(idOf(from), idOf(to), type)}`);
  }
  return `${[...lines, ...language.end].join('\n')}\n`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
