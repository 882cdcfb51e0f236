/** A log, which receives messages with fields for machines. `console` is one. */
export interface Logger {
  /** Logs frequent events, such as each write. */
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs occasional events, such as a new leader. */
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs faults that may need attention, and pass or are retried. */
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs faults that need attention. */
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
