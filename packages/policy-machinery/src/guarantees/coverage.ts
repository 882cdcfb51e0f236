export * from '@policy-machinery/guarantees/coverage';
