export { openTelemetry } from './lib/metrics/opentelemetry.ts';
