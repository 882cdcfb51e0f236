import { printable } from '@policy-machinery/resource';
import type { Topology } from '../model/topology.ts';
import { type DrawingLanguage, draw } from './drawing.ts';
import type { EdgeAttributes, NodeAttributes } from './elements.ts';

const nodeStyles: Readonly<Record<NodeAttributes['type'], string>> = {
  object: 'shape=box, style=filled, fillcolor="#e5e9f0"',
  section: 'shape=box, style="filled,rounded", fillcolor="#f7f8fa"',
  policy: 'shape=note, style=dashed',
};

const edgeStyles: Readonly<Record<EdgeAttributes['type'], string>> = {
  link: '',
  contains: ' [style=dotted, arrowhead=none]',
  attaches: ' [style=dashed]',
};

const dot: DrawingLanguage = {
  begin: ['digraph topology {', '  rankdir=TB'],
  end: ['}'],
  node: (id, { type, kind, label }) => `${id} [label="${kind}\\n${quote(label)}", ${nodeStyles[type]}]`,
  edge: (from, to, type) => `${from} -> ${to}${edgeStyles[type]}`,
  beginNamespace: (namespace) => [
    `subgraph "cluster_${quote(namespace)}" {`,
    `  label="${quote(namespace)}"; style=dashed`,
  ],
  endNamespace: '}',
};

/**
 * Returns a drawing of a topology for Graphviz: objects as boxes, sections rounded, policies as notes, one cluster for each namespace.
 *
 * @returns Text in DOT; the same text for the same resources.
 */
export function toDot(topology: Topology): string {
  return draw(topology, dot);
}

function quote(text: string): string {
  return printable(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
