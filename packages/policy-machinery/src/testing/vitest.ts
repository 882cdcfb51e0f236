export * from '@policy-machinery/testing/vitest';
