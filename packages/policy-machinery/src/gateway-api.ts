export * from '@policy-machinery/gateway-api';
