export * from '@policy-machinery/controller/opentelemetry';
