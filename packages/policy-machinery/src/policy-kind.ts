export * from '@policy-machinery/policy-kind';
