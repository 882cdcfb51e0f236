import type { Issue, SourcePosition } from '../issue.ts';
import type { DocumentMemory } from './document-memory.ts';
import { jsonIn } from './json-text.ts';
import type { ManifestLimits } from './limits.ts';
import type { ManifestText } from './manifest-text.ts';
import { lineFinder, pathFinder } from './positions.ts';
import type { ParsedDocument } from './yaml-documents.ts';
import type { PartFault } from './yaml-faults.ts';
import { withoutRefusedParts } from './yaml-lines.ts';
import { yamlIn } from './yaml-text.ts';

export interface ManifestDocument {
  readonly value: unknown;
  /** The parts that could not be read as written. */
  readonly faults: readonly PartFault[];
  /** Returns the position of a value in the document, or of the closest existing value around it. */
  readonly positionOf: (path: readonly (string | number)[]) => SourcePosition;
  readonly positionAt: (offset: number) => SourcePosition;
}

/** Splits a text into documents. Empty and unreadable documents are left out, and faults go to `report`. */
export function* documentsIn(
  manifest: ManifestText,
  limits: ManifestLimits,
  report: (issue: Issue) => void,
  memory?: DocumentMemory,
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
  const yaml = (): Iterable<ParsedDocument> => {
    const lines = withoutRefusedParts(text, ({ message, offset }) => fail('yaml-syntax', message, offset));
    return yamlIn(lines, limits, fail, memory);
  };
  for (const { value, range, faults } of jsonIn(text) ?? yaml()) {
    if (faults.length === 0 && (value === null || value === undefined)) continue;
    yield { value, faults, positionOf: pathFinder(text, range, limits, positionAt), positionAt };
  }
}
