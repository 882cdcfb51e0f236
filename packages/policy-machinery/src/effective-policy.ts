export * from '@policy-machinery/effective-policy';
