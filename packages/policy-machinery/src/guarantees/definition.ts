export * from '@policy-machinery/guarantees/definition';
