import { connect } from '@policy-machinery/cluster';
import { createPolicyController } from '@policy-machinery/controller';
import { jsonLogger } from '@policy-machinery/observability';
import { promClient } from '@policy-machinery/observability/prom-client';
import { collectDefaultMetrics, register } from 'prom-client';
import { declared, kinds } from './declared.ts';
import { logEffective } from './log-effective.ts';

const { POD_NAME, POD_NAMESPACE = declared.lease.namespace, PROBES_PORT = declared.probes.port } = process.env;
const { WEBHOOK_CERTS: certDir, WEBHOOK_PORT = '9443', WEBHOOK_SENDERS } = process.env;
const senders = WEBHOOK_SENDERS === 'api-server' ? 'api-server' : 'anyone';

const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());

const log = jsonLogger();
const connection = await connect({ userAgent: declared.name });
collectDefaultMetrics({ register });
const metrics = promClient(register);

const controller = createPolicyController({
  ...declared,
  connection,
  lease: { namespace: POD_NAMESPACE, ...(POD_NAME === undefined ? {} : { identity: POD_NAME }) },
  probes: { port: Number(PROBES_PORT) },
  metrics,
  log,
  onEffective: logEffective(log),
});

// Loaded by the replicas that serve a webhook: what reviews changes takes megabytes.
async function serveWebhook(certDir: string) {
  const [{ createAdmission }, { serveAdmission }] = await Promise.all([
    import('@policy-machinery/admission'),
    import('@policy-machinery/admission/node'),
  ]);
  const views = kinds.map((kind) => controller.effective<unknown>(kind));
  const onError = (error: unknown) => log.error('a change was not reviewed', { error: String(error) });
  const { fetch } = createAdmission({ views, isReady: () => controller.isSynced, senders, metrics, onError });
  return serveAdmission({ fetch, port: Number(WEBHOOK_PORT), certDir, log, metrics });
}

const webhook = certDir === undefined ? undefined : await serveWebhook(certDir);
await controller.run({ signal: stopping.signal });
await webhook?.close();
connection.close?.();
