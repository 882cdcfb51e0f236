export * from '@policy-machinery/guarantees';
