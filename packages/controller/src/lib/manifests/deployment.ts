import type { WebhookConfigurationOptions } from '@policy-machinery/admission/manifests';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import type { DeclaredController } from './rights.ts';

/** Where and how a controller is deployed. */
export interface DeploymentOptions {
  /** The namespace of the controller. */
  readonly namespace: string;
  /** The image of the container. */
  readonly image: string;
  /** The name of the Deployment, the ServiceAccount and the roles. Default: the name of the controller, with `-` in place of invalid characters. */
  readonly name?: string | undefined;
  /** The number of replicas. Default: 3 with shards; 2 with a lease, so that the other one takes over; otherwise 1. */
  readonly replicas?: number | undefined;
  /** The resources of the container. Default: a request for 50m of CPU and 128Mi of memory, and a limit of 256Mi. */
  readonly resources?: JsonObject | undefined;
  /** Further variables of the container's environment, beside `POD_NAME` and `POD_NAMESPACE`. Default: none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The webhook that the container serves; `{}` for one with a certificate of cert-manager. Default: none. */
  readonly webhook?: WebhookOptions | undefined;
}

/** The webhook of a deployed controller. */
export interface WebhookOptions
  extends Partial<Pick<WebhookConfigurationOptions, 'kinds' | 'exceptNamespaces' | 'timeoutSeconds'>> {
  /** The port of the container. Default: 9443. */
  readonly port?: number | undefined;
  /** Your own certificate: its Secret, and the certificates of its authorities as PEM. Default: a Certificate of cert-manager, with an Issuer. */
  readonly certificate?: { readonly secretName: string; readonly caBundle: string } | undefined;
  /** The folder that the certificate's Secret is mounted in. Default: `/tmp/k8s-webhook-server/serving-certs`. */
  readonly certDir?: string | undefined;
}

/** The names that belong together in the objects of a deployment. */
export interface DeployedNames {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Returns the Deployment of a controller: Pods of the security level `restricted`, with its probes.
 *
 * @param secretName The Secret with the certificate of its webhook, if it has one.
 */
export function deploymentOf(
  controller: DeclaredController,
  { name, namespace, labels }: DeployedNames,
  options: DeploymentOptions,
  secretName: string | undefined,
): KubernetesObject {
  const { lease, shards, drain = 10_000 } = controller;
  const replicas = shards !== undefined ? 3 : lease !== undefined ? 2 : 1;
  const podSpec = {
    serviceAccountName: name,
    automountServiceAccountToken: true,
    // Longer than the stop takes.
    terminationGracePeriodSeconds: Math.ceil(drain / 1000) + 20,
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { ...labels } },
      },
    ],
    containers: [containerOf(controller, options)],
    ...(options.webhook === undefined ? {} : { volumes: [{ name: 'webhook-certs', secret: { secretName } }] }),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { ...labels } },
    spec: {
      replicas: options.replicas ?? replicas,
      selector: { matchLabels: { ...labels } },
      template: { metadata: { labels: { ...labels } }, spec: podSpec },
    },
  };
}

function containerOf(
  { probes }: DeclaredController,
  { image, env = {}, resources, webhook }: DeploymentOptions,
): JsonObject {
  const { port = 9443, certDir = '/tmp/k8s-webhook-server/serving-certs' } = webhook ?? {};
  const ports = [
    ...(probes === undefined ? [] : [{ name: 'probes', containerPort: probes.port }]),
    ...(webhook === undefined ? [] : [{ name: 'webhook', containerPort: port }]),
  ];
  const mounts = [{ name: 'webhook-certs', mountPath: certDir, readOnly: true }];
  return {
    name: 'controller',
    image,
    env: [fieldOf('POD_NAME', 'metadata.name'), fieldOf('POD_NAMESPACE', 'metadata.namespace'), ...variablesOf(env)],
    ...(ports.length === 0 ? {} : { ports }),
    ...(probes === undefined ? {} : probed),
    resources: resources ?? { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    ...(webhook === undefined ? {} : { volumeMounts: mounts }),
  };
}

const probed = {
  livenessProbe: {
    httpGet: { path: '/healthz', port: 'probes' },
    periodSeconds: 20,
    timeoutSeconds: 5,
    failureThreshold: 3,
  },
  readinessProbe: { httpGet: { path: '/readyz', port: 'probes' }, periodSeconds: 5, timeoutSeconds: 5 },
};

function fieldOf(name: string, fieldPath: string): JsonObject {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

function variablesOf(env: Readonly<Record<string, string>>): readonly JsonObject[] {
  return Object.entries(env).map(([name, value]) => ({ name, value }));
}
