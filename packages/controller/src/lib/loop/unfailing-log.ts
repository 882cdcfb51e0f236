import type { Logger } from '@policy-machinery/observability';

/** Returns a log that never throws: the controller continues without the messages that the log of its user refuses. */
export function unfailingLog(log: Logger): Logger {
  const logAt =
    (level: keyof Logger): Logger['info'] =>
    (...message) => {
      try {
        log[level](...message);
      } catch {
        // There is no other place to report this.
      }
    };
  return { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
}
