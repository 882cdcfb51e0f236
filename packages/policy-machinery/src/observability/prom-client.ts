export * from '@policy-machinery/observability/prom-client';
