export {
  type WebhookCertificate,
  type WebhookCertificateOptions,
  webhookCertificate,
} from './lib/manifests/webhook-certificate.ts';
export {
  type WebhookConfiguration,
  type WebhookConfigurationOptions,
  webhookConfiguration,
} from './lib/manifests/webhook-configuration.ts';
export { type ReviewedKind, webhookPath } from './lib/review/webhook-path.ts';
