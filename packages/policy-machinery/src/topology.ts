export * from '@policy-machinery/topology';
