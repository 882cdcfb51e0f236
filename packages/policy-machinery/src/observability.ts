export * from '@policy-machinery/observability';
