import {
  createDocumentMemory,
  type DocumentMemory,
  type Manifests,
  type ManifestText,
} from '@policy-machinery/resource/manifests';
import type { Judged } from '../gitops/foreign.ts';

/** A text with its content. */
export interface Parsed extends Judged {
  readonly text: ManifestText;
  readonly manifests: Manifests;
}

/** The remembered state of a file. */
interface Kept {
  readonly text: string;
  readonly isNamed: boolean;
  readonly documents: DocumentMemory;
  readonly read: Parsed;
}

/**
 * Remembers the content of files that are read again and again: a file that has not changed is not parsed again, and in a changed file, only the
 * documents that differ. It holds the files of the last reading.
 */
export class FileMemory {
  #last: ReadonlyMap<string, Kept> = new Map();
  #present = new Map<string, Kept>();
  #parsed = 0;

  /** How many files were parsed for the last reading. */
  get parsed(): number {
    return this.#parsed;
  }

  begin(): void {
    this.#last = this.#present;
    this.#present = new Map();
    this.#parsed = 0;
  }

  /**
   * Returns the content of a file.
   *
   * @param file The file and its text.
   * @param isNamed Whether the user has named it.
   */
  recall({ source, text }: ManifestText, isNamed: boolean, parse: (documents: DocumentMemory) => Parsed): Parsed {
    const known = this.#last.get(source);
    if (known !== undefined && known.text === text && known.isNamed === isNamed) {
      this.#present.set(source, known);
      return known.read;
    }
    this.#parsed += 1;
    const documents = known?.documents ?? createDocumentMemory();
    const read = parse(documents);
    this.#present.set(source, { text, isNamed, documents, read });
    return read;
  }
}
