/** A log, which receives messages with fields for machines. `console` is one. */
export interface Logger {
  /** Logs what happens all the time, such as each write. */
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs what happens now and then, such as a new leader. */
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs what may need attention, and passes or is retried. */
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs what needs attention. */
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
