export * from '@policy-machinery/admission/node';
