/** What a check says. */
export interface Checked {
  /** What was looked at, line by line. */
  readonly lines: readonly string[];
  /** What is wrong, as sentences; none if all is right. */
  readonly faults: readonly string[];
}
