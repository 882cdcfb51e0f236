import type { Issue } from '@policy-machinery/resource';
import type { Cell, Row } from '@policy-machinery/text';

/** A column of a table. */
export interface Column {
  /** Its name, in upper case. */
  readonly name: string;
  /** Whether only `-o wide` shows the column. Default: no. */
  readonly isWide?: boolean;
}

/** A table of an answer. */
export interface Table {
  readonly columns: readonly Column[];
  /** Each row has a cell for each column, wide ones included; rows may leave out their last cells. An empty cell is `<none>`. */
  readonly rows: readonly Row[];
  /**
   * `list`, the default, is kubectl's table, with a first line. `detail` stands in a text: it has no first line. A `drawing` is a detail
   * whose spaces mean something.
   */
  readonly layout?: 'list' | 'detail' | 'drawing';
  /** A row of a list that was printed before, with which these rows are aligned. It has a cell for each column. Default: none. */
  readonly alignedWith?: Row;
}

/** A part of an answer for people. */
export interface Section {
  readonly heading?: string;
  /** What stands below the heading, in this order. */
  readonly blocks: readonly Block[];
}

/** Some lines, or a table, with the spaces that each line begins with. Whatever is shown is made printable. */
export type Block = ({ readonly lines: readonly Cell[] } | { readonly table: Table }) & { readonly indent?: number };

/** One thing that is wrong, or worth knowing. */
export interface Finding extends Omit<Issue, 'severity'> {
  /** An `error` leaves something out, a `warning` may surprise, and a `note` says that a policy has no effect. */
  readonly severity: Issue['severity'] | 'note';
}

/** What a command answers, whatever the format. A format that has no part here cannot be asked for. */
export interface Answer {
  /** What `-o json` and `-o yaml` print; `kind` says what it is. Only values that JSON has. */
  readonly document: Document;
  /** The answer for people, in the order in which they read it; also for `-o wide` and `-o markdown`. */
  readonly sections: readonly Section[];
  /** The objects of the answer, as `-o name` prints them: `httproute.gateway.networking.k8s.io/cart`. */
  readonly names?: readonly string[];
  /** What `-o sarif`, `-o junit` and `-o github` print. */
  readonly findings?: readonly Finding[];
  /** The answer in other languages, by the name of the format: `mermaid`, `dot`, `html`. */
  readonly texts?: Readonly<Record<string, () => string>>;
  /** What standard error says beside the answer: that there is nothing, or what to do next. */
  readonly notes?: readonly string[];
  /** 1 for findings, differences and tests that fail. Default: 0. */
  readonly exitCode?: 0 | 1;
}

/** An answer for programs. */
export interface Document {
  readonly kind: string;
  readonly [field: string]: unknown;
}
