export * from '@policy-machinery/topology/testing';
