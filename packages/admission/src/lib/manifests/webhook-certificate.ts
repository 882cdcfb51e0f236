import type { KubernetesObject } from '@policy-machinery/resource';

/** The Service that a certificate is for, and the names of the objects. */
export interface WebhookCertificateOptions {
  /** The Service of the webhook. The objects are made in its namespace. */
  readonly service: { readonly name: string; readonly namespace: string };
  /** The name of the Certificate and its Secret. Default: the name of the Service with `-serving-cert`. */
  readonly name?: string | undefined;
  /** The issuer. Default: an Issuer that signs the certificate with its own key, which is all that a webhook needs. */
  readonly issuer?: { readonly name: string; readonly kind?: 'Issuer' | 'ClusterIssuer' } | undefined;
}

/** The objects of cert-manager that make and renew the certificate of a webhook. */
export interface WebhookCertificate {
  /** The Certificate. Its Secret has the same name. */
  readonly certificate: KubernetesObject;
  /** The Issuer; absent if another one is given. */
  readonly issuer?: KubernetesObject;
}

const apiVersion = 'cert-manager.io/v1';

/**
 * Returns the objects of cert-manager that make the certificate of a webhook. Mount the Secret, which has the name of the Certificate, at
 * `/tmp/k8s-webhook-server/serving-certs`, and name the Certificate in `webhookConfiguration`.
 *
 * @returns The Certificate, and an Issuer unless one is given.
 */
export function webhookCertificate({ service, name, issuer }: WebhookCertificateOptions): WebhookCertificate {
  const { namespace } = service;
  const certificate = name ?? `${service.name}-serving-cert`;
  const ownIssuer = `${certificate}-issuer`;
  const host = `${service.name}.${namespace}.svc`;
  const { name: issuerName, kind = 'Issuer' } = issuer ?? { name: ownIssuer };
  return {
    certificate: {
      apiVersion,
      kind: 'Certificate',
      metadata: { name: certificate, namespace },
      spec: {
        dnsNames: [host, `${host}.cluster.local`],
        issuerRef: { group: 'cert-manager.io', kind, name: issuerName },
        secretName: certificate,
      },
    },
    ...(issuer === undefined
      ? {
          issuer: {
            apiVersion,
            kind: 'Issuer',
            metadata: { name: ownIssuer, namespace },
            spec: { selfSigned: {} },
          },
        }
      : {}),
  };
}
