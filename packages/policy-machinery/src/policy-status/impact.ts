export * from '@policy-machinery/policy-status/impact';
