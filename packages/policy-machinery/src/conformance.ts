export * from '@policy-machinery/conformance';
