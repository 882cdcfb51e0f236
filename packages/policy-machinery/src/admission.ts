export * from '@policy-machinery/admission';
