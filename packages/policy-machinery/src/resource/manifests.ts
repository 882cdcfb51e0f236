export * from '@policy-machinery/resource/manifests';
