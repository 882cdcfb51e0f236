export * from '@policy-machinery/observability/opentelemetry';
