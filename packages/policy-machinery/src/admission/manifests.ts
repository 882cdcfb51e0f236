export * from '@policy-machinery/admission/manifests';
