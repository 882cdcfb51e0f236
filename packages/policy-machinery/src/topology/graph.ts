export * from '@policy-machinery/topology/graph';
