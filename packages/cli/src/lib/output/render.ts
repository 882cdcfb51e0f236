import { printable } from '@policy-machinery/resource';
import type { Colors } from '@policy-machinery/text';
import type { Answer, Document } from '../model/answer.ts';
import type { FormatName } from '../model/formats.ts';
import { jsonText, yamlText } from './documents.ts';
import { github } from './github.ts';
import { junit } from './junit.ts';
import { withoutCommands } from './no-commands.ts';
import { sarif } from './sarif.ts';
import { sectionsMarkdown, sectionsText } from './sections.ts';

export interface RenderStyle {
  readonly colors: Colors;
  readonly hasHeaders: boolean;
  /** The width of the terminal, for answers that fit one. */
  readonly width: number;
  /** Whether the answer is for a terminal, and not for a pipe or a file. */
  readonly isTerminal: boolean;
}

type Renderer = (answer: Answer, style: RenderStyle) => string | undefined;

/** The renderer of each format, which returns `undefined` if the answer lacks such a part. */
const renderers: Readonly<Record<FormatName, Renderer>> = {
  table: (answer, style) => text(answer, style, false),
  wide: (answer, style) => text(answer, style, true),
  json: ({ document }) => jsonText(versioned(document)),
  yaml: ({ document }) => yamlText(versioned(document)),
  name: ({ names }) => names?.map((name) => `${printable(name)}\n`).join(''),
  markdown: ({ sections }) => sectionsMarkdown(sections),
  mermaid: ({ texts }) => texts?.mermaid?.(),
  dot: ({ texts }) => texts?.dot?.(),
  csv: ({ texts }) => texts?.csv?.(),
  html: ({ texts }) => texts?.html?.(),
  sarif: ({ findings, texts }) => texts?.sarif?.() ?? (findings && sarif(findings)),
  junit: ({ findings, texts }) => texts?.junit?.() ?? (findings && junit(findings)),
  github: ({ findings, texts }) => texts?.github?.() ?? (findings && github(findings)),
};

/**
 * Formats an answer.
 *
 * @param format One of the formats of its command.
 * @param style The style of text for people: colours, and whether tables have headers.
 * @returns The text for standard output.
 * @throws {TypeError} If the answer cannot be printed in the format that its command lists.
 */
export function render(answer: Answer, format: FormatName, style: RenderStyle): string {
  const text = renderers[format](answer, style);
  if (text === undefined) throw new TypeError(`${answer.document.kind} cannot be printed in the format ${format}`);
  return obeyed.has(format) ? withoutCommands(text) : text;
}

function text(
  { sections, isFitted = false, onTerminal }: Answer,
  { width, ...style }: RenderStyle,
  isWide: boolean,
): string {
  const shown = (style.isTerminal ? onTerminal : undefined) ?? sections;
  return sectionsText(shown, { ...style, isWide, ...(isFitted || style.isTerminal ? { width } : {}) });
}

/** The formats for people: their lines may begin with text of others. */
const obeyed: ReadonlySet<FormatName> = new Set(['table', 'wide', 'name', 'markdown', 'mermaid', 'dot']);

function versioned(document: Document): object {
  return { apiVersion: 'policy-machinery/v1alpha1', ...document };
}
