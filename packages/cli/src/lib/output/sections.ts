import { type Cell, type Colors, formatParagraphs, formatTable } from '@policy-machinery/text';
import { formatFitted } from '@policy-machinery/text/inner';
import type { Block, Section } from '../model/answer.ts';
import { markdownCell, type TableStyle, tableMarkdown, tableText, textOf } from './table.ts';

/**
 * Formats an answer for people.
 *
 * @param style The style of tables, and colours for headings.
 * @returns The text, with a line break at its end; an empty text if there is nothing to show.
 */
export function sectionsText(sections: readonly Section[], style: TableStyle & { readonly colors: Colors }): string {
  const shown = sections.filter(isNotEmpty);
  if (shown.length === 0) return '';
  return formatParagraphs(
    shown.map(({ heading, blocks }) => [
      ...(heading === undefined ? [] : [lineText([heading, style.colors.bold], style)]),
      ...blocks.map((block) => blockText(block, style)),
    ]),
  );
}

function blockText(block: Block, style: TableStyle): string {
  const { indent = 0 } = block;
  if ('table' in block) return tableText(block.table, style, indent);
  return block.lines.map((line) => lineText(line, style, indent)).join('\n');
}

function lineText(line: Cell, { width }: TableStyle, indent = 0): string {
  const rows = [[line]];
  return width === undefined ? formatTable(rows, { indent }) : formatFitted(rows, { indent, width });
}

/**
 * Formats an answer in Markdown.
 *
 * @returns The text, with a line break at its end.
 */
export function sectionsMarkdown(sections: readonly Section[]): string {
  const parts = sections.filter(isNotEmpty).flatMap(({ heading, blocks }) => [
    ...(heading === undefined ? [] : [`### ${markdownCell(heading)}`]),
    ...blocks.filter(hasContent).map((block) => {
      return 'table' in block
        ? tableMarkdown(block.table)
        : block.lines.map((line) => markdownCell(textOf(line))).join('  \n');
    }),
  ]);
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`;
}

function isNotEmpty({ heading, blocks }: Section): boolean {
  return heading !== undefined || blocks.some(hasContent);
}

function hasContent(block: Block): boolean {
  return 'table' in block ? block.table.rows.length > 0 : block.lines.length > 0;
}
