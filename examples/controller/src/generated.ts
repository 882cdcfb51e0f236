import { admissionPolicies, webhookCertificate, webhookConfiguration } from '@policy-machinery/admission';
import { customResourceDefinition } from '@policy-machinery/crd';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { createTopology } from '@policy-machinery/topology';
import { stringify } from 'yaml';
import { RateLimitPolicy, TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';

const policyKinds = [TimeoutPolicy, RateLimitPolicy];
const service = { name: 'policies-controller', namespace: 'policies-system' };

const definitions = policyKinds.map((kind) => {
  const { definition } = customResourceDefinition(kind, { categories: ['policies'] });
  return [`crds/${kind.plural}.yaml`, [definition]] as const;
});

/** Only those who may change a Gateway or a route attach policies to it. */
const accessPolicies = policyKinds
  .flatMap((kind) => admissionPolicies(kind, { targetAccess: true }))
  .flatMap(({ policy, binding }) => [policy, binding]);

const { certificate, issuer } = webhookCertificate({ service });
const webhook = [
  webhookConfiguration({
    name: 'policies.shop.example.com',
    kinds: createTopology({ targetKinds: gatewayApi(), policyKinds }).requiredKinds,
    service,
    trust: { certificate: certificate.metadata.name, namespace: service.namespace },
    except: [{ name: 'policies-controller', namespace: service.namespace }],
  }),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: service,
    spec: {
      selector: { 'app.kubernetes.io/name': 'policies-controller' },
      ports: [{ name: 'webhook', port: 443, targetPort: 'webhook' }],
    },
  },
  certificate,
  ...(issuer === undefined ? [] : [issuer]),
];

/** The manifests that follow from the declarations of the controller's kinds, by the path of their file in `deploy`. */
export const generated: ReadonlyMap<string, string> = new Map(
  [
    ...definitions,
    ['admission-policies.yaml', accessPolicies] as const,
    ['webhook/webhook.yaml', webhook] as const,
  ].map(([path, objects]) => [path, objects.map((it) => stringify(it)).join('---\n')]),
);
