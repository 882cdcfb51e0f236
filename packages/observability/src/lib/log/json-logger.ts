import { isJsonObject } from '@policy-machinery/resource';
import type { Logger } from './logger.ts';
import { toPlain } from './to-plain.ts';

/** The levels of messages, least important first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;

/** How to log. */
export interface JsonLoggerOptions {
  /** The least important messages that are written. Default: `info`. */
  readonly level?: (typeof logLevels)[number] | undefined;
  /** Takes a line with its line break. If it throws, the line is lost. Default: to standard error. */
  readonly write?: ((line: string) => void) | undefined;
  /** Returns the time. Default: the machine's time. */
  readonly now?: (() => Date) | undefined;
}

/**
 * Returns a logger that writes a line of JSON for each message: `level`, `time`, `message`, and the fields. Errors are written as their message and
 * code, with the stack if they lack a code. Takes fields of any value. Never throws: a line that cannot be written, such as to a full disk, is lost.
 *
 * @param options How to log.
 * @returns The logger. Its methods can be passed on without it.
 * @example
 * ```ts
 * jsonLogger().info('started', { controller: 'timeouts' });
 * // {"level":"info","time":"2026-01-01T00:00:00.000Z","message":"started","controller":"timeouts"}
 * ```
 */
export function jsonLogger(options: JsonLoggerOptions = {}): Logger {
  const { level: least = 'info', write = writeToStderr, now = () => new Date() } = options;
  const at = (level: (typeof logLevels)[number]): Logger['info'] => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return () => {};
    return (message, fields = {}) => {
      const line = `${JSON.stringify({ level, time: now().toISOString(), message, ...plainFields(fields) })}\n`;
      try {
        write(line);
      } catch {
        // The program continues without the line.
      }
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Writes to standard error. Without a listener, an error of the stream would end the process. The stream accepts later lines all the same. */
function writeToStderr(line: string): void {
  if (!process.stderr.listeners('error').includes(ignoreError)) process.stderr.on('error', ignoreError);
  process.stderr.write(line);
}

function ignoreError(): void {}

const reserved = new Set(['level', 'time', 'message']);

/** Renames the fields with names that every line has. */
function plainFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const plain = toPlain(fields);
  if (!isJsonObject(plain)) return { fields: plain };
  return Object.fromEntries(
    Object.entries(plain).map(([name, value]) => [reserved.has(name) ? `fields.${name}` : name, value]),
  );
}
