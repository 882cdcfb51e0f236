import { connect } from '@policy-machinery/cluster';
import { createPolicyController, jsonLogger } from '@policy-machinery/controller';
import { promClient } from '@policy-machinery/controller/prom-client';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { collectDefaultMetrics, register } from 'prom-client';
import { RateLimitPolicy, TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';

const name = 'policies.shop.example.com/controller';
const { POD_NAME, POD_NAMESPACE = 'policies-system', PROBES_PORT = '8081' } = process.env;

const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());

const log = jsonLogger();
const connection = await connect({ userAgent: name });
collectDefaultMetrics({ register });

const controller = createPolicyController({
  name,
  connection,
  targetKinds: gatewayApi(),
  policyKinds: [TimeoutPolicy, RateLimitPolicy],
  status: { writes: { perSecond: 100, burst: 200 } },
  lease: { namespace: POD_NAMESPACE, ...(POD_NAME === undefined ? {} : { identity: POD_NAME }) },
  probes: { port: Number(PROBES_PORT) },
  metrics: promClient(register),
  log,
  // Here a controller configures its data plane. This one says what it would configure.
  onEffective({ kind, view, targets }) {
    for (const target of targets) {
      log.info('effective', { kind: kind.kind, target, specs: view.of(target).map(({ spec }) => spec) });
    }
  },
});

await controller.run({ signal: stopping.signal });
connection.close?.();
