export * from '@policy-machinery/controller';
