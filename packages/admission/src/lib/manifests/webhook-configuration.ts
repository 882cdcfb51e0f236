// manifests/: the objects that make a cluster call the webhook. Takes kinds and names, and returns manifests as values.

import {
  type GroupKind,
  type JsonObject,
  type KubernetesObject,
  PolicyMachineryError,
} from '@policy-machinery/resource';
import { type ReviewedKind, webhookPath } from '../review/webhook-path.ts';

/** The webhook, and the kinds that it reviews. */
export interface WebhookConfigurationOptions {
  /** The name of the configuration, a domain: `timeouts.example.com`. The name of each webhook ends with it. */
  readonly name: string;
  /** The kinds of objects with reviewed changes: `controller.topology.requiredKinds`, or some of these. */
  readonly kinds: Iterable<ReviewedKind>;
  /** The Service of the webhook, and its port, 443 by default; or the URL of a webhook outside the cluster, without a path. */
  readonly service:
    | { readonly name: string; readonly namespace: string; readonly port?: number }
    | { readonly url: string };
  /** The Certificate of cert-manager that vouches for the webhook; or the certificates of its authorities as PEM. */
  readonly trust: { readonly certificate: string; readonly namespace: string } | { readonly caBundle: string };
  /** The service accounts with requests that are not reviewed, such as the controller's own. Default: none. */
  readonly except?: readonly { readonly name: string; readonly namespace: string }[] | undefined;
  /** The namespaces with objects that are not reviewed, so that a faulty webhook cannot affect them. Default: `kube-system`. */
  readonly exceptNamespaces?: readonly string[] | undefined;
  /** How long the API server waits for an answer, in seconds. Default 2. */
  readonly timeoutSeconds?: number | undefined;
}

/** A ValidatingWebhookConfiguration. */
export interface WebhookConfiguration extends KubernetesObject {
  readonly kind: 'ValidatingWebhookConfiguration';
  readonly webhooks: readonly JsonObject[];
}

/**
 * Returns the ValidatingWebhookConfiguration of an admission webhook. It has one webhook for each kind.
 *
 * - A webhook that does not answer blocks nothing: `failurePolicy` is `Ignore`.
 * - Status writes are not reviewed, nor are updates that change nothing but a status, finalizers or managed fields: each write costs the API server
 *   nothing but a comparison.
 *
 * @param options The webhook, and the kinds that it reviews.
 * @returns The configuration.
 * @throws {PolicyMachineryError} `invalid-webhook-configuration`, if the name is not a domain, or kinds are missing.
 */
export function webhookConfiguration(options: WebhookConfigurationOptions): WebhookConfiguration {
  const { name, kinds, trust, timeoutSeconds = 2 } = options;
  const reviewedKinds = [...kinds];
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)) {
    throw invalid(`"${name}" is not a domain with a dot; take one such as timeouts.example.com`);
  }
  if (reviewedKinds.length === 0) throw invalid('kinds are missing; name at least one to review');
  const isByCertificate = 'certificate' in trust;
  const annotations = isByCertificate
    ? { 'cert-manager.io/inject-ca-from': `${trust.namespace}/${trust.certificate}` }
    : undefined;
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
    webhooks: reviewedKinds.map((kind) => ({
      name: `${kind.plural}.${kind.group === '' ? 'core' : kind.group}.${name}`,
      clientConfig: {
        ...clientOf(options, kind),
        ...(isByCertificate ? {} : { caBundle: base64(trust.caBundle) }),
      },
      rules: [
        {
          apiGroups: [kind.group],
          apiVersions: kind.versions,
          resources: [kind.plural],
          operations: ['CREATE', 'UPDATE', 'DELETE'],
          scope: kind.scope,
        },
      ],
      matchConditions: conditionsOf(options, kind),
      matchPolicy: 'Equivalent',
      failurePolicy: 'Ignore',
      sideEffects: 'None',
      timeoutSeconds,
      admissionReviewVersions: ['v1'],
    })),
  };
  return JSON.parse(JSON.stringify(configuration)); // In YAML, parts that are shared would become anchors and aliases.
}

function clientOf({ service }: WebhookConfigurationOptions, kind: ReviewedKind) {
  const path = webhookPath(kind);
  if ('url' in service) return { url: `${service.url.replace(/\/$/, '')}${path}` };
  const { name, namespace, port = 443 } = service;
  return { service: { name, namespace, port, path } };
}

/** Returns the conditions of the API server for calling the webhook. */
function conditionsOf(options: WebhookConfigurationOptions, kind: GroupKind) {
  const { except = [], exceptNamespaces = ['kube-system'] } = options;
  const accounts = except.map(({ name, namespace }) => `system:serviceaccount:${namespace}:${name}`);
  const namespace = kind.group === '' && kind.kind === 'Namespace' ? 'request.name' : 'request.namespace';
  return [
    { name: 'changes', expression: `request.operation != "UPDATE" || ${changes.join(' || ')}` },
    ...(accounts.length === 0
      ? []
      : [{ name: 'others', expression: `!(request.userInfo.username in ${list(accounts)})` }]),
    ...(exceptNamespaces.length === 0
      ? []
      : [{ name: 'namespaces', expression: `!(${namespace} in ${list(exceptNamespaces)})` }]),
  ];
}

/** The parts of an object that a topology reads; fields may be absent on either side. */
const changes = ['spec', 'metadata.labels', 'metadata.annotations', 'metadata.deletionTimestamp'].map((field) => {
  const [newField, oldField] = [`object.${field}`, `oldObject.${field}`];
  return `has(${newField}) != has(${oldField}) || (has(${newField}) && ${newField} != ${oldField})`;
});

const list = (texts: readonly string[]): string => JSON.stringify(texts);

function base64(text: string): string {
  return btoa(text);
}

function invalid(why: string): PolicyMachineryError {
  return new PolicyMachineryError('invalid-webhook-configuration', `The webhook cannot be configured: ${why}`);
}
