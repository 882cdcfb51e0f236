export * from '@policy-machinery/crd';
