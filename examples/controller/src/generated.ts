import { admissionPolicies, webhookCertificate, webhookConfiguration } from '@policy-machinery/admission';
import { policyManifests } from '@policy-machinery/controller';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { stringify } from 'yaml';
import { declared, kinds } from './declared.ts';

const service = { name: 'policies-controller', namespace: declared.lease.namespace };

const manifests = policyManifests(declared, { ...service, image: service.name });

/** Only those who may change a Gateway or a route attach policies to it. */
const accessPolicies = kinds
  .flatMap((kind) => admissionPolicies(kind, { targetAccess: true }))
  .flatMap(({ policy, binding }) => [policy, binding]);

const { certificate, issuer } = webhookCertificate({ service });
const webhook = [
  webhookConfiguration({
    name: 'policies.shop.example.com',
    kinds: createTopology({ targetKinds: declared.targetKinds, policyKinds: kinds }).requiredKinds,
    service,
    trust: { certificate: certificate.metadata.name, namespace: service.namespace },
    except: [service],
  }),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: service,
    spec: {
      selector: { 'app.kubernetes.io/name': service.name },
      ports: [{ name: 'webhook', port: 443, targetPort: 'webhook' }],
    },
  },
  certificate,
  ...(issuer === undefined ? [] : [issuer]),
];

/** The file of each kind of objects in `deploy`. */
const files: Readonly<Record<string, string>> = { Namespace: 'namespace.yaml', Deployment: 'deployment.yaml' };

/** Returns the file of an object; what has none of its own is about rights. */
function fileOf({ kind, metadata }: KubernetesObject): string {
  if (kind === 'CustomResourceDefinition') return `crds/${metadata.name.split('.', 1)[0]}.yaml`;
  return files[kind] ?? 'rbac.yaml';
}

/** The manifests that follow from the declarations of the controller's kinds, by the path of their file in `deploy`. */
export const generated: ReadonlyMap<string, string> = new Map(
  [
    ...[...new Set(manifests.map(fileOf))].map(
      (path) => [path, manifests.filter((it) => fileOf(it) === path)] as const,
    ),
    ['admission-policies.yaml', accessPolicies] as const,
    ['webhook/webhook.yaml', webhook] as const,
  ].map(([path, objects]) => [path, objects.map((it) => stringify(it)).join('---\n')]),
);
