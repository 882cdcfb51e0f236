import type { Issue } from '@policy-machinery/resource';
import type { Cell, Row } from '@policy-machinery/text';

export interface Column {
  /** Its name, in upper case. */
  readonly name: string;
  /** Its name in Markdown and HTML. Default: the name in title case. */
  readonly title?: string;
  /** Whether only `-o wide` shows the column. Default: no. */
  readonly isWide?: boolean;
  /** Whether the column is left out if the table does not fit the terminal, the last one first. Default: no. */
  readonly isOptional?: boolean;
  /** Whether the column is for namespaces, which only a list of all namespaces shows. Default: no. */
  readonly isNamespace?: boolean;
  /** The text of `-w` in the column of a row that is no longer there, such as `deleted`. Default: the last value. */
  readonly gone?: string;
}

export interface Table {
  readonly columns: readonly Column[];
  /** The rows, with a cell for each column, wide ones included. Rows can leave out their last cells. An empty cell is shown as `<none>`. */
  readonly rows: readonly Row[];
  /**
   * `list`, the default, is kubectl's table, with a header. `detail` is part of a text, without a header. `drawing` is a detail
   * with significant spaces.
   */
  readonly layout?: 'list' | 'detail' | 'drawing';
  /** A row that was printed before, to align these rows with. It has a cell for each column. Default: none. */
  readonly alignedWith?: Row;
  /** The subject of each row, so that `-w` recognizes rows: a locator, for example. Default: the row itself. */
  readonly subjects?: readonly string[];
}

/** A part of an answer for people. */
export interface Section {
  readonly heading?: string;
  /** The blocks below the heading, in order. */
  readonly blocks: readonly Block[];
}

/** Some lines or a table, indented by a number of spaces. All text is made printable. */
export type Block = ({ readonly lines: readonly Cell[] } | { readonly table: Table }) & { readonly indent?: number };

/** Something that is wrong, or worth knowing. */
export interface Finding extends Omit<Issue, 'severity'> {
  /** An `error` means that something is left out, a `warning` that something may surprise, and a `note` that a policy does not have an effect. */
  readonly severity: Issue['severity'] | 'note';
}

/** The answer of a command, in all its formats. */
export interface Answer {
  /** The document that `-o json` and `-o yaml` print, identified by its `kind`. It contains only JSON values. */
  readonly document: Document;
  /** The answer for people, in reading order; also for `-o wide` and `-o markdown`. */
  readonly sections: readonly Section[];
  /** Whether text for people is laid out to fit the width of a terminal. Lists keep their width. Default: no. */
  readonly isFitted?: boolean;
  /** The answer on a terminal, fitted to its width. Default: `sections`. */
  readonly onTerminal?: readonly Section[];
  /** The objects of the answer, as `-o name` prints them: `httproute.gateway.networking.k8s.io/cart`. */
  readonly names?: readonly string[];
  /** The findings for `-o sarif`, `-o junit` and `-o github`. */
  readonly findings?: readonly Finding[];
  /** The answer in other languages, by the name of the format: `mermaid`, `dot`, `html`. */
  readonly texts?: Readonly<Record<string, () => string>>;
  /** Notes for standard error: an empty answer, or the next step. */
  readonly notes?: readonly string[];
  /** 1 for findings, differences, tests that fail and broken guarantees; 3 and 4 with `--strict`. Default: 0. */
  readonly exitCode?: 0 | 1 | 3 | 4;
}

/** An answer for programs. */
export interface Document {
  readonly kind: string;
  readonly [field: string]: unknown;
}
