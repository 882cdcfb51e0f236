export * from '@policy-machinery/target-ref';
