export * from '@policy-machinery/cel/languages';
