export * from '@policy-machinery/conditions';
