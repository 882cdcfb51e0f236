import { Composer, isCollection, isMap, isNode, isScalar, LineCounter, type Pair, type YAMLMap } from 'yaml';
import type { SourcePosition } from '../issue.ts';
import type { ManifestLimits } from './limits.ts';
import type { ManifestText } from './manifest-text.ts';
import { resolveKeys } from './yaml-keys.ts';
import { yamlOptions } from './yaml-options.ts';
import { tokensIn } from './yaml-tokens.ts';

/** Converts offsets in a text to lines and columns. Finds the lines on the first call. */
export function lineFinder({ source, text }: ManifestText): (offset: number) => SourcePosition {
  let lines: LineCounter | undefined;
  return (offset) => {
    lines ??= linesOf(text);
    const { line, col } = lines.linePos(offset);
    return { source, line, column: col };
  };
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', newline + 1))
    lines.addNewLine(newline + 1);
  return lines;
}

/**
 * Converts paths in a document to positions: the position of the value, or of the closest existing value around it.
 *
 * Parses the document again on the first call: positions are for messages, and cost nothing until then. In JSON that is too
 * large to parse as YAML, every position is the start.
 */
export function pathFinder(
  text: string,
  [start, end]: readonly [number, number],
  { yamlCharacters }: ManifestLimits,
  positionAt: (offset: number) => SourcePosition,
): (path: readonly (string | number)[]) => SourcePosition {
  const pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
  let root: unknown;
  return (path) => {
    if (end - start > yamlCharacters) return positionAt(start);
    root ??= contentsOf(text.slice(start, end));
    let node = root;
    let offset = startOf(root) ?? 0;
    for (const key of path) {
      if (!isCollection(node)) break;
      if (isMap(node)) {
        if (!pairs.has(node)) pairs.set(node, pairsOf(node));
        const pair = pairs.get(node)?.get(String(key));
        offset = startOf(pair?.key) ?? offset;
        node = pair?.value;
      } else {
        node = node.items[Number(key)];
        offset = startOf(node) ?? offset;
      }
    }
    return positionAt(start + offset);
  };
}

function contentsOf(text: string): unknown {
  for (const document of new Composer(yamlOptions).compose(tokensIn(text))) {
    resolveKeys(document);
    return document.contents;
  }
  return undefined;
}

function pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
  return new Map(map.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : '', pair]));
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
