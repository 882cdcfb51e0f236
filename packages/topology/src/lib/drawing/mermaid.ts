import { printableLines } from '@policy-machinery/resource';
import type { Topology } from '../model/topology.ts';
import { type DrawnEdge, type DrawnNode, drawingOf } from './drawing.ts';

const brackets: Readonly<Record<DrawnNode['type'], readonly [string, string]>> = {
  object: ['["', '"]'],
  section: ['("', '")'],
  policy: ['>"', '"]'],
};

const arrows: Readonly<Record<DrawnEdge['type'], string>> = { link: '-->', contains: '---', attaches: '-.->' };

/**
 * Returns a drawing of a topology for Mermaid: objects as boxes, sections rounded, policies as flags, one subgraph for each namespace.
 *
 * @param topology The topology.
 * @returns Text in Mermaid; the same text for the same resources.
 */
export function toMermaid(topology: Topology): string {
  const { groups, edges } = drawingOf(topology);
  const lines = ['graph TD'];
  for (const [index, [namespace, nodes]] of groups.entries()) {
    const drawn = nodes.map(({ id, type, kind, label }) => {
      const [open, close] = brackets[type];
      return `${id}${open}${kind}<br/>${escapeText(label)}${close}`;
    });
    if (namespace === undefined) {
      for (const line of drawn) lines.push(`  ${line}`);
    } else {
      lines.push(`  subgraph ns${index}["${escapeText(namespace)}"]`);
      for (const line of drawn) lines.push(`    ${line}`);
      lines.push('  end');
    }
  }
  for (const { from, to, type } of edges) lines.push(`  ${from} ${arrows[type]} ${to}`);
  return `${lines.join('\n')}\n`;
}

/**
 * Returns a label with Mermaid's escapes: a hash, a code point, a semicolon. Braces and percent signs would make directives, dollar signs
 * formulas, and backquotes Markdown.
 */
function escapeText(text: string): string {
  return printableLines(text).replace(/[#"<>&;`\\%{}$\n]/g, (character) => `#${character.codePointAt(0)};`);
}
