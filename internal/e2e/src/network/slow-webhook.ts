import { readFileSync } from 'node:fs';
import { serveAdmission } from '@policy-machinery/admission/node';
import type { KubernetesObject } from '@policy-machinery/resource';
import { makeCertificate } from '../admission/certificate.ts';

/** The resources of a group. */
interface Resources {
  readonly group: string;
  readonly resources: readonly string[];
}

/** A webhook that allows everything, and may take its time. */
export interface SlowWebhook {
  /** How many requests have come. */
  readonly asked: number;
  /** Answers nothing from now on, until the function that is returned is called. */
  hold(): () => void;
  close(): Promise<void>;
}

/**
 * Serves a webhook for updates of some resources in a namespace, and registers it. The API server goes on without an answer after some time.
 *
 * @param within How long the API server waits for an answer, in seconds.
 */
export async function startSlowWebhook(
  {
    namespace,
    kinds,
    within,
  }: { readonly namespace: string; readonly kinds: readonly Resources[]; readonly within: number },
  apply: (configuration: KubernetesObject) => Promise<unknown>,
): Promise<SlowWebhook> {
  const { certDir, certFile } = await makeCertificate();
  let asked = 0;
  let released = Promise.resolve();
  const server = await serveAdmission({
    port: 0,
    host: '127.0.0.1',
    certDir,
    async fetch(request) {
      const review = JSON.parse(await request.text());
      asked += 1;
      await released;
      const response = { uid: review.request.uid, allowed: true };
      return Response.json({ apiVersion: review.apiVersion, kind: review.kind, response });
    },
  });
  const clientConfig = {
    url: `https://127.0.0.1:${server.port}/`,
    caBundle: readFileSync(certFile).toString('base64'),
  };
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'slow.example.com' },
    webhooks: [
      {
        name: 'slow.example.com',
        clientConfig,
        rules: kinds.map(({ group, resources }) => {
          return { apiGroups: [group], apiVersions: ['*'], resources, operations: ['UPDATE'] };
        }),
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        failurePolicy: 'Ignore',
        sideEffects: 'None',
        timeoutSeconds: within,
        admissionReviewVersions: ['v1'],
      },
    ],
  };
  await apply(configuration);
  return {
    get asked() {
      return asked;
    },
    hold() {
      let release = () => {};
      released = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    close: () => server.close(),
  };
}
