import { printable } from '@policy-machinery/resource';
import type { Topology } from '../model/topology.ts';
import { type DrawnEdge, type DrawnNode, drawingOf } from './drawing.ts';

const nodeStyles: Readonly<Record<DrawnNode['type'], string>> = {
  object: 'shape=box, style=filled, fillcolor="#e5e9f0"',
  section: 'shape=box, style="filled,rounded", fillcolor="#f7f8fa"',
  policy: 'shape=note, style=dashed',
};

const edgeStyles: Readonly<Record<DrawnEdge['type'], string>> = {
  link: '',
  contains: ' [style=dotted, arrowhead=none]',
  attaches: ' [style=dashed]',
};

/**
 * Returns a drawing of a topology for Graphviz: objects as boxes, sections rounded, policies as notes, one cluster for each namespace.
 *
 * @param topology The topology.
 * @returns Text in DOT; the same text for the same resources.
 */
export function toDot(topology: Topology): string {
  const { groups, edges } = drawingOf(topology);
  const lines = ['digraph topology {', '  rankdir=TB'];
  for (const [namespace, nodes] of groups) {
    const drawn = nodes.map(
      ({ id, type, kind, label }) => `${id} [label="${kind}\\n${quote(label)}", ${nodeStyles[type]}]`,
    );
    if (namespace === undefined) {
      for (const line of drawn) lines.push(`  ${line}`);
    } else {
      lines.push(`  subgraph "cluster_${quote(namespace)}" {`, `    label="${quote(namespace)}"; style=dashed`);
      for (const line of drawn) lines.push(`    ${line}`);
      lines.push('  }');
    }
  }
  for (const { from, to, type } of edges) lines.push(`  ${from} -> ${to}${edgeStyles[type]}`);
  return `${[...lines, '}'].join('\n')}\n`;
}

function quote(text: string): string {
  return printable(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
