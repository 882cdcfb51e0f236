import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type ClusterAccess, kubectl } from './cluster.ts';
import { example } from './example-deployment.ts';

/** Where a webhook answers, and the file with the certificate of its authority. */
export interface WebhookAddress {
  readonly port: number;
  readonly certFile: string;
}

interface Webhook {
  readonly clientConfig: { readonly service: { readonly path: string } };
}

/**
 * Installs the example's `deploy` folder with the component of the webhook, which `kustomization.yaml` has as a comment.
 *
 * Nothing leads to Services here and no cert-manager runs, so a URL stands in place of the Service, and a certificate in place of cert-manager's.
 */
export async function deployExampleWithWebhook(cluster: ClusterAccess, address: WebhookAddress): Promise<void> {
  const objects = parseAllDocuments(await renderWithWebhook(cluster)).map((it) => it.toJS());
  const items = objects
    .filter(({ apiVersion }) => apiVersion !== 'cert-manager.io/v1')
    .map((it) => (it.kind === 'ValidatingWebhookConfiguration' ? answeredAt(it, address) : it));
  await kubectl(
    cluster,
    ['apply', '--server-side', '-f', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  );
}

async function renderWithWebhook(cluster: ClusterAccess): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  try {
    cpSync(join(example, 'deploy'), folder, { recursive: true });
    const file = join(folder, 'kustomization.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^# (?=components: \[webhook\])/m, ''));
    return await kubectl(cluster, ['kustomize', folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function answeredAt<Configuration extends { readonly webhooks: readonly Webhook[] }>(
  configuration: Configuration,
  { port, certFile }: WebhookAddress,
) {
  const caBundle = readFileSync(certFile).toString('base64');
  const webhooks = configuration.webhooks.map((webhook) => ({
    ...webhook,
    clientConfig: { url: `https://127.0.0.1:${port}${webhook.clientConfig.service.path}`, caBundle },
    timeoutSeconds: 10, // Machines of tests are busy.
  }));
  return { ...configuration, webhooks };
}
