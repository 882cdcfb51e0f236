import type { Issue, SourcePosition } from '../issue.ts';
import { jsonFaults } from '../json-faults.ts';
import { formatPointer } from '../json-pointer.ts';
import { jsonIn } from './json-text.ts';
import type { ManifestLimits } from './limits.ts';
import { lineFinder, pathFinder } from './positions.ts';
import { yamlDocumentsIn } from './yaml-documents.ts';

/** A text with manifests, and what to call it in messages. */
export interface ManifestText {
  /** File name, URL or `stdin`. */
  readonly source: string;
  readonly text: string;
}

/** One document of a text. */
export interface ManifestDocument {
  readonly value: unknown;
  /** The position of a value inside the document, or of the closest thing around it that is there. */
  readonly positionOf: (path: readonly (string | number)[]) => SourcePosition;
}

/** Splits a text into documents. Empty ones are left out, and so are faulty ones: each fault goes to `report`. */
export function* documentsIn(
  manifest: ManifestText,
  limits: ManifestLimits,
  report: (issue: Issue) => void,
): Iterable<ManifestDocument> {
  const text = manifest.text.replace(/^\uFEFF/, '');
  const positionAt = lineFinder({ ...manifest, text });
  const fail = (code: string, message: string, offset: number): void => {
    report({ code, severity: 'error', message, position: positionAt(offset) });
  };
  if (text.length > limits.characters) {
    const message = `the text has ${text.length} characters, more than the ${limits.characters} allowed; split it`;
    return fail('too-large', message, 0);
  }
  for (const { value, range } of jsonIn(text) ?? yamlDocumentsIn(text, limits, fail)) {
    const positionOf = pathFinder(text, range, limits, positionAt);
    const faults = jsonFaults(value, limits.depth);
    for (const { code, path, message } of faults) {
      report({ code, severity: 'error', message, pointer: formatPointer(path), position: positionOf(path) });
    }
    if (faults.length === 0 && value !== null && value !== undefined) yield { value, positionOf };
  }
}
