export * from '@policy-machinery/cluster';
