export * from '@policy-machinery/cel/re2';
