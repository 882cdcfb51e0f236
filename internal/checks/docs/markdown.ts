import { readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';
import { filesOf, root } from '../files.ts';

/** A fenced block of code in a document. */
export interface CodeBlock {
  /** The line of the document on which its code begins, counted from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** Which section of the document it stands in, counted from 0. */
  readonly section: number;
  /** The HTML comment right before it, without its delimiters. */
  readonly comment?: string;
}

/** A link or an image in a document. */
export interface Link {
  readonly line: number;
  readonly target: string;
}

/** What the checks look at in a Markdown file. */
export interface Document {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  readonly links: readonly Link[];
  /** What a `#fragment` can point to. */
  readonly anchors: ReadonlySet<string>;
}

const markdown = new MarkdownIt({ html: true });

/** Returns every Markdown file of the repository that Git does not ignore and no command writes. */
export function documents(): readonly Document[] {
  return filesOf('*.md', ':!packages/*/api.md').map((path) => readDocument(path, readFileSync(root + path, 'utf8')));
}

/** Reads one Markdown file. */
export function readDocument(path: string, text: string): Document {
  const blocks: CodeBlock[] = [];
  const links: Link[] = [];
  const anchors = new Set<string>();
  let section = 0;
  let inHeading = false;
  let comment: string | undefined;
  for (const token of markdown.parse(text, {})) {
    const line = (token.map?.[0] ?? 0) + 1;
    if (token.type === 'heading_open') section++;
    if (token.type === 'inline') {
      if (inHeading) anchors.add(unusedAnchor(anchors, token.content));
      for (const child of token.children ?? []) {
        const target = child.attrGet(child.type === 'image' ? 'src' : 'href');
        if (target !== null) links.push({ line, target: String(target) });
      }
    }
    inHeading = token.type === 'heading_open';
    if (token.type === 'fence') {
      const language = token.info.trim().split(/\s/)[0] ?? '';
      blocks.push({
        line: line + 1,
        language,
        code: token.content,
        section,
        ...(comment !== undefined && { comment }),
      });
    }
    comment = token.type === 'html_block' ? /^<!--\s*(.*?)\s*-->\s*$/s.exec(token.content)?.[1] : undefined;
  }
  return { path, blocks, links, anchors };
}

/** Returns the anchor that a heading gets, as code hosts make it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Returns the anchor of one of several headings: the second one of a name ends with `-1`. */
function unusedAnchor(used: ReadonlySet<string>, heading: string): string {
  const anchor = anchorOf(heading);
  for (let count = 0; ; count++) {
    const candidate = count === 0 ? anchor : `${anchor}-${count}`;
    if (!used.has(candidate)) return candidate;
  }
}
