import { type Tracer as OpenTelemetryTracer, SpanStatusCode } from '@opentelemetry/api';
import { messageOf } from '@policy-machinery/resource';
import type { Tracer } from './tracer.ts';

/**
 * Sends traces through OpenTelemetry. A task that fails marks its span as failed.
 *
 * @param tracer The tracer, such as `trace.getTracer('timeouts')` of `@opentelemetry/api`.
 * @returns The tracer, for the option `traces`.
 * @example
 * ```ts
 * import { trace } from '@opentelemetry/api';
 * import { openTelemetryTracer } from '@policy-machinery/observability/opentelemetry';
 *
 * const controller = createPolicyController({ ...declared, traces: openTelemetryTracer(trace.getTracer('timeouts')) });
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
