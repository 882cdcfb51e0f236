export * from '@policy-machinery/report';
