export * from '@policy-machinery/controller/prom-client';
