import { webhookCertificate, webhookConfiguration } from '@policy-machinery/admission/manifests';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { RequiredKind } from '@policy-machinery/topology';
import type { DeployedNames, WebhookOptions } from './deployment.ts';

/** The objects that the cluster needs to call a controller's webhook. */
export interface WebhookManifests {
  /** The Secret with the certificate. */
  readonly secretName: string;
  readonly objects: readonly KubernetesObject[];
}

/**
 * Returns the Service of a controller's webhook, its certificate, and its configuration.
 *
 * @param domain The name of the configuration, a domain.
 * @param required The kinds that the controller reads, which the webhook reviews by default.
 */
export function webhookManifests(
  { name, namespace, labels }: DeployedNames,
  domain: string,
  required: readonly RequiredKind[],
  { certificate, kinds = required, exceptNamespaces, timeoutSeconds }: WebhookOptions,
): WebhookManifests {
  const service: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: { ...labels }, ports: [{ name: 'webhook', port: 443, targetPort: 'webhook' }] },
  };
  const made = certificate === undefined ? webhookCertificate({ service: { name, namespace } }) : undefined;
  const secretName = certificate?.secretName ?? made?.certificate.metadata.name ?? '';
  const configuration = webhookConfiguration({
    name: domain,
    kinds,
    service: { name, namespace },
    trust: certificate === undefined ? { certificate: secretName, namespace } : { caBundle: certificate.caBundle },
    except: [{ name, namespace }],
    ...(exceptNamespaces === undefined ? {} : { exceptNamespaces }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  });
  const { issuer } = made ?? {};
  const signed = [...(issuer === undefined ? [] : [issuer]), ...(made === undefined ? [] : [made.certificate])];
  return { secretName, objects: [service, ...signed, configuration] };
}
