export * from '@policy-machinery/schemas';
