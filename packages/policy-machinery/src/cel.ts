export * from '@policy-machinery/cel';
