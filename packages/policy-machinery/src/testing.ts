export * from '@policy-machinery/testing';
