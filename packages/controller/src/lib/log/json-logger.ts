import type { Logger } from './logger.ts';

/**
 * Returns a logger that writes a line of JSON for each message, with `time`, `level` and the fields.
 *
 * @param write Takes a line. Default: to standard error.
 * @param now Returns the time. Default: that of the machine.
 */
export function jsonLogger(
  write: (line: string) => void = (line) => process.stderr.write(line),
  now: () => Date = () => new Date(),
): Logger {
  const at =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      write(`${JSON.stringify({ time: now().toISOString(), level, message, ...fields })}\n`);
    };
  return { debug: () => {}, info: at('info'), warn: at('warn'), error: at('error') };
}
