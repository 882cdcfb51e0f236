export * from '@policy-machinery/resource/node';
