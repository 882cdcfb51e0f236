export * from '@policy-machinery/text';
