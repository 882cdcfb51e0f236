import type { Fail, ParsedDocument } from './yaml-documents.ts';

/** The content of one YAML document, with offsets from its start: values and failures, in order. */
export type ReadDocument = readonly (ParsedDocument | Parameters<Fail>)[];

/**
 * Remembers the documents of a text, so that reading it again after an edit costs the documents that changed. Made with
 * {@link createDocumentMemory}.
 */
export class DocumentMemory {
  #last: ReadonlyMap<string, ReadDocument> = new Map();
  #present = new Map<string, ReadDocument>();
  #read = 0;

  private constructor() {}

  /** @internal Use {@link createDocumentMemory}. */
  static make(): DocumentMemory {
    return new DocumentMemory();
  }

  /** The number of YAML documents that had to be read the last time, because they were not there the time before. */
  get read(): number {
    return this.#read;
  }

  /** @internal Begins another reading: documents that the last one has not met are forgotten. */
  begin(): void {
    this.#last = this.#present;
    this.#present = new Map();
    this.#read = 0;
  }

  /** @internal Returns the content of a document's text. */
  recall(text: string, read: () => ReadDocument): ReadDocument {
    const knownDocument = this.#present.get(text) ?? this.#last.get(text);
    if (knownDocument === undefined) this.#read += 1;
    const document = knownDocument ?? read();
    this.#present.set(text, document);
    return document;
  }
}

/**
 * Creates a memory for texts that are read again and again while they are edited, as in an editor. Pass it to `parseManifests` each time: resources of
 * documents that have not changed are then the same objects as before. It holds the documents of the last two readings.
 *
 * @returns The memory.
 * @example
 * ```ts
 * const memory = createDocumentMemory();
 * const before = parseManifests(text, { memory });
 * const after = parseManifests(edited, { memory }); // Reads only the documents that differ.
 * ```
 */
export function createDocumentMemory(): DocumentMemory {
  return DocumentMemory.make();
}
