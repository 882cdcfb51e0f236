import { type Tracer as OpenTelemetryTracer, SpanStatusCode } from '@opentelemetry/api';
import { messageOf } from '@policy-machinery/resource';
import type { Tracer } from './tracer.ts';

/**
 * Sends traces through OpenTelemetry: a span `slice` for each slice of changes, with `apply`, `refresh` and `plan` in it, and a span `write` for
 * each status that is written.
 *
 * @param tracer The tracer, such as `trace.getTracer('timeouts')` of `@opentelemetry/api`.
 * @returns The tracer, for the option `traces`.
 * @example
 * ```ts
 * import { trace } from '@opentelemetry/api';
 * import { openTelemetryTracer } from '@policy-machinery/controller/opentelemetry';
 *
 * const controller = createPolicyController({ ..., traces: openTelemetryTracer(trace.getTracer('timeouts')) });
 * ```
 */
export function openTelemetryTracer(tracer: OpenTelemetryTracer): Tracer {
  return {
    span: (name, attributes, task) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await task();
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
          throw error;
        } finally {
          span.end();
        }
      }),
  };
}
