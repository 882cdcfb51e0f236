export * from '@policy-machinery/resource';
