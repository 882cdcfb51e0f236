import { printableLines } from '@policy-machinery/resource/inner';
import type { Topology } from '../model/topology.ts';
import { type DrawingLanguage, draw } from './drawing.ts';
import type { EdgeAttributes, NodeAttributes } from './elements.ts';

const brackets: Readonly<Record<NodeAttributes['type'], readonly [string, string]>> = {
  object: ['["', '"]'],
  section: ['("', '")'],
  policy: ['>"', '"]'],
};

const arrows: Readonly<Record<EdgeAttributes['type'], string>> = { link: '-->', contains: '---', attaches: '-.->' };

const mermaid: DrawingLanguage = {
  begin: ['graph TD'],
  end: [],
  node: (id, { type, kind, label }) => `${id}${brackets[type][0]}${kind}<br/>${escapeText(label)}${brackets[type][1]}`,
  edge: (from, to, type) => `${from} ${arrows[type]} ${to}`,
  beginNamespace: (namespace, index) => [`subgraph ns${index}["${escapeText(namespace)}"]`],
  endNamespace: 'end',
};

/**
 * Returns a drawing of a topology for Mermaid: objects as boxes, sections rounded, policies as flags, one subgraph for each namespace.
 *
 * @returns Text in Mermaid; the same text for the same resources.
 */
export function toMermaid(topology: Topology): string {
  return draw(topology, mermaid);
}

/**
 * Returns a label with Mermaid's escapes: a hash, a code point, a semicolon. Braces and percent signs would make directives, dollar signs
 * formulas, and backquotes Markdown.
 */
function escapeText(text: string): string {
  return printableLines(text).replace(/[#"<>&;`\\%{}$\n]/g, (character) => `#${character.codePointAt(0)};`);
}
