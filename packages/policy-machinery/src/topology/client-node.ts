export * from '@policy-machinery/topology/client-node';
