import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseAllDocuments,
  parseDocument,
} from 'yaml';
import type { Issue, SourcePosition } from '../issue.ts';
import { jsonFaults } from '../json-faults.ts';
import { formatPointer } from '../json-pointer.ts';
import type { ManifestLimits } from './limits.ts';

/** A text with manifests, and what to call it in messages. */
export interface ManifestText {
  /** File name, URL or `stdin`. */
  readonly source: string;
  readonly text: string;
}

/** One document of a text: its value, and where it stands. */
export interface ManifestDocument {
  readonly text: ManifestText;
  /** Offsets of its first character and of the one behind its last. */
  readonly range: readonly [number, number];
  readonly value: unknown;
}

/**
 * YAML 1.2 keeps `yes`, `on` and timestamps the strings that people see; `<<` merges as it does in kubectl.
 * Keys that are no scalars have no counterpart in JSON.
 */
const yamlOptions = { version: '1.2', merge: true, prettyErrors: false, stringKeys: true } as const;

/** Splits a text into documents. Empty ones are left out, and so are faulty ones: each fault goes to `report`. */
export function documentsIn(
  text: ManifestText,
  limits: ManifestLimits,
  report: (issue: Issue) => void,
): readonly ManifestDocument[] {
  if (text.text.length > limits.characters) {
    const message = `the text has ${text.text.length} characters, more than the ${limits.characters} allowed; split it`;
    report({ code: 'too-large', severity: 'error', message, position: positionAt(text, 0) });
    return [];
  }
  const parsed = parseJson(text) ?? parseYaml(text, limits, report);
  return parsed.filter((document) => {
    const faults = jsonFaults(document.value, limits.depth);
    for (const { code, path, message } of faults) {
      const pointer = formatPointer(path);
      report({ code, severity: 'error', message, pointer, position: positionOfPath(document, path) });
    }
    return faults.length === 0 && document.value !== null && document.value !== undefined;
  });
}

/** JSON as it comes from the API server needs no YAML parser, which is some ten times slower. */
function parseJson(text: ManifestText): readonly ManifestDocument[] | undefined {
  if (!/^\s*[{[]/.test(text.text)) return undefined;
  try {
    return [{ text, range: [0, text.text.length], value: JSON.parse(text.text) }];
  } catch {
    return undefined; // Flow-style YAML, or an error that the YAML parser can place.
  }
}

function parseYaml(
  text: ManifestText,
  limits: ManifestLimits,
  report: (issue: Issue) => void,
): readonly ManifestDocument[] {
  const fail = (message: string, offset: number): void => {
    report({ code: 'yaml-syntax', severity: 'error', message, position: positionAt(text, offset) });
  };
  let parsed: readonly Document[];
  try {
    parsed = [...parseAllDocuments(text.text, yamlOptions)];
  } catch (error) {
    fail(`cannot be read as YAML: ${error instanceof RangeError ? 'nested too deeply' : String(error)}`, 0);
    return [];
  }
  return parsed.flatMap((document) => {
    const [start, , end] = document.range ?? [0, 0, text.text.length];
    const problems = [...document.errors, ...document.warnings];
    for (const problem of problems) fail(problem.message, problem.pos[0]);
    if (problems.length > 0) return [];
    try {
      return [
        { text, range: [start, end] as const, value: document.toJS({ maxAliasCount: limits.aliases }) as unknown },
      ];
    } catch (error) {
      fail(`${error instanceof Error ? error.message : String(error)}; write the values out`, start);
      return [];
    }
  });
}

/**
 * The position of a value inside a document, or of the closest thing around it that is there.
 * Parses the document anew: positions are for messages, and cost nothing until one is asked for.
 */
export function positionOfPath(document: ManifestDocument, path: readonly (string | number)[]): SourcePosition {
  const [start, end] = document.range;
  const { contents } = parseDocument(document.text.text.slice(start, end), yamlOptions);
  let node: unknown = contents;
  let offset = rangeStart(contents) ?? 0;
  for (const key of path) {
    if (!isCollection(node)) break;
    const pair = isMap(node)
      ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key))
      : undefined;
    node = pair === undefined ? node.get(key, true) : pair.value;
    offset = rangeStart(pair?.key) ?? rangeStart(node) ?? offset;
  }
  return positionAt(document.text, start + offset);
}

function rangeStart(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function positionAt({ source, text }: ManifestText, offset: number): SourcePosition {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) counter.addNewLine(at + 1);
  const { line, col } = counter.linePos(offset);
  return { source, line, column: col };
}
