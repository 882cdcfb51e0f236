export * from '@policy-machinery/conflict';
