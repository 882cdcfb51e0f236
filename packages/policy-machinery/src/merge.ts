export * from '@policy-machinery/merge';
