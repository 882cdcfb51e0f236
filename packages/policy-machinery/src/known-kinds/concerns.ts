export * from '@policy-machinery/known-kinds/concerns';
