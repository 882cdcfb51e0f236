export { openTelemetry } from './lib/metrics/opentelemetry.ts';
export { openTelemetryTracer } from './lib/traces/opentelemetry-tracer.ts';
