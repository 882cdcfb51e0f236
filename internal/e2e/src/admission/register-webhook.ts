import { readFileSync } from 'node:fs';
import { webhookConfiguration } from '@policy-machinery/admission';
import { type AdmissionServer, serveAdmission } from '@policy-machinery/admission/node';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { makeCertificate } from './certificate.ts';

interface RegisteredWebhook {
  readonly name: string;
  readonly topology: Topology;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Applies the configuration. */
  readonly apply: (configuration: KubernetesObject) => Promise<unknown>;
}

/** Serves a webhook on this machine, and registers it for all kinds of a topology. */
export async function registerWebhook({ name, topology, fetch, apply }: RegisteredWebhook): Promise<AdmissionServer> {
  const { certDir, certFile } = await makeCertificate();
  const server = await serveAdmission({ fetch, port: 0, host: '127.0.0.1', certDir });
  await apply(
    webhookConfiguration({
      name,
      kinds: topology.requiredKinds,
      service: { url: `https://127.0.0.1:${server.port}` },
      trust: { caBundle: readFileSync(certFile, 'utf8') },
      timeoutSeconds: 10,
    }),
  );
  return server;
}
