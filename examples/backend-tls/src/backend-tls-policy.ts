import { Service } from '@policy-machinery/gateway-api';
import { definePolicyKind } from '@policy-machinery/policy-kind';
import { z } from 'zod';

const reference = z.strictObject({ group: z.string(), kind: z.string(), name: z.string() });
const subjectAltName = z
  .strictObject({ type: z.enum(['Hostname', 'URI']), hostname: z.string(), uri: z.string() })
  .partial();

/** How a Gateway uses TLS for a Service, or for one of its ports. The kind targets and affects one kind, so it is direct: nothing is merged. */
export const BackendTLSPolicy = definePolicyKind({
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  kind: 'BackendTLSPolicy',
  targets: [Service, Service.sections.port],
  effectiveTargets: [Service.sections.port],
  spec: z.strictObject({
    validation: z.strictObject({
      hostname: z.string(),
      caCertificateRefs: z.array(reference).optional(),
      wellKnownCACertificates: z.string().optional(),
      subjectAltNames: z.array(subjectAltName).optional(),
    }),
    options: z.record(z.string(), z.string()).optional(),
  }),
});
